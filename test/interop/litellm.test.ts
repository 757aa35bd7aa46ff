import assert from 'node:assert/strict';
import type { SwitchboardError } from '../../src/base/errors/errors.ts';
import { toFailure, toRecord } from '../../src/base/errors/failureRecord.ts';
import { ChatController } from '../../src/chat/chatController.ts';
import { createHttpClient, type HttpClient } from '../../src/net/httpClient.ts';
import { presentFailure } from '../../src/panel/present/presentFailure.ts';
import type { ModelRequest } from '../../src/relay/messages.ts';
import { costOf } from '../../src/relay/prices/price.ts';
import { createRelayClient, type RelayClient } from '../../src/relay/relayClient.ts';
import { type RelayServer, startRelay } from '../servers/sandbox.ts';
import { silentLog } from '../support/silentLog.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { type LitellmProxy, startLitellm } from './litellmProxy.ts';

describe('a LiteLLM proxy before a vendor', () => {
  /** The sandbox as OpenAI, strict and failing like vendors; slow, so that words arrive before a failure. */
  let vendor: RelayServer;
  let proxy: LitellmProxy;
  let http: HttpClient;

  before(async () => {
    vendor = await startRelay({ dialect: 'openai', chunkDelayMs: 5, pauseMs: 20 });
    proxy = await startLitellm(vendor, [
      { name: 'plain', vendorModel: 'scripted-echo' },
      {
        name: 'tools',
        vendorModel: 'scripted-tools',
        info: { max_input_tokens: 32_000, max_output_tokens: 4096 },
      },
      {
        name: 'priced',
        vendorModel: 'scripted-echo',
        info: { input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 },
      },
      { name: 'small', vendorModel: 'scripted-small-window' },
      { name: 'long', vendorModel: 'fault/slow-drip' },
      { name: 'badkey', vendorModel: 'scripted-echo', vendorKey: vendor.keys.unknown },
      { name: 'nomoney', vendorModel: 'fault/openai-quota-429' },
      { name: 'limited', vendorModel: 'fault/429-retry-after-then-ok' },
      { name: 'limited-long', vendorModel: 'fault/429-retry-after-long' },
      { name: 'noimages', vendorModel: 'fault/refuses-images' },
      { name: 'notools', vendorModel: 'fault/refuses-tools' },
      { name: 'cut', vendorModel: 'fault/cut-mid-answer' },
      { name: 'failing', vendorModel: 'fault/error-inside-200' },
      { name: 'page', vendorModel: 'fault/502-html' },
      { name: 'embedding', vendorModel: 'scripted-embedding', info: { mode: 'embedding' } },
    ]);
    http = createHttpClient({
      settings: () => ({ noProxy: [], strictTls: true }),
      log: silentLog,
      environment: {},
    });
  });
  after(async () => {
    http?.dispose();
    await proxy?.stop();
    await vendor?.stop();
  });
  beforeEach(() => vendor.clearRequests());

  function client(key = proxy.key): RelayClient {
    return createRelayClient({
      http,
      connection: { baseUrl: proxy.url, key, headers: {} },
      timeouts: { connectMs: 20_000, firstTokenMs: 60_000, idleMs: 60_000 },
      log: silentLog,
    });
  }

  async function turn(model: string, text: string, options: { stream?: boolean; key?: string } = {}) {
    const { stream = true, key } = options;
    const read: string[] = [];
    const retries: { untilMs: number; why: string }[] = [];
    const chat = new ChatController(
      chatDependencies({
        ask: client(key).ask,
        options: { stream },
        tools: {
          read_file: {
            run: (input) => {
              read.push(JSON.stringify(input));
              return 'The readme says: quince.';
            },
          },
        },
        defaultModel: () => model,
      }),
    );
    chat.onDidChange((change) => {
      if (change.type === 'statusChanged' && change.status.type === 'retrying') retries.push(change.status);
    });
    const end = await chat.shown.submit(text);
    const answers = chat.shown.conversation.all.flatMap((item) =>
      item.type === 'answer' ? [item.text] : [],
    );
    chat.dispose();
    return {
      end,
      failure: end?.failure,
      text: answers.join('\n'),
      read,
      retries,
      tries: vendor.requests.length,
    };
  }

  async function failureOf(request: Partial<ModelRequest>): Promise<SwitchboardError | undefined> {
    const question: ModelRequest = {
      model: 'plain',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    };
    try {
      await client().ask({ ...question, ...request }, new AbortController().signal, () => {});
      return undefined;
    } catch (error) {
      return error as SwitchboardError;
    }
  }

  it('lists its models, with what it knows of them', async () => {
    const models = await client().listModels(new AbortController().signal);
    const ids = models.map(({ id }) => id);
    assert.ok(ids.includes('plain') && ids.includes('tools'));
    assert.equal(models.find(({ id }) => id === 'embedding')?.kind, 'other');
    const tools = models.find(({ id }) => id === 'tools');
    assert.deepEqual([tools?.contextWindow, tools?.maxTokens], [32_000, 4096]);
  });

  for (const stream of [true, false]) {
    it(`answers a turn, ${stream ? 'streamed' : 'whole'}, with its usage`, async () => {
      const { end, text } = await turn('plain', 'Hello, 世界', { stream });
      assert.equal(end?.reason, 'answered');
      assert.match(text, /Hello, 世界/);
      assert.ok(end.usage?.promptTokens && end.usage.completionTokens);
    });

    it(`goes through a tool call, ${stream ? 'streamed' : 'whole'}`, async () => {
      const { end, text, read } = await turn('tools', 'read README.md', { stream });
      assert.equal(end?.reason, 'answered');
      assert.deepEqual(
        read.map((json) => JSON.parse(json) as unknown),
        [{ path: 'README.md' }],
      );
      assert.match(text, /quince/);
    });
  }

  it('tells its prices, and what it charged, which is the same', async () => {
    const relay = client();
    const price = await relay.price('priced');
    assert.deepEqual(price, { currency: 'USD', prompt: 2e-6, completion: 8e-6 });
    assert.equal(await relay.price('plain'), undefined);
    for (const stream of [true, false]) {
      const { end } = await turn('priced', 'Hello', { stream });
      const { cost, ...counted } = end?.usage ?? {};
      assert.equal(cost?.kind, 'charged');
      assert.equal(cost.amount.toFixed(9), costOf(counted, price)?.amount.toFixed(9));
    }
    // Balances need the proxy's database, which isn't there.
    assert.equal(await relay.balance(new AbortController().signal), undefined);
  });

  it('rejects a wrong key of its own: the key', async () => {
    const { failure, tries } = await turn('plain', 'Hi', { key: 'sk-wrong' });
    assert.equal(failure?.code, 'key');
    assert.equal(tries, 0);
    await assert.rejects(client('sk-wrong').listModels(new AbortController().signal), { code: 'key' });
  });

  it("is rejected by the vendor: the relay's account, and the user's is fine", async () => {
    const { failure, tries } = await turn('badkey', 'Hi');
    assert.equal(failure?.code, 'vendor-key');
    assert.match(failure.message, /Your key and balance are fine/);
    assert.equal(failure.why, 'Incorrect API key provided.');
    assert.equal(presentFailure(failure).remedy.type, 'selectModel');
    assert.match(
      presentFailure(failure).details ?? '',
      /Status: 401[^]*Server response: litellm\.AuthenticationError/,
    );
    assert.equal(tries, 1);
  });

  it("has no credit at the vendor: the relay's account, never tried again", async () => {
    const { failure, tries } = await turn('nomoney', 'Hi');
    assert.equal(failure?.code, 'vendor-balance');
    assert.equal(failure.why, 'You exceeded your current quota, please check your plan and billing details.');
    assert.equal(tries, 1);
  });

  it('passes on how long the vendor asks to wait, which is waited for', async () => {
    const { end, retries, tries } = await turn('limited', 'Hi');
    assert.equal(end?.reason, 'answered');
    assert.deepEqual(retries, [{ type: 'retrying', untilMs: 1000, why: 'Rate limit reached for requests.' }]);
    assert.equal(tries, 2);
  });

  it('passes on a wait of an hour, which is told at once', async () => {
    const { failure, retries, tries } = await turn('limited-long', 'Hi');
    assert.equal(failure?.message, 'Rate limit reached. Try again in about an hour.');
    assert.deepEqual([retries.length, tries], [0, 1]);
  });

  it('passes on that a model does not support images', async () => {
    const images = [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }];
    const failure = await failureOf({
      model: 'noimages',
      messages: [{ role: 'user', content: 'What is this?', images }],
    });
    assert.equal(failure?.code, 'images');
    assert.equal(failure.why, 'No endpoints found that support image input');
    assert.equal(presentFailure(toRecord(failure)).remedy.type, 'selectModel');
  });

  it('passes on that a model does not support tools, which is asked again without them', async () => {
    const { end, tries } = await turn('notools', 'Hi');
    assert.equal(end?.reason, 'answered');
    assert.equal(tries, 2);
  });

  it('passes on that a prompt is too long, in the words of the vendor', async () => {
    const failure = await failureOf({
      model: 'small',
      messages: [{ role: 'user', content: 'word '.repeat(6000) }],
    });
    assert.equal(failure?.code, 'context-too-long');
    assert.match(failure.why ?? '', /^This model's maximum context length is 4096 tokens/);
  });

  it('does not know a model: another one is to be chosen', async () => {
    const { failure } = await turn('nobody', 'Hi');
    assert.equal(failure?.code, 'model');
  });

  for (const model of ['cut', 'failing']) {
    it(`is ${model === 'cut' ? 'cut off' : 'told of a failure'} in mid-answer: what came is kept, nothing is asked again`, async () => {
      const { failure, text, tries } = await turn(model, 'Hi');
      assert.equal(failure?.code, 'truncated');
      assert.match(text, /scripted/);
      assert.doesNotMatch(failure.why ?? '', /litellm|Exception - /);
      assert.equal(tries, 1);
    });
  }

  it("gives a page of the vendor's front as its title, and is asked again", async () => {
    const failure = await failureOf({ model: 'page' });
    assert.deepEqual([failure?.code, failure?.why], ['transient', '502 Bad Gateway']);
    assert.equal(vendor.requests.length, 4);
  });

  it("stops the vendor's stream when the user stops", async () => {
    const stopping = new AbortController();
    const question: ModelRequest = {
      model: 'long',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    };
    let ended: unknown;
    try {
      await client().ask(question, stopping.signal, (event) => {
        if (event.type === 'textAdded') stopping.abort();
      });
    } catch (error) {
      ended = toFailure(error);
    }
    assert.deepEqual(ended, { reason: 'stopped' });
    await vendor.requests[0]?.ended;
    assert.equal(vendor.requests[0]?.closedEarly, true);
  });
});
