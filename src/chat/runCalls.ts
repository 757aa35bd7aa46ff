import type { ChatEvent, ToolOutcome, ToolState } from './events.ts';
import type { ReadyCall } from './toolBox.ts';

/** A call with what is to be done: run it, or tell the model why it cannot be. */
export interface RunnableCall {
  id: string;
  work: ReadyCall | { problem: string };
}

export type CallEvent = Extract<ChatEvent, { type: 'toolStateChanged' | 'toolFinished' }>;

/**
 * Runs the calls of one answer: neighbouring reads beside each other, everything else alone, in the order asked.
 * Each call gets exactly one outcome, also when the signal is aborted in the middle. Never throws.
 */
export async function* runCalls(
  calls: readonly RunnableCall[],
  signal: AbortSignal,
  now: () => number,
): AsyncGenerator<CallEvent, void> {
  for (const group of inGroups(calls)) yield* runGroup(group, signal, now);
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
  signal: AbortSignal,
  now: () => number,
): AsyncGenerator<CallEvent, void> {
  const events: CallEvent[] = [];
  let wake = () => {};
  const push = (event: CallEvent) => {
    events.push(event);
    wake();
  };
  let running = calls.length;
  for (const call of calls) {
    void runOne(call, signal, now, (state) => push({ type: 'toolStateChanged', id: call.id, state })).then(
      (outcome) => {
        running--;
        push({ type: 'toolFinished', id: call.id, outcome });
      },
    );
  }
  for (;;) {
    const event = events.shift();
    if (event) yield event;
    else if (running === 0) return;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

/** What the model reads of a call that the user stopped. */
const stopped = 'Stopped by the user before it finished.';
const notRun = 'The user stopped the turn before this call ran.';

async function runOne(
  { id, work }: RunnableCall,
  signal: AbortSignal,
  now: () => number,
  onState: (state: ToolState) => void,
): Promise<ToolOutcome> {
  if (signal.aborted) return { state: 'stopped', content: notRun, durationMs: 0, unrun: 'stopped' };
  if ('problem' in work) return { state: 'failed', content: work.problem, durationMs: 0 };
  const started = now();
  let hasBegun = false;
  try {
    const outcome = await work.run(id, signal, (state) => {
      hasBegun ||= state === 'running';
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
      content: `The tool failed: ${error instanceof Error ? error.message : String(error)}`,
      durationMs,
    };
  }
}
