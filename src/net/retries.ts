import {
  splitFirstSentence,
  type RetryScheduled,
  cancelled,
  type SwitchboardError,
} from '../base/errors/errors.ts';
import { delay } from '../base/async/promises.ts';
import { type Clock, systemClock } from '../base/clock.ts';

export interface RetryPolicy {
  retries: number;
  /** The pause before the first retry; it doubles with each further one. */
  firstMs: number;
  maxMs: number;
  /** If a server asks for more, the request fails and the user decides. */
  maxAskedMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { retries: 3, firstMs: 500, maxMs: 8_000, maxAskedMs: 60_000 };

/** Rate limits are per minute: all pauses together last about that long. */
export const rateLimitRetryPolicy: RetryPolicy = {
  retries: 4,
  firstMs: 5_000,
  maxMs: 40_000,
  maxAskedMs: 60_000,
};

/** Retries count from 1. A server's wait takes precedence. `random` in [0, 1) spreads clients over half the pause. */
export function retryDelayMs(
  retry: number,
  askedMs: number | undefined,
  policy: RetryPolicy,
  random: number,
): number | undefined {
  if (retry > policy.retries) return undefined;
  if (askedMs !== undefined) return askedMs <= policy.maxAskedMs ? askedMs : undefined;
  const full = Math.min(policy.firstMs * 2 ** (retry - 1), policy.maxMs);
  return Math.round(full / 2 + (full / 2) * random);
}

/** The next attempt after a failure: at once in a form just learnt, later by a policy, or none. */
export type NextTry = 'now' | { failure: SwitchboardError; policy: RetryPolicy | undefined };

export interface RetryOptions {
  judge(thrown: unknown): NextTry | Promise<NextTry>;
  signal: AbortSignal;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
}

export interface ScheduledRetry {
  event: RetryScheduled;
  /** Throws `cancelled`, caused by the failure, if the user stops meanwhile. */
  wait(): Promise<void>;
}

export class Retries {
  private retries = 0;

  constructor(private readonly options: RetryOptions) {}

  /** The retry after a failed attempt, or undefined to retry at once. Throws if there is none. */
  async after(thrown: unknown): Promise<ScheduledRetry | undefined> {
    const { judge, signal, clock = systemClock, random = Math.random } = this.options;
    const next = await judge(thrown);
    if (next === 'now') return undefined;
    const { failure, policy } = next;
    this.retries += 1;
    const delayMs = policy && retryDelayMs(this.retries, failure.retryAfterMs, policy, random());
    if (delayMs === undefined) throw failure;
    return {
      event: { type: 'retryScheduled', delayMs, why: reasonOf(failure) },
      wait: () =>
        delay(delayMs, signal, clock).catch(() => {
          throw cancelled({ cause: failure });
        }),
    };
  }
}

function reasonOf({ status, why, message }: SwitchboardError): string {
  return (status !== undefined && why) || splitFirstSentence(message).first;
}
