import { randomUUID } from 'node:crypto';
import type { NodeSpec } from './appStep.ts';
import { priceOf } from './usage.ts';

interface StartedNode {
  readonly id: string;
  readonly index: number;
  readonly before: string | undefined;
  readonly createdAt: number;
}

/** The `data` of a flow's node events: a node keeps its id and place from start to end. */
export class NodeEvents {
  readonly #seconds: () => number;
  readonly #nodes = new Map<NodeSpec, StartedNode>();
  #last: string | undefined;

  constructor(seconds: () => number) {
    this.#seconds = seconds;
  }

  started(spec: NodeSpec): object {
    return { ...this.#common(spec), extras: {}, agent_strategy: null };
  }

  /** @param status `succeeded`, `failed`, `retry`, … */
  ended(spec: NodeSpec, status: string, outputs: object = {}, error: string | null = null): object {
    const tokens = spec.tokens ?? 0;
    return {
      ...this.#common(spec),
      process_data: {},
      process_data_truncated: false,
      outputs,
      outputs_truncated: false,
      status,
      error,
      elapsed_time: spec.seconds ?? 0.1,
      execution_metadata: { total_tokens: tokens, total_price: priceOf(tokens), currency: 'USD' },
      finished_at: this.#seconds(),
      files: [],
    };
  }

  #common(spec: NodeSpec): object {
    const { id, index, before, createdAt } = this.#known(spec);
    return {
      id,
      node_id: spec.id,
      node_type: spec.type,
      title: spec.title,
      index,
      predecessor_node_id: before ?? null,
      inputs: spec.inputs ?? null,
      inputs_truncated: false,
      created_at: createdAt,
      iteration_id: null,
      loop_id: null,
      ...withinOf(spec),
    };
  }

  #known(spec: NodeSpec): StartedNode {
    const known = this.#nodes.get(spec);
    if (known) return known;
    const index = this.#nodes.size + 1;
    const fresh = { id: randomUUID(), index, before: this.#last, createdAt: this.#seconds() };
    this.#nodes.set(spec, fresh);
    this.#last = spec.id;
    return fresh;
  }
}

function withinOf({ within }: NodeSpec): object {
  if (!within) return {};
  const { round, ...ids } = within;
  return { ...ids, [ids.loop_id === undefined ? 'iteration_index' : 'loop_index']: round };
}
