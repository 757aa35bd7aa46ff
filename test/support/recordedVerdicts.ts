// Verdicts on recorded replies to chat requests, for the client alone and through a socket.
import type { ErrorCode } from '../../src/base/errors/errors.ts';
import type { Remedy } from '../../src/shared/failure.ts';

/** `tries`: number of requests if every one gets this reply. */
export interface Verdict {
  code: ErrorCode | undefined;
  /** Account at fault: the user's, the relay's at the vendor, or none. */
  account: 'user' | 'vendor' | 'none';
  remedy?: Remedy;
  tries: number;
  waitMs?: number;
  /** The server's own sentence. */
  why?: string;
}

const limit = (model: string, wait: string) =>
  `Rate limit reached for ${model}: Limit 3, Used 3, Requested 1. Please try again in ${wait}.`;
const quota = 'You exceeded your current quota, please check your plan and billing details.';
const busy = '当前分组上游负载已饱和，请稍后再试';
const tooLong =
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9055 tokens. Please reduce the length of the messages.";

const none = (
  code: ErrorCode | undefined,
  remedy: Remedy,
  tries: number,
  more: Partial<Verdict> = {},
): Verdict => ({
  ...{ code, account: 'none', remedy, tries },
  ...more,
});
const vendor = (code: ErrorCode, more: Partial<Verdict> = {}): Verdict => ({
  ...{ code, account: 'vendor', remedy: 'selectModel', tries: 1 },
  ...more,
});
const answered: Verdict = { code: undefined, account: 'none', tries: 1 };

/** Verdicts that all three share. */
const everywhere: Record<string, Verdict> = {
  500: none('transient', 'retry', 4, { why: 'The server had an error while processing your request.' }),
  503: none('transient', 'retry', 4, { why: 'The engine is currently overloaded, please try again later' }),
  // The relay ends a stream broken by the vendor: the text was shown, so there is no retry.
  midfail: none('truncated', 'retry', 1),
  midcut: none('truncated', 'retry', 1),
  'midcut-done': none('truncated', 'retry', 1),
  context: none('context-too-long', 'newChat', 1, { why: tooLong }),
  badkey: vendor('vendor-key', { why: 'Incorrect API key provided: sk-***' }),
  empty: none('empty-reply', 'retry', 1),
  // Teaches the client, which is then refused in the same words.
  nostreamopt: none('request', 'showLog', 2, { why: "Unknown parameter: 'stream_options'." }),
  maxtok: none('request', 'showLog', 2),
  notools: none('request', 'showLog', 1, { why: 'v-notools does not support tools' }),
  noimages: none('images', 'selectModel', 1, { why: 'No endpoints found that support image input' }),
  nosuch: none('model', 'selectModel', 1),
  down: none('transient', 'retry', 4),
  // The recordings stop after the beginning, which looks like a cut.
  filter: none('truncated', 'retry', 1),
  length: none('truncated', 'retry', 1),
};

const newApi: Record<string, Verdict> = {
  ...everywhere,
  429: none('rate-limit', 'retry', 5, { waitMs: 2000, why: limit('v-429', '2s') }),
  '429-long': none('rate-limit', 'retry', 1, { waitMs: 600_000, why: limit('v-429-long', '600s') }),
  nomoney: vendor('vendor-balance', { why: quota }),
  html502: none('transient', 'retry', 4),
  midfail: none('truncated', 'retry', 1, {
    why: 'The server had an error while processing your request. Sorry about that!',
  }),
};

const litellm: Record<string, Verdict> = {
  ...everywhere,
  429: none('rate-limit', 'retry', 5, { waitMs: 2000, why: limit('v-429', '2s') }),
  '429-long': none('rate-limit', 'retry', 1, { waitMs: 600_000, why: limit('v-429-long', '600s') }),
  nomoney: vendor('vendor-balance', { why: quota }),
  html502: none('transient', 'retry', 4, { why: '502 Bad Gateway' }),
  midfail: none('truncated', 'retry', 1, {
    why: 'The server had an error while processing your request. Sorry about that!',
  }),
  // Recorded up to the finish reason.
  'midcut-done': answered,
  down: none('transient', 'retry', 4, { why: 'Connection error.' }),
};

const oneApi: Record<string, Verdict> = {
  ...everywhere,
  // The reply names neither a wait nor the owner of the limit.
  429: none('rate-limit', 'retry', 5, { why: busy }),
  '429-long': none('rate-limit', 'retry', 5, { why: busy }),
  nomoney: vendor('vendor-balance', { why: busy }),
  html502: none('transient', 'retry', 4),
};

/** By product, as named in test/servers/faults/recorded.ts, then by case. */
export const recordedVerdicts = { 'new-api': newApi, 'one-api': oneApi, litellm };
