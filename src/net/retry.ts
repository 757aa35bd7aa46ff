/** When to try again; times in milliseconds. */
export interface RetryPolicy {
  /** Tries after the first one. */
  retries: number;
  /** The pause before the first retry; each next one doubles. */
  firstMs: number;
  maxMs: number;
  /** A server that asks for more than this is not waited for: the user decides. */
  maxAskedMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { retries: 3, firstMs: 500, maxMs: 8_000, maxAskedMs: 60_000 };

/** A limit of requests in a minute is over after a minute: all pauses together last about that long. */
export const rateLimitRetryPolicy: RetryPolicy = {
  retries: 4,
  firstMs: 5_000,
  maxMs: 40_000,
  maxAskedMs: 60_000,
};

/**
 * The pause before retry number `retry` (1, 2, …), or undefined when there should be none. The server's wish goes
 * before our own arithmetic. `random` in [0, 1) spreads clients that failed together over half of the pause.
 */
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
