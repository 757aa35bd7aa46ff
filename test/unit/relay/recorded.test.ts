import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors.ts';
import { toRecord } from '../../../src/base/failedEnd.ts';
import { parseJson } from '../../../src/base/json.ts';
import { toFailure } from '../../../src/panel/presentFailure.ts';
import { readModels } from '../../../src/relay/models.ts';
import { toRelayError } from '../../../src/relay/relayErrors.ts';
import type { Remedy } from '../../../src/shared/failure.ts';
import litellmErrors from '../../fixtures/recorded/litellm-chat-errors.txt';
import litellmProtocols from '../../fixtures/recorded/litellm-protocols.txt';
import modelLists from '../../fixtures/recorded/model-lists.txt';
import newApiErrors from '../../fixtures/recorded/newapi-chat-errors.txt';
import newApiKeys from '../../fixtures/recorded/newapi-keys.txt';
import newApiProtocols from '../../fixtures/recorded/newapi-protocols.txt';
import oneApiErrors from '../../fixtures/recorded/oneapi-chat-errors.txt';
import { askOffline } from '../../support/askOffline.ts';
import { findRecorded, readRecorded, type RecordedReply } from '../../support/recorded.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';

/** What a recorded reply comes to. `tries`: how many requests are sent when it comes every time. */
interface Verdict {
  code: ErrorCode | undefined;
  /** Whose matter it is: the user's account, the relay's account at the vendor, or nobody's account. */
  account: 'user' | 'vendor' | 'none';
  remedy?: Remedy;
  tries: number;
  waitMs?: number;
  /** The server's sentence, without what was put around it. */
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

/** What is the same at all three. */
const everywhere: Record<string, Verdict> = {
  500: none('transient', 'retry', 4, { why: 'The server had an error while processing your request.' }),
  503: none('transient', 'retry', 4, { why: 'The engine is currently overloaded, please try again later' }),
  // The relay's end of a stream that the vendor broke: what arrived was shown, so nothing is asked again.
  midfail: none('truncated', 'retry', 1),
  midcut: none('truncated', 'retry', 1),
  'midcut-done': none('truncated', 'retry', 1),
  context: none('context-too-long', 'newChat', 1, { why: tooLong }),
  badkey: vendor('vendor-key', { why: 'Incorrect API key provided: sk-***' }),
  empty: none('empty-reply', 'retry', 1),
  // Learnt from, then refused in the same words once more.
  nostreamopt: none('request', 'showLog', 2, { why: "Unknown parameter: 'stream_options'." }),
  maxtok: none('request', 'showLog', 2),
  notools: none('request', 'showLog', 1, { why: 'v-notools does not support tools' }),
  noimages: none('images', 'selectModel', 1, { why: 'No endpoints found that support image input' }),
  nosuch: none('model', 'selectModel', 1),
  down: none('transient', 'retry', 4),
  // Of these only the beginning was written down, which is as good as cut off.
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
  // Its end was written down up to the finish reason.
  'midcut-done': answered,
  down: none('transient', 'retry', 4, { why: 'Connection error.' }),
};

const oneApi: Record<string, Verdict> = {
  ...everywhere,
  // It says neither how long to wait nor whose limit it is.
  429: none('rate-limit', 'retry', 5, { why: busy }),
  '429-long': none('rate-limit', 'retry', 5, { why: busy }),
  nomoney: vendor('vendor-balance', { why: busy }),
  html502: none('transient', 'retry', 4),
};

const accountWords = {
  user: /Your balance|The relay rejected the key|key's quota|accept this key from your network/,
  vendor: /Your key and balance are fine/,
};

function toReply({ status = 200, headers, body }: RecordedReply): Reply {
  return { status, headers, type: headers['content-type'] ?? 'application/json', pieces: [body] };
}

function assertVerdict(outcome: Awaited<ReturnType<typeof askOffline>>, verdict: Verdict): void {
  const { failure } = outcome;
  assert.equal(failure?.code, verdict.code);
  if (!failure) return;
  for (const [account, words] of Object.entries(accountWords)) {
    assert.equal(words.test(failure.message), account === verdict.account, `${account}: ${failure.message}`);
  }
  assert.equal(failure.retryAfterMs, verdict.waitMs);
  if (verdict.why !== undefined) assert.equal(failure.why, verdict.why);
  assert.doesNotMatch(failure.why ?? '', /litellm|request id|Exception - |No fallback/);
  assert.equal(toFailure(toRecord(failure)).remedy.type, verdict.remedy);
}

describe('recorded replies to a chat request', () => {
  const tables: [string, string, Record<string, Verdict>][] = [
    ['new-api', newApiErrors, newApi],
    ['LiteLLM', litellmErrors, litellm],
    ['One API', oneApiErrors, oneApi],
  ];
  for (const [product, text, verdicts] of tables) {
    describe(product, () => {
      const replies = readRecorded(text).filter(({ title }) => title.startsWith('chat '));
      const names = replies.map(({ title }) => /^chat (\S+)/.exec(title)?.[1] ?? title);
      it('are all in the table', () => assert.deepEqual(names.toSorted(), Object.keys(verdicts).toSorted()));
      for (const [index, reply] of replies.entries()) {
        const verdict = verdicts[names[index] ?? ''];
        if (!verdict) continue;
        it(`${names[index]}: ${verdict.code ?? 'answered'}, asked ${verdict.tries} times`, async () => {
          const http = replayNetwork(toReply(reply));
          assertVerdict(await askOffline(http, { maxTokens: 5 }), verdict);
          assert.equal(http.sent.length, verdict.tries);
        });
      }
    });
  }

  it("keep what an operator needs: the request's id, the server's code, and all it said", async () => {
    const badKey = findRecorded(readRecorded(litellmErrors), 'chat badkey (stream)');
    const { failure } = await askOffline(replayNetwork(toReply(badKey)));
    assert.ok(failure);
    assert.equal(
      toFailure(toRecord(failure)).details,
      [
        'Status: 401',
        'Code: authentication_error',
        'Request ID: 94cd0955-6146-4927-b062-2fc073ba2ac6',
        "Server response: litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key provided: sk-*** LiteLLM: model group 'badkey' failed with the error above. No fallback was attempted.",
      ].join('\n'),
    );
  });
});

describe('recorded replies to every state of a new-api key', () => {
  const calls = readRecorded(newApiKeys);
  const chat = 'POST /v1/chat/completions';
  const rows: [state: string, code: ErrorCode | undefined, says: RegExp, asks: number][] = [
    ['GOOD', undefined, /^$/, 1],
    ['LIMITED', undefined, /^$/, 1],
    // The second request is the one that tells why.
    ['EXHAUSTED', 'balance', /^The key's quota is used up\./, 2],
    ['EXPIRED', 'key', /^The key expired on .*2026/, 2],
    ['DISABLED', 'key', /^The key is disabled\./, 2],
    ['NEARLY', 'balance', /^Your balance doesn't cover this request\./, 1],
    ['RESTRICTED', 'model', /^Model not available for this key\./, 1],
    ['OTHERIP', 'network-not-allowed', /^The relay doesn't accept this key from your network\./, 1],
    ['BROKEUSER', 'balance', /^Your balance doesn't cover this request\./, 1],
  ];
  for (const [state, code, says, asks] of rows) {
    it(`${state}: ${code ?? 'answered'}`, async () => {
      const reply = (call: string) => toReply(findRecorded(calls, `${state} ${call}`));
      const http = replayNetwork(
        { ...reply(chat), type: 'application/json' },
        reply('GET /api/usage/token/'),
      );
      const { failure } = await askOffline(http, { stream: false });
      assert.equal(failure?.code, code);
      assert.match(failure?.message ?? '', says);
      assert.equal(http.sent.length, asks);
    });
  }
});

describe('recorded replies of the other protocols, in which vendors speak through a relay', () => {
  const rows: [text: string, name: string, code: ErrorCode, why: string][] = [
    [
      newApiProtocols,
      'POST /v1/messages claude-v-429 stream',
      'rate-limit',
      'This request would exceed your organization’s rate limit of 40,000 input tokens per minute.',
    ],
    [newApiProtocols, 'POST /v1/messages claude-v-529 stream', 'transient', 'Overloaded'],
    [
      newApiProtocols,
      'POST /v1/messages claude-v-context stream',
      'context-too-long',
      'prompt is too long: 210000 tokens > 200000 maximum',
    ],
    [newApiProtocols, 'POST /v1/responses claude-v-plain whole', 'request', 'not implemented'],
    [newApiProtocols, 'count_tokens', 'wrong-address', 'Invalid URL (POST /v1/messages/count_tokens)'],
    [
      litellmProtocols,
      'POST /v1/messages claude-429 stream',
      'rate-limit',
      'This request would exceed your organization’s rate limit of 40,000 input tokens per minute.',
    ],
    [litellmProtocols, 'POST /v1/messages claude-529 stream', 'transient', 'Overloaded'],
    [
      litellmProtocols,
      'POST /v1/messages claude-context stream',
      'context-too-long',
      'prompt is too long: 210000 tokens > 200000 maximum',
    ],
    [litellmProtocols, 'POST /v1/responses 429 stream', 'rate-limit', 'Rate limit reached'],
  ];
  for (const [text, name, code, why] of rows) {
    it(`${name}: ${code}`, () => {
      const { status = 0, headers, body } = findRecorded(readRecorded(text), name);
      const refusal = { status, headers, body, contentType: 'application/json', stage: 'answer' } as const;
      const error = toRelayError({ ...refusal, address: 'https://relay.example', key: 'sk-key', nowMs: 0 });
      assert.deepEqual([error.code, error.why], [code, why]);
    });
  }

  it('a wrong key at LiteLLM: the key', () => {
    const {
      status = 0,
      headers,
      body,
    } = findRecorded(readRecorded(litellmProtocols), 'POST /v1/messages wrong key');
    const refusal = { status, headers, body, contentType: 'application/json', stage: 'answer' } as const;
    const error = toRelayError({ ...refusal, address: 'https://relay.example', key: 'sk-key', nowMs: 0 });
    assert.deepEqual([error.code, error.serverCode], ['key', 'token_not_found_in_db']);
  });
});

describe('recorded model lists', () => {
  const lists = readRecorded(modelLists);
  const ids = (name: string) =>
    (readModels(parseJson(findRecorded(lists, name).body)) ?? []).map(({ id }) => id);

  it('a fresh new-api, which knows no endpoint of any model, shows all of them', () => {
    const shown = ids('GET /v1/models: new-api, freshly set up: nobody has opened its price page');
    assert.equal(shown.length, 44);
    assert.ok(shown.includes('gpt-4.1') && shown.includes('claude-v-plain'));
  });

  it('a new-api whose price page was opened shows what serves chat, and what was added since', () => {
    const shown = ids('GET /v1/models: new-api, after its price page was opened once');
    assert.ok(shown.includes('v-late') && shown.includes('claude-v-plain') && shown.includes('gpt-5'));
    // Measured: it says of these that they serve chat as well.
    assert.ok(shown.includes('dall-e-3') && shown.includes('text-embedding-3-small'));
  });

  it('LiteLLM shows what is for chat or does not say, with the windows it knows', () => {
    const models = readModels(parseJson(findRecorded(lists, 'GET /v1/models: LiteLLM proxy').body));
    const shown = models?.map(({ id }) => id) ?? [];
    assert.ok(shown.includes('plain') && shown.includes('gpt-4.1') && shown.includes('claude-429'));
    assert.ok(!shown.includes('embed') && !shown.includes('painter'));
    const gpt = models?.find(({ id }) => id === 'gpt-4.1');
    assert.deepEqual([gpt?.contextWindow, gpt?.maxTokens], [1_047_576, 32_768]);
  });

  it('One API shows all it lists', () => {
    const shown = ids('GET /v1/models: One API');
    assert.ok(shown.includes('claude-v-plain') && shown.includes('v-plain'));
  });
});
