/** When to try again; times in milliseconds. */
export interface RetryPolicy {
  /** Tries after the first one. */
  retries: number;
  /** The pause before the first retry; each next one doubles. */
  firstMs: number;
  maxMs: number;
  /** A server that asks for more than this is not waited for: the person decides. */
  maxAskedMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { retries: 3, firstMs: 500, maxMs: 8_000, maxAskedMs: 60_000 };

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

/**
 * What the server asks us to wait, in milliseconds from `nowMs` (Unix time): `Retry-After` in seconds or as a
 * date, or OpenAI's `retry-after-ms`. Undefined when absent or not readable.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const milliseconds = readNumber(headers['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const value = headers['retry-after'];
  const seconds = readNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  // `Date.parse` takes far too much; an HTTP date begins with the day's name.
  const date = value && /^[a-z]{3}/i.test(value.trim()) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function readNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
