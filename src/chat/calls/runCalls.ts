import type { ChatEvent, ToolOutcome, ToolState } from '../events.ts';
import type { Call } from './call.ts';
import type { ReadyCall } from './toolBox.ts';
import { messageOf } from '../../base/messageOf.ts';

/** A call with what is to be done: run it, or tell the model why it cannot be. */
export interface RunnableCall {
  call: Call;
  work: ReadyCall | { problem: string };
}

export type CallEvent = Extract<ChatEvent, { type: 'toolStateChanged' | 'toolFinished' }>;

export interface CallConditions {
  signal: AbortSignal;
  /** The user has sent a message that the model is to read first: no other call begins, those that run end. */
  isSteered(): boolean;
  /** Milliseconds. */
  now(): number;
}

/** No work needs more at once; a model that asks for more has lost its way. */
export const mostCalls = 64;
const mostAtOnce = 6;

/**
 * Runs the calls of one answer: at most six neighbouring reads beside each other, everything else alone, in the order asked.
 * Of too many calls none is run. Each call gets exactly one outcome, also when the signal is aborted in the middle. Never throws.
 */
export async function* runCalls(
  calls: readonly RunnableCall[],
  conditions: CallConditions,
): AsyncGenerator<CallEvent, void> {
  const runnable = calls.length > mostCalls ? calls.map((call) => refused(call, calls.length)) : calls;
  for (const group of inGroups(runnable)) yield* runGroup(group, conditions);
}

function refused({ call }: RunnableCall, count: number): RunnableCall {
  const problem = `Not run: this answer has ${count} tool calls, and at most ${mostCalls} are run. Call fewer at a time.`;
  return { call, work: { problem } };
}

/** Neighbouring reads form a group; anything else is one of its own. */
function inGroups(calls: readonly RunnableCall[]): RunnableCall[][] {
  const groups: RunnableCall[][] = [];
  let reads: RunnableCall[] | undefined;
  for (const call of calls) {
    const isRead = 'problem' in call.work || call.work.isRead;
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

async function* runGroup(
  calls: readonly RunnableCall[],
  conditions: CallConditions,
): AsyncGenerator<CallEvent, void> {
  const events: CallEvent[] = [];
  let wake = () => {};
  const push = (event: CallEvent) => {
    events.push(event);
    wake();
  };
  let left = calls.length;
  const waiting = calls.values();
  const runNext = async (): Promise<void> => {
    // The others take from the same calls.
    for (const { call, work } of waiting) {
      const { id } = call;
      const onState = (state: ToolState) => push({ type: 'toolStateChanged', id, state });
      const outcome = await runOne(work, conditions, onState);
      left--;
      push({ type: 'toolFinished', id, outcome });
    }
  };
  for (let lane = 0; lane < Math.min(mostAtOnce, calls.length); lane++) void runNext();
  for (;;) {
    const event = events.shift();
    if (event) yield event;
    else if (left === 0) return;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

/** What the model reads of a call that the user stopped. */
const stopped = 'Stopped by the user before it finished.';
const notRun = 'The user stopped the turn before this call ran.';
/** What it reads of a call that a message of the user came before. */
const notBegun = 'Not run: the user sent a message before this call began. It follows the results.';

async function runOne(
  work: RunnableCall['work'],
  { signal, isSteered, now }: CallConditions,
  onState: (state: ToolState) => void,
): Promise<ToolOutcome> {
  if (signal.aborted) return { state: 'stopped', content: notRun, durationMs: 0, unrun: 'stopped' };
  if ('problem' in work) return { state: 'failed', content: work.problem, durationMs: 0 };
  if (isSteered()) return { state: 'stopped', content: notBegun, durationMs: 0, unrun: 'steered' };
  let started = now();
  let hasBegun = false;
  try {
    const outcome = await work.run(signal, (state) => {
      if (state === 'running' && !hasBegun) {
        hasBegun = true;
        // The time that the user took to decide is not the call's.
        started = now();
      }
      onState(state);
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
