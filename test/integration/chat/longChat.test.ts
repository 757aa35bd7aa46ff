import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { createHttpClient } from '../../../src/net/httpClient.ts';
import { createRelayClient } from '../../../src/relay/relayClient.ts';
import { startRelay, type RelayServer } from '../../servers/sandbox.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { silentLog } from '../../support/silentLog.ts';

interface Body {
  model: string;
  tools?: unknown[];
  messages: { role: string; content?: string }[];
}

describe('chat: conversations longer than the context, against the sandbox', () => {
  let server: RelayServer;
  const http = createHttpClient({
    settings: () => ({ noProxy: [], strictTls: true }),
    log: silentLog,
    environment: {},
  });
  before(async () => {
    server = await startRelay();
  });
  after(async () => {
    http.dispose();
    await server.stop();
  });

  function open(model: string, contextWindow?: number) {
    server.clearRequests();
    const { streamModel } = createRelayClient({
      http,
      log: silentLog,
      connection: { baseUrl: server.url, key: server.key, headers: {} },
      timeouts: { connectMs: 20_000, firstTokenMs: 20_000, idleMs: 20_000 },
    });
    const windows = new Map<string, number>();
    const text = 'some words of it '.repeat(300);
    const chat = new ChatController(
      chatDependencies({
        streamModel,
        modelLimits: () => (contextWindow === undefined ? {} : { contextWindow }),
        windows,
        tools: { read_file: { run: (input) => `${JSON.stringify(input)}\n${text}` } },
        defaultModel: () => model,
      }),
    );
    /** What was sent, in order. */
    const sent = () => server.requests.map(({ json }) => json as Body);
    const kinds = () => chat.conversation.all.map((item) => (item.type === 'notice' ? item.kind : item.type));
    return { chat, kinds, sent, windows };
  }

  const reads = Array.from({ length: 8 }, (_, n) => `read file${n}.txt`).join(' then ');

  for (const listed of [4096, undefined]) {
    const known = listed ? 'that the list names' : 'that is learnt';
    it(`reads more than fits into a window ${known}, in one turn`, async () => {
      const { chat, kinds, sent, windows } = open('scripted-small-window', listed);
      assert.equal((await chat.submit(reads))?.reason, 'answered');
      assert.equal(kinds().filter((kind) => kind === 'tool').length, 8);
      assert.equal(kinds().filter((kind) => kind === 'results-shortened').length, 1);
      assert.equal(kinds().includes('context-refused'), !listed);
      assert.equal(windows.get('scripted-small-window'), listed ? undefined : 4096);
      // Nine questions, and the one that was refused where nobody had said the window.
      assert.equal(sent().length, listed ? 9 : 10);
      const results = sent()
        .at(-1)!
        .messages.filter(({ role }) => role === 'tool');
      assert.match(results[0]?.content ?? '', /to fit the context/);
      assert.doesNotMatch(results.at(-1)?.content ?? '', /to fit the context/);
    });
  }

  it('goes on for many turns with a summary', async () => {
    const { chat, kinds, sent } = open('scripted-small-window', 4096);
    for (let n = 0; n < 12; n++) {
      const end = await chat.submit(`Turn ${n}: ${'and so on '.repeat(60)}`);
      assert.equal(end?.reason, 'answered', end?.failure?.why);
    }
    assert.ok(kinds().includes('summary'));
    const summaries = sent().filter(({ messages }) =>
      (messages[0]?.content ?? '').startsWith('The conversation below has become too long'),
    );
    assert.ok(summaries.length > 0 && summaries.every(({ tools }) => tools === undefined));
    assert.match(sent().at(-1)!.messages[0]?.content ?? '', /^\[The conversation before/);
  });

  it('tries once more after a refusal, shortened, and then gives up with the server’s words', async () => {
    const { chat, kinds, sent, windows } = open('fault/context-too-long');
    chat.selectModel('scripted-writer');
    await chat.submit('write 400 lines');
    await chat.submit('Hello');
    chat.selectModel('fault/context-too-long');
    const end = await chat.submit('Go on');
    assert.equal(end?.failure?.code, 'context-too-long');
    assert.match(end.failure.why ?? '', /maximum context length is 8192/);
    assert.equal(windows.get('fault/context-too-long'), 8192);
    const toFault = sent().filter(({ model }) => model === 'fault/context-too-long');
    const isSummary = ({ messages }: Body) =>
      (messages[0]?.content ?? '').startsWith('The conversation below has become too long');
    assert.deepEqual(toFault.map(isSummary), [false, true, false]);
    const size = (body: Body | undefined) => JSON.stringify(body).length;
    assert.ok(size(toFault[2]) < size(toFault[0]) / 2);
    assert.deepEqual(kinds().filter((kind) => kind === 'context-refused').length, 1);
    // The summary was refused too, so what was left out is said.
    assert.ok(chat.conversation.all.some((item) => item.type === 'summary' && item.problem));
  });

  it('does not repeat what cannot be shortened, whatever form the refusal has', async () => {
    for (const [model, window] of [
      ['fault/context-too-long', 8192],
      ['fault/context-too-long-by-text', 200_000],
    ] as const) {
      const { chat, sent, windows } = open(model);
      assert.equal((await chat.submit('Hello'))?.failure?.code, 'context-too-long');
      assert.equal(sent().length, 1);
      assert.equal(windows.get(model), window);
    }
  });
});
