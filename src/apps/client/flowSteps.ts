import { asText, type JsonObject } from '../../base/json.ts';
import type { AppEvent, AppNode } from '../app.ts';
import { readLoop, readNode } from './appWire.ts';

type StepEvent = Extract<AppEvent, { node: AppNode }>;

/** What each event says of its node, where the event itself does not. */
const stepKinds: Readonly<Record<string, [StepEvent['type'], AppNode['status']]>> = {
  node_started: ['nodeStarted', 'running'],
  node_retry: ['nodeRetried', 'retrying'],
  node_finished: ['nodeFinished', 'succeeded'],
  iteration_started: ['nodeStarted', 'running'],
  iteration_next: ['nodeStarted', 'running'],
  iteration_completed: ['nodeFinished', 'succeeded'],
  loop_started: ['nodeStarted', 'running'],
  loop_next: ['nodeStarted', 'running'],
  loop_completed: ['nodeFinished', 'succeeded'],
};

/** The nodes of a flow as its events tell of them; iterations and loops are nodes as well. */
export class FlowSteps {
  private readonly nodes = new Map<string, AppNode>();
  private failed: AppNode | undefined;

  /** The node that failed, if one did: of a failed loop, the one in it. */
  get failedNode(): AppNode | undefined {
    return this.failed;
  }

  /** Undefined for events of other kinds. */
  read(kind: string, data: JsonObject): StepEvent | undefined {
    const [type, status] = stepKinds[kind] ?? [];
    if (!type || !status) return undefined;
    const known = this.nodes.get(asText(data['id']) ?? asText(data['node_id']) ?? '');
    const loop = /^(iteration|loop)_/.exec(kind)?.[1];
    const node = loop ? readLoop(data, status, loop, known) : readNode(data, status, known);
    this.nodes.set(node.id, node);
    if (type === 'nodeFinished' && node.status === 'failed' && !(loop && this.failed)) this.failed = node;
    return { type, node };
  }
}
