import type { Clock } from '../base/clock.ts';
import type { SwitchboardError } from '../base/errors.ts';
import type { RetryScheduled } from '../base/retryScheduled.ts';
import { splitFirstSentence } from '../base/sentences.ts';
import { pauseBeforeRetry } from './pauseBeforeRetry.ts';
import { retryDelayMs, type RetryPolicy } from './retry.ts';

/** What becomes of a request that failed: it is sent again at once in a form just learnt, later by a policy, or not. */
export type NextTry = 'now' | { failure: SwitchboardError; policy: RetryPolicy | undefined };

export interface RetryOptions {
  /** Judges a failed try; throws what is to end the request. */
  judge(thrown: unknown): NextTry | Promise<NextTry>;
  signal: AbortSignal;
  clock?: Clock | undefined;
  /** In [0, 1): spreads the retries of many clients. */
  random?: (() => number) | undefined;
}

/** The one loop in which requests are sent until they succeed, are refused for good, or have been tried often enough. */
export async function* withRetries<Event, Result>(
  attempt: () => AsyncGenerator<Event, Result>,
  { judge, signal, clock, random = Math.random }: RetryOptions,
): AsyncGenerator<Event | RetryScheduled, Result> {
  for (let retries = 0; ;) {
    try {
      return yield* attempt();
    } catch (thrown) {
      const next = await judge(thrown);
      if (next === 'now') continue;
      const { failure, policy } = next;
      retries += 1;
      const delayMs = policy && retryDelayMs(retries, failure.retryAfterMs, policy, random());
      if (delayMs === undefined) throw failure;
      yield { type: 'retryScheduled', delayMs, why: reasonOf(failure) };
      await pauseBeforeRetry(delayMs, failure, signal, clock);
    }
  }
}

/** What a generator returns, for callers who need none of its events. */
export async function resultOf<Result>(events: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
  }
}

/** Why there is another try, in one sentence: the server's, or ours where it sent none. */
function reasonOf({ status, why, message }: SwitchboardError): string {
  return (status !== undefined && why) || splitFirstSentence(message).first;
}
