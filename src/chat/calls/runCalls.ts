import { messageOf } from '../../base/errors/errors.ts';
import type { ChatEvent, ToolOutcome, ToolState } from '../store/events.ts';
import type { Call } from './call.ts';
import type { ReadyCall, ToolBox } from './toolBox.ts';

export function prepare(tools: ToolBox, call: Call): ReadyCall {
  const { problem } = call;
  return problem !== undefined ? { call, problem } : tools.prepare(call);
}

export type CallEvent = Extract<ChatEvent, { type: 'toolStateChanged' | 'toolFinished' }>;

export interface CallConditions {
  signal: AbortSignal;
  /** True once the user sent a message that the model has to read first: running calls end, and no other begins. */
  isSteered(): boolean;
  now(): number;
  onOutput?(id: string, lines: string): void;
}

/** Models that request more calls at once have gone astray. */
export const mostCalls = 64;
const mostAtOnce = 6;

/** Runs up to six reads in parallel, and edits while others await diagnostics. One outcome per call; never throws. */
export async function runCalls(
  calls: readonly ReadyCall[],
  conditions: CallConditions,
  record: (event: CallEvent) => Promise<void>,
): Promise<void> {
  const runnable = calls.length > mostCalls ? calls.map((call) => refused(call, calls.length)) : calls;
  const waiting: Promise<void>[] = [];
  for (const group of inGroups(runnable)) {
    if (!group.every(isEdit)) await Promise.all(waiting);
    const next = group.values();
    const lanes = Array.from({ length: Math.min(mostAtOnce, group.length) }, async () => {
      for (const call of next) {
        await new Promise<void>((worked) => {
          waiting.push(runAndRecord(call, conditions, record, worked).finally(worked));
        });
      }
    });
    await Promise.all(lanes);
  }
  await Promise.all(waiting);
}

function isEdit(call: ReadyCall): boolean {
  return 'isEdit' in call && call.isEdit === true;
}

async function runAndRecord(
  ready: ReadyCall,
  conditions: CallConditions,
  record: (event: CallEvent) => Promise<void>,
  onWorked: () => void,
): Promise<void> {
  const { id } = ready.call;
  const onState = (state: ToolState) => record({ type: 'toolStateChanged', id, state });
  const outcome = await runOne(ready, conditions, onState, onWorked);
  await record({ type: 'toolFinished', id, outcome });
}

function refused({ call }: ReadyCall, count: number): ReadyCall {
  const problem = `Not run: this answer has ${count} tool calls, and at most ${mostCalls} are run. Call fewer at a time.`;
  return { call, problem };
}

function inGroups(calls: readonly ReadyCall[]): ReadyCall[][] {
  const groups: ReadyCall[][] = [];
  let reads: ReadyCall[] | undefined;
  for (const call of calls) {
    const isRead = 'problem' in call || call.isRead;
    if (isRead && reads) {
      reads.push(call);
      continue;
    }
    const group = [call];
    groups.push(group);
    reads = isRead ? group : undefined;
  }
  return groups;
}

const stopped = 'Stopped by the user before it finished.';
const notRun = 'The user stopped the turn before this call ran.';
const notBegun = 'Not run: the user sent a message before this call began. It follows the results.';

async function runOne(
  ready: ReadyCall,
  { signal, isSteered, now, onOutput }: CallConditions,
  onState: (state: ToolState) => Promise<void>,
  onWorked: () => void,
): Promise<ToolOutcome> {
  if (signal.aborted) return { state: 'stopped', content: notRun, durationMs: 0, unrun: 'stopped' };
  if ('problem' in ready) return { state: 'failed', content: ready.problem, durationMs: 0 };
  if (isSteered()) return { state: 'stopped', content: notBegun, durationMs: 0, unrun: 'steered' };
  let started = now();
  let worked: number | undefined;
  let hasBegun = false;
  const begin = async (state: ToolState) => {
    await onState(state);
    if (state !== 'running' || hasBegun) return;
    signal.throwIfAborted();
    hasBegun = true;
    // Excludes the time spent waiting for approval.
    started = now();
  };
  const progress = {
    onOutput: (lines: string) => onOutput?.(ready.call.id, lines),
    onWorked: () => {
      worked ??= now();
      onWorked();
    },
  };
  try {
    const outcome = await ready.run(signal, begin, progress);
    return { ...outcome, durationMs: (worked ?? now()) - started };
  } catch (error) {
    const durationMs = (worked ?? now()) - started;
    if (signal.aborted) {
      return hasBegun
        ? { state: 'stopped', content: stopped, durationMs }
        : { state: 'stopped', content: notRun, durationMs, unrun: 'stopped' };
    }
    return {
      state: 'failed',
      content: `The tool failed: ${messageOf(error)}`,
      durationMs,
    };
  }
}
