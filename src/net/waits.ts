const maxWaitMs = 366 * 24 * 60 * 60_000;

/** Milliseconds from `nowMs` (Unix time), by a header of OpenAI, the server or LiteLLM, else by the message's words. */
export function readWait(
  headers: Readonly<Record<string, string>>,
  message: string,
  nowMs: number,
): number | undefined {
  const waitMs =
    readNumber(headers['retry-after-ms']) ??
    readRetryAfter(headers['retry-after'], nowMs) ??
    readRetryAfter(headers['llm_provider-retry-after'], nowMs) ??
    readWaitInText(message);
  return waitMs === undefined ? undefined : Math.min(waitMs, maxWaitMs);
}

function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const seconds = readNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  // `Date.parse` accepts far too much; an HTTP date begins with a weekday.
  const date = value && /^[a-z]{3}/i.test(value.trim()) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function readNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s?\d{1,15}(\.\d{1,9})?\s?$/.test(value) ? Number(value) : undefined;
}

const announcement = /\b(?:try again|retry|please wait)(?: (?:in|after|for))? (?:about )?(?=\d)/gi;
/** `6m0s` has two parts. A letter after the unit makes it another word ("5 months"). */
const part =
  /(\d{1,9}(?:\.\d{1,9})?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])(?:,? and |, | )?/iy;
const chinese = /(\d{1,9}(?:\.\d{1,9})?) ?(毫秒|秒|分钟|小时|天)钟?(?:之?后)/;

/** Finds "try again in 7.66s", "retry after 6m0s", "Try again in 5 seconds", "请在 30 秒后重试". */
export function readWaitInText(text: string): number | undefined {
  for (const { index, 0: words } of text.matchAll(announcement)) {
    const waitMs = readDuration(text, index + words.length);
    if (waitMs !== undefined) return waitMs;
  }
  const [, count, unit] = chinese.exec(text) ?? [];
  return count && unit ? Number(count) * unitMs(unit) : undefined;
}

function readDuration(text: string, from: number): number | undefined {
  let total: number | undefined;
  part.lastIndex = from;
  for (let parts = 0; parts < 5; parts++) {
    const match = part.exec(text);
    if (!match) break;
    total = (total ?? 0) + Number(match[1]) * unitMs(match[2] ?? '');
  }
  return total;
}

function unitMs(unit: string): number {
  const word = unit.toLowerCase();
  if (word === 'ms' || word.startsWith('milli') || word === '毫秒') return 1;
  if (word.startsWith('s') || word === '秒') return 1000;
  if (word.startsWith('m') || word === '分钟') return 60_000;
  if (word.startsWith('h') || word === '小时') return 3_600_000;
  return 86_400_000;
}
