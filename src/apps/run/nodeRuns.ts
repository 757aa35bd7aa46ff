import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/text/format.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import { inline } from '../../base/text/oneLine.ts';
import type { AppEvent, AppStep } from '../app.ts';
import { statusLabel } from './runStatus.ts';

export interface NodeRun {
  readonly title: string;
  readonly status: AppStep['status'];
  readonly count: number;
  readonly elapsedMs: number;
  readonly tokens: number;
  readonly error?: string;
  /** Inputs of a failed execution as JSON, possibly cut; absent if the platform didn't report them. */
  readonly inputs?: string;
}

const longestInputs = 20_000;
const mostNodes = 5_000;

export class NodeRuns {
  private readonly runs = new Map<string, NodeRun>();
  private last: string | undefined;

  get(nodeId: string): NodeRun | undefined {
    return this.runs.get(nodeId);
  }

  get all(): ReadonlyMap<string, NodeRun> {
    return this.runs;
  }

  get failed(): string | undefined {
    return this.last;
  }

  note(event: AppEvent): boolean {
    if (event.type !== 'stepChanged' || !event.node) return false;
    const { step, node } = event;
    const known = this.runs.get(node.id);
    if (!known && this.runs.size >= mostNodes) return false;
    const hasEnded = endStates.has(step.status);
    const run = {
      title: step.title || (known?.title ?? node.id),
      status: step.status,
      count: (known?.count ?? 0) + (hasEnded ? 1 : 0),
      elapsedMs: (known?.elapsedMs ?? 0) + (hasEnded ? (step.elapsedMs ?? 0) : 0),
      tokens: (known?.tokens ?? 0) + (hasEnded ? (step.tokens ?? 0) : 0),
    };
    if (step.status === 'failed') {
      this.last = node.id;
      const inputs = node.inputs && JSON.stringify(node.inputs);
      this.runs.set(node.id, {
        ...run,
        ...(step.error !== undefined && { error: step.error }),
        ...(inputs !== undefined && { inputs: shortened(inputs) }),
      });
    } else this.runs.set(node.id, run);
    return true;
  }

  /** Stops the nodes that still ran. `error` is that of the failed node, with which a sign-in reports none. */
  end(error: string | undefined): void {
    for (const [id, run] of this.runs) {
      if (!endStates.has(run.status) && run.status !== 'paused') {
        this.runs.set(id, { ...run, status: 'stopped' });
      }
    }
    const failed = this.last === undefined ? undefined : this.runs.get(this.last);
    if (failed && failed.error === undefined && error !== undefined) {
      this.runs.set(this.last!, { ...failed, error });
    }
  }
}

const endStates: ReadonlySet<AppStep['status']> = new Set(['succeeded', 'failed', 'stopped', 'unknown']);

function shortened(inputs: string): string {
  if (inputs.length <= longestInputs) return inputs;
  return `${inputs.slice(0, longestInputs)}… [cut]`;
}

export function nodeRunText({ status, count, elapsedMs, tokens, error }: NodeRun): string {
  const facts = [
    status === 'failed' && error ? l10n.t('Failed: {0}', inline(lastLine(error), 120)) : statusLabel(status),
    count > 0 && formatDuration(elapsedMs),
    count > 1 && `× ${formatNumber(count)}`,
    tokens > 0 && formatTokens(tokens),
  ];
  return facts.filter(Boolean).join(' · ');
}

/** The last line of a Python traceback names the error. */
function lastLine(error: string): string {
  return error.trim().split('\n').at(-1) ?? error;
}
