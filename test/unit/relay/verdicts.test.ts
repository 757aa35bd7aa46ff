// Refusals measured at relays, or documented by vendors: cause, account and the one remedy.
import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import { toRecord } from '../../../src/base/errors/failureRecord.ts';
import { presentFailure } from '../../../src/panel/present/presentFailure.ts';
import type { Remedy } from '../../../src/shared/failure.ts';
import { askOffline } from '../../support/askOffline.ts';
import { servedProfiles } from '../../support/servedProfiles.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';

interface Row {
  name: string;
  status: number;
  error: Record<string, unknown>;
  headers?: Record<string, string>;
  protocol?: 'messages';
  code: ErrorCode;
  message: RegExp;
  remedy: Remedy;
  why: string;
}

const newApi = { 'x-oneapi-request-id': '20261123abc', 'x-new-api-version': 'v1' };
const litellm = { 'x-litellm-call-id': '94cd0955' };
const vendorsAccount = /Your key and balance are fine\. Choose another model/;

const group = "LiteLLM: model group 'g' failed with the error above and no fallback model group was found.";
/** A Gemini deployment's error in LiteLLM 1.106.2's form. */
const inBytes = (code: number, message: string, status: string) => {
  const json = JSON.stringify({ error: { code, message, status } }, undefined, 2);
  const bytes = [...Buffer.from(json)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === '\n') return '\\n';
    if (character === "'") return "\\'";
    return byte > 126 ? `\\x${byte.toString(16)}` : character;
  });
  return { message: `b'${bytes.join('')}'\n\n${group}`, type: null, param: null, code: String(code) };
};

const rows: Row[] = [
  {
    name: "the relay's region",
    status: 403,
    headers: newApi,
    error: {
      message: 'Country, region, or territory not supported',
      type: 'request_forbidden',
      code: 'unsupported_country_region_territory',
    },
    code: 'vendor-not-permitted',
    message: /^The upstream provider doesn't serve the relay's region\..*Choose another model/,
    remedy: 'selectModel',
    why: 'Country, region, or territory not supported',
  },
  {
    name: "the relay's region, Google",
    status: 400,
    headers: newApi,
    error: { message: 'User location is not supported for the API use.', type: 'upstream_error', code: 400 },
    code: 'vendor-not-permitted',
    message: /^The upstream provider doesn't serve the relay's region\./,
    remedy: 'selectModel',
    why: 'User location is not supported for the API use.',
  },
  {
    name: "the relay's region, by the messages protocol",
    status: 403,
    headers: newApi,
    protocol: 'messages',
    error: { type: 'unsupported_country_region_territory', message: 'No. (request id: 20261123abc)' },
    code: 'vendor-not-permitted',
    message: /^The upstream provider doesn't serve the relay's region\./,
    remedy: 'selectModel',
    why: 'No.',
  },
  {
    name: 'a region, where nothing tells the relay from its vendor',
    status: 403,
    protocol: 'messages',
    error: { type: 'unsupported_country_region_territory', message: 'No.' },
    code: 'vendor-not-permitted',
    message: /^The upstream provider doesn't serve the relay's region\./,
    remedy: 'selectModel',
    why: 'No.',
  },
  {
    name: "Google's filter, by the messages protocol",
    status: 400,
    headers: newApi,
    protocol: 'messages',
    error: { type: 'prompt_blocked', message: 'request blocked' },
    code: 'content-filter',
    message: /^A content filter blocked the request\./,
    remedy: 'editMessage',
    why: 'request blocked',
  },
  {
    name: "what the relay's account may not do",
    status: 403,
    headers: newApi,
    error: { message: 'Your organization must be verified to use this model.', type: 'permission_error' },
    code: 'vendor-not-permitted',
    message: vendorsAccount,
    remedy: 'selectModel',
    why: 'Your organization must be verified to use this model.',
  },
  {
    name: "more than the account's minute",
    status: 429,
    headers: newApi,
    error: {
      message:
        'Request too large for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Requested 65536.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    },
    code: 'too-large',
    message:
      /waiting doesn't help\. Compact the conversation, shorten your message, or choose another model\.$/,
    remedy: 'compact',
    why: 'Request too large for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Requested 65536.',
  },
  {
    name: "more than the account's minute, told by the figures",
    status: 429,
    error: {
      message: 'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 12, Requested 30001.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    },
    code: 'too-large',
    message: /waiting doesn't help/,
    remedy: 'compact',
    why: 'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 12, Requested 30001.',
  },
  {
    name: "a channel's key at Google",
    status: 400,
    headers: newApi,
    error: {
      message: 'API key not valid. Please pass a valid API key.',
      type: 'upstream_error',
      code: 400,
    },
    code: 'vendor-key',
    message: vendorsAccount,
    remedy: 'selectModel',
    why: 'API key not valid. Please pass a valid API key.',
  },
  {
    name: "the user's key at Google",
    status: 400,
    error: { code: 400, message: 'API key not valid. Please pass a valid API key.' },
    code: 'key',
    message: /^The relay rejected the key\./,
    remedy: 'connectRelay',
    why: 'API key not valid. Please pass a valid API key.',
  },
  {
    name: "new-api's word filter, by the messages protocol",
    status: 500,
    headers: newApi,
    protocol: 'messages',
    error: { type: 'new_api_error', message: 'sensitive_words_detected (request id: 20261123abc)' },
    code: 'content-filter',
    message: /^The relay's word filter blocked the request\. Edit your message\.$/,
    remedy: 'editMessage',
    why: 'sensitive_words_detected',
  },
  {
    name: "Google's filter, as new-api says it",
    status: 400,
    headers: newApi,
    error: {
      message: 'request blocked by Gemini API: SAFETY',
      type: 'new_api_error',
      code: 'prompt_blocked',
    },
    code: 'content-filter',
    message: /^A content filter blocked the request\./,
    remedy: 'editMessage',
    why: 'request blocked by Gemini API: SAFETY',
  },
  {
    name: "LiteLLM's guardrail, with its name and reason",
    status: 400,
    headers: litellm,
    error: {
      message: 'Violated guardrail policy',
      type: 'None',
      param: 'None',
      code: '400',
      provider_specific_fields: {
        error: 'Violated guardrail policy',
        guardrail_name: 'no-secrets',
        reason: 'Credentials are not allowed',
      },
    },
    code: 'content-filter',
    message: /^The guardrail "no-secrets" blocked the request\. Edit your message\.$/,
    remedy: 'editMessage',
    why: 'Violated guardrail policy: Credentials are not allowed',
  },
  {
    name: "LiteLLM's guardrail, in words of its own",
    status: 403,
    headers: litellm,
    error: { message: 'Not here', code: '403', provider_specific_fields: { guardrail: 'topics' } },
    code: 'content-filter',
    message: /^The guardrail "topics" blocked the request\./,
    remedy: 'editMessage',
    why: 'Not here',
  },
  {
    name: "LiteLLM's guardrail as a Python object, by the messages protocol",
    status: 400,
    headers: litellm,
    protocol: 'messages',
    error: {
      type: 'invalid_request_error',
      message: `400: {'error': "Content blocked: keyword 'kumquat' detected", 'guardrail': 'keyword-block'}`,
    },
    code: 'content-filter',
    message: /^The guardrail "keyword-block" blocked the request\./,
    remedy: 'editMessage',
    why: "Content blocked: keyword 'kumquat' detected",
  },
  {
    name: "LiteLLM's Gemini, key refused",
    status: 401,
    headers: litellm,
    error: inBytes(401, 'Request had invalid credentials: it’s not a key.', 'UNAUTHENTICATED'),
    code: 'vendor-key',
    message: vendorsAccount,
    remedy: 'selectModel',
    why: 'Request had invalid credentials: it’s not a key.',
  },
  {
    name: "LiteLLM's Gemini, nothing left",
    status: 429,
    headers: litellm,
    error: inBytes(429, 'You exceeded your current quota, please check your plan.', 'RESOURCE_EXHAUSTED'),
    code: 'vendor-balance',
    message: vendorsAccount,
    remedy: 'selectModel',
    why: 'You exceeded your current quota, please check your plan.',
  },
  {
    name: "LiteLLM's Gemini, not permitted",
    status: 403,
    headers: litellm,
    error: inBytes(403, "Permission denied: Consumer 'api_key:x' has been suspended.", 'PERMISSION_DENIED'),
    code: 'vendor-not-permitted',
    message: vendorsAccount,
    remedy: 'selectModel',
    why: "Permission denied: Consumer 'api_key:x' has been suspended.",
  },
  {
    name: "LiteLLM's expired key",
    status: 401,
    headers: litellm,
    error: {
      message: 'Authentication Error, Expired Key. Key Expiry time 2026-01-01',
      type: 'expired_key',
      code: '401',
    },
    code: 'key',
    message: /^The key has expired\. Create a new one/,
    remedy: 'connectRelay',
    why: 'Authentication Error, Expired Key. Key Expiry time 2026-01-01',
  },
  {
    name: "One API's expired key",
    status: 401,
    headers: { 'x-oneapi-request-id': '2026' },
    error: { message: '该令牌已过期 (request id: 2026)', type: 'one_api_error' },
    code: 'key',
    message: /^The key has expired\./,
    remedy: 'connectRelay',
    why: '该令牌已过期',
  },
  {
    name: "One API's disabled key",
    status: 401,
    headers: { 'x-oneapi-request-id': '2026' },
    error: { message: '该令牌状态不可用 (request id: 2026)', type: 'one_api_error' },
    code: 'key',
    message: /^The key is disabled\./,
    remedy: 'connectRelay',
    why: '该令牌状态不可用',
  },
  {
    name: "One API's key that is used up",
    status: 401,
    headers: { 'x-oneapi-request-id': '2026' },
    error: { message: '该令牌额度已用尽 (request id: 2026)', type: 'one_api_error' },
    code: 'balance',
    message: /^The key's quota is used up\./,
    remedy: 'openRelay',
    why: '该令牌额度已用尽',
  },
];

describe('what a refusal comes to', () => {
  for (const { name, status, error, headers = {}, protocol, ...expected } of rows) {
    it(`${name}: ${expected.code}, asked once`, async () => {
      const body = protocol ? { type: 'error', error } : { error };
      const reply: Reply = { status, headers, type: 'application/json', pieces: [JSON.stringify(body)] };
      const http = replayNetwork(reply);
      const { failure } = await askOffline(http, {}, undefined, {
        profiles: servedProfiles(protocol ? { protocol } : {}),
      });
      assert.ok(failure);
      assert.equal(failure.code, expected.code);
      assert.match(failure.message, expected.message);
      assert.equal(failure.why, expected.why);
      assert.equal(presentFailure(toRecord(failure)).remedy.type, expected.remedy);
      assert.equal(http.sent.length, 1);
    });
  }

  it('holds no key, also where a guardrail repeats it', async () => {
    const key = 'sk-averysecretkey';
    const fields = { guardrail_name: `keys ${key}`, reason: `It has Bearer ${key}` };
    const error = { message: 'Violated guardrail policy', code: '400', provider_specific_fields: fields };
    const pieces = [JSON.stringify({ error })];
    const http = replayNetwork({ status: 400, type: 'application/json', pieces });
    const connection = { baseUrl: 'https://relay.example', key, headers: {} };
    const { failure } = await askOffline(http, {}, undefined, { connection });
    assert.match(failure?.message ?? '', /^The guardrail "keys \*\*\*"/);
    assert.doesNotMatch(JSON.stringify([failure, failure?.message, failure?.why]), /averysecret/);
  });

  it('a plain limit by the minute is waited for', async () => {
    const message =
      'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.';
    const error = { message, type: 'tokens', code: 'rate_limit_exceeded' };
    const pieces = [JSON.stringify({ error })];
    const { failure } = await askOffline(replayNetwork({ status: 429, type: 'application/json', pieces }));
    assert.equal(failure?.code, 'rate-limit');
  });
});

describe('a stream without a word of answer', () => {
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...fields })}\n\n`;
  const start = chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });
  const usage = (completion: number) =>
    chunk({
      choices: [],
      usage: { prompt_tokens: 13, completion_tokens: completion, total_tokens: 13 + completion },
    });
  const done = 'data: [DONE]\n\n';
  const word = chunk({ choices: [{ index: 0, delta: { content: 'Well' } }] });
  const outcomes: [string, string[], ErrorCode][] = [
    ['usage of a prompt alone: it was blocked', [usage(0), done], 'content-filter'],
    ['the same after an empty beginning', [start, usage(0), done], 'content-filter'],
    ['usage of an answer that never came', [start, usage(5), done], 'truncated'],
    ['no usage', [start, done], 'truncated'],
    ['no end', [start, usage(0)], 'truncated'],
    ['a word before it', [start, word, usage(0), done], 'truncated'],
  ];
  for (const [name, pieces, code] of outcomes) {
    it(`${name}: ${code}`, async () => {
      const { failure, http } = await askStream(pieces);
      assert.equal(failure?.code, code);
      assert.equal(http.sent.length, 1);
    });
  }

  it('says what probably happened', async () => {
    const { failure } = await askStream([usage(0), done]);
    assert.match(
      failure?.message ?? '',
      /^The answer ended before it began, probably because a content filter/,
    );
  });

  async function askStream(pieces: string[]) {
    const http = replayNetwork({ status: 200, headers: newApi, type: 'text/event-stream', pieces });
    return { ...(await askOffline(http)), http };
  }
});
