import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { createHttpClient, type HttpClient } from '../../../src/net/httpClient.ts';
import { toEntryEnd } from '../../../src/panel/present/present.ts';
import { createStreamModel } from '../../../src/relay/streamModel.ts';
import { recordedModels } from '../../servers/faults/recorded.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { silentLog } from '../../support/silentLog.ts';

describe('chat: an answer that fails, against the sandbox', () => {
  let server: RelayServer;
  let http: HttpClient;
  let chat: ChatController;

  before(async () => {
    server = await startRelay({ models: recordedModels });
    http = createHttpClient({ settings: () => ({ noProxy: [], strictTls: true }), log: silentLog });
  });
  beforeEach(() => {
    const streamModel = createStreamModel({
      http,
      connection: { baseUrl: server.url, key: server.key, headers: {} },
      timeouts: { connectMs: 20_000, firstTokenMs: 20_000, idleMs: 20_000 },
      log: silentLog,
    });
    chat = new ChatController(chatDependencies({ streamModel }));
  });
  afterEach(() => chat.dispose());
  after(async () => {
    http.dispose();
    await server.stop();
  });

  for (const { model, says, helps } of [
    { model: 'fault/cut-mid-answer', says: /cut off|broke off|ended before/i, helps: 'retry' },
    { model: 'fault/error-inside-200', says: /./, helps: 'retry' },
    { model: 'fault/empty-reply', says: /without an answer/, helps: 'retry' },
    { model: 'fault/html-page', says: /address/i, helps: 'connectRelay' },
    { model: 'fault/balance-403', says: /balance|credit|quota/i, helps: 'openRelay' },
    {
      model: 'fault/vendor-region',
      says: /doesn't serve the relay's region[^]*Choose another model/,
      helps: 'selectModel',
    },
    {
      model: 'fault/429-tokens-per-minute',
      says: /waiting doesn't help[^]*Requested 65536/,
      helps: 'compact',
    },
    {
      model: 'fault/litellm-guardrail',
      says: /guardrail "keyword-block"[^]*Tomatoes are confidential/,
      helps: 'editMessage',
    },
    { model: 'fault/prompt-blocked', says: /content filter[^]*Edit your message/, helps: 'editMessage' },
    {
      model: 'fault/litellm-gemini-401',
      says: /relay's credentials[^]*invalid authentication credentials\./,
      helps: 'selectModel',
    },
    {
      model: 'recorded/litellm/nomoney',
      says: /has no credit left[^]*Your key and balance are fine[^]*You exceeded your current quota/,
      helps: 'selectModel',
    },
    {
      model: 'recorded/new-api/429-long',
      says: /Try again in 10 min[^]*Please try again in 600s/,
      helps: 'retry',
    },
  ]) {
    it(`says what happened with ${model}, and what helps`, async () => {
      chat.shown.choices.selectModel(model);
      await chat.shown.submit('Hello');
      const answer = chat.shown.conversation.all.at(-1);
      assert.ok(answer?.type === 'answer' && answer.end);
      const { failure } = toEntryEnd(answer, answer.end, {
        sources: { found: [], earlier: { ranges: [], find: () => undefined } },
        requests: undefined,
      });
      assert.match([failure?.message, failure?.advice, failure?.why].join('\n'), says);
      assert.equal(failure?.remedy.type, helps);
    });
  }
});
