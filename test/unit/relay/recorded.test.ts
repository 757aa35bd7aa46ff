import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import { toRecord } from '../../../src/base/errors/failureRecord.ts';
import { parseJson } from '../../../src/base/json.ts';
import { presentFailure } from '../../../src/panel/present/presentFailure.ts';
import { listModels } from '../../../src/relay/list/listModels.ts';
import { readModels } from '../../../src/relay/list/readModels.ts';
import { toRelayError } from '../../../src/relay/errors/relayErrors.ts';
import litellmErrors from '../../fixtures/recorded/litellm-chat-errors.txt';
import litellmProtocols from '../../fixtures/recorded/litellm-protocols.txt';
import modelLists from '../../fixtures/recorded/model-lists.txt';
import newApiErrors from '../../fixtures/recorded/newapi-chat-errors.txt';
import newApiKeys from '../../fixtures/recorded/newapi-keys.txt';
import newApiProtocols from '../../fixtures/recorded/newapi-protocols.txt';
import oneApiErrors from '../../fixtures/recorded/oneapi-chat-errors.txt';
import { askOffline, offlineOptions } from '../../support/askOffline.ts';
import { findRecorded, readRecorded, type RecordedReply } from '../../support/recorded.ts';
import { recordedVerdicts, type Verdict } from '../../support/recordedVerdicts.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';
import { recordedReply } from '../../support/replies.ts';

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
  assert.equal(presentFailure(toRecord(failure)).remedy.type, verdict.remedy);
}

describe('recorded replies to a chat request', () => {
  const tables: [string, string, Record<string, Verdict>][] = [
    ['new-api', newApiErrors, recordedVerdicts['new-api']],
    ['LiteLLM', litellmErrors, recordedVerdicts.litellm],
    ['One API', oneApiErrors, recordedVerdicts['one-api']],
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
      presentFailure(toRecord(failure)).details,
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
    // The second request asks for the reason.
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
  const limit = 'Rate limit reached for v-429: Limit 3, Used 3, Requested 1. Please try again in 2s.';
  const tooLong =
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9018 tokens. Please reduce the length of the messages.";
  const exceeded =
    'Your input exceeds the context window of this model. Please adjust your input and try again.';
  const noChannel = 'No available channel for model nosuch under group default (distributor)';
  const unknownTo = (route: string) =>
    `${route}: Invalid model name passed in model=nosuch. Call \`/v1/models\` to view available models for your key.`;
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
    [newApiProtocols, 'POST /v1/messages v-429 stream', 'rate-limit', limit],
    [newApiProtocols, 'POST /v1/messages v-context stream', 'context-too-long', tooLong],
    [newApiProtocols, 'POST /v1/messages nosuch stream', 'model', noChannel],
    [newApiProtocols, 'POST /v1/messages wrong key', 'key', 'Invalid token'],
    [newApiProtocols, 'POST /v1/responses v-429 stream', 'rate-limit', 'Rate limit reached'],
    [newApiProtocols, 'POST /v1/responses v-context stream', 'context-too-long', exceeded],
    [newApiProtocols, 'POST /v1/responses nosuch stream', 'model', noChannel],
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
    [litellmProtocols, 'POST /v1/messages 429 stream', 'rate-limit', 'Rate limit reached'],
    [litellmProtocols, 'POST /v1/messages context stream', 'context-too-long', exceeded],
    [litellmProtocols, 'POST /v1/messages nosuch stream', 'model', unknownTo('anthropic_messages')],
    [litellmProtocols, 'POST /v1/responses 429 stream', 'rate-limit', 'Rate limit reached'],
    [litellmProtocols, 'POST /v1/responses context stream', 'context-too-long', exceeded],
    [litellmProtocols, 'POST /v1/responses nosuch stream', 'model', unknownTo('/responses')],
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
  const modelsOf = (name: string) => readModels(parseJson(findRecorded(lists, name).body)) ?? [];
  const others = (name: string) =>
    modelsOf(name)
      .filter(({ kind }) => kind === 'other')
      .map(({ id }) => id);

  it('a fresh new-api, which knows no endpoint of any model, lists all of them', () => {
    const name = 'GET /v1/models: new-api, freshly set up: nobody has opened its price page';
    assert.equal(modelsOf(name).length, 44);
    assert.deepEqual(others(name), ['dall-e-3', 'text-embedding-3-small']);
  });

  it('a new-api whose price page was opened says of all that they are for chat', () => {
    const name = 'GET /v1/models: new-api, after its price page was opened once';
    const shown = modelsOf(name);
    assert.ok(shown.some(({ id }) => id === 'v-late') && shown.some(({ id }) => id === 'gpt-5'));
    assert.deepEqual(others(name), ['dall-e-3', 'text-embedding-3-small']);
    const byMessages = shown.filter(({ protocol }) => protocol === 'messages').map(({ id }) => id);
    assert.ok(byMessages.length > 0 && byMessages.every((id) => id.startsWith('claude-')));
  });

  it('LiteLLM says what is for responses alone and what is not for chat, where it knows the model', () => {
    const name = 'GET /v1/models: LiteLLM proxy, with modes';
    const byResponses = modelsOf(name).filter(({ protocol }) => protocol !== undefined);
    assert.deepEqual(
      byResponses.map(({ id, protocol, kind = 'chat' }) => [id, protocol, kind]),
      [
        ['listed-responses', 'responses', 'chat'],
        ['codex', 'responses', 'chat'],
      ],
    );
    const expected = ['embedding', 'image_generation', 'video_generation', 'rerank', 'audio_transcription'];
    const listed = [...expected, 'audio_speech', 'moderation'].map((mode) => `listed-${mode}`);
    assert.deepEqual(others(name), [...listed, 'vectors']);
  });

  it('LiteLLM says what is not for chat, and the windows it knows', () => {
    const name = 'GET /v1/models: LiteLLM proxy';
    assert.deepEqual(others(name), ['embed', 'painter']);
    const gpt = modelsOf(name).find(({ id }) => id === 'gpt-4.1');
    assert.deepEqual([gpt?.contextWindow, gpt?.maxTokens], [1_047_576, 32_768]);
  });

  it('one that was cut off is no wrong address', async () => {
    const list = recordedReply(findRecorded(lists, 'GET /v1/models: LiteLLM proxy'));
    const [whole = ''] = list.pieces ?? [];
    const http = replayNetwork({ ...list, pieces: [String(whole).slice(0, 1_000)] });
    await assert.rejects(listModels(offlineOptions(http), new AbortController().signal), {
      code: 'truncated',
      message: /^The server's answer was cut off/,
    });
  });

  it('One API says nothing of its models', () => {
    const name = 'GET /v1/models: One API';
    assert.ok(modelsOf(name).some(({ id }) => id === 'claude-v-plain'));
    assert.deepEqual(others(name), ['text-embedding-3-small', 'dall-e-3']);
  });
});
