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
}

/** Models that request more calls at once have gone astray. */
export const mostCalls = 64;
const mostAtOnce = 6;

/** Runs up to six reads of a group in parallel. Each call gets exactly one outcome, even when aborted. Never throws. */
export async function runCalls(
  calls: readonly ReadyCall[],
  conditions: CallConditions,
  record: (event: CallEvent) => Promise<void>,
): Promise<void> {
  const runnable = calls.length > mostCalls ? calls.map((call) => refused(call, calls.length)) : calls;
  for (const group of inGroups(runnable)) {
    const waiting = group.values();
    const lanes = Array.from({ length: Math.min(mostAtOnce, group.length) }, async () => {
      for (const call of waiting) await runAndRecord(call, conditions, record);
    });
    await Promise.all(lanes);
  }
}

async function runAndRecord(
  ready: ReadyCall,
  conditions: CallConditions,
  record: (event: CallEvent) => Promise<void>,
): Promise<void> {
  const { id } = ready.call;
  const onState = (state: ToolState) => record({ type: 'toolStateChanged', id, state });
  await record({ type: 'toolFinished', id, outcome: await runOne(ready, conditions, onState) });
}

function refused({ call }: ReadyCall, count: number): ReadyCall {
  const problem = `Not run: this answer has ${count} tool calls, and at most ${mostCalls} are run. Call fewer at a time.`;
  return { call, problem };
}

/** Adjacent reads form a group; every other call is a group of its own. */
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
  { signal, isSteered, now }: CallConditions,
  onState: (state: ToolState) => Promise<void>,
): Promise<ToolOutcome> {
  if (signal.aborted) return { state: 'stopped', content: notRun, durationMs: 0, unrun: 'stopped' };
  if ('problem' in ready) return { state: 'failed', content: ready.problem, durationMs: 0 };
  if (isSteered()) return { state: 'stopped', content: notBegun, durationMs: 0, unrun: 'steered' };
  let started = now();
  let hasBegun = false;
  try {
    const outcome = await ready.run(signal, async (state) => {
      await onState(state);
      if (state !== 'running' || hasBegun) return;
      signal.throwIfAborted();
      hasBegun = true;
      // Excludes the time spent waiting for approval.
      started = now();
    });
    return { ...outcome, durationMs: now() - started };
  } catch (error) {
    const durationMs = now() - started;
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
