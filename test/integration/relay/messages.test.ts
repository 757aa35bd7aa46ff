import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import type { Message, ToolDefinition } from '../../../src/relay/messages.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { faultEndings, limitFor } from '../../support/faultEndings.ts';
import { messagesServed } from '../../support/servedProfiles.ts';
import { type RelayUnderTest, relayUnderTest } from '../../support/relayUnderTest.ts';

const readFile: ToolDefinition = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const pathsOf = ({ requests }: RelayServer) => requests.map(({ path }) => path);

describe('the messages protocol through sockets', () => {
  let server: RelayServer;
  let byMessages: RelayUnderTest;
  let byChat: RelayUnderTest;

  before(async () => {
    server = await startRelay({ knowsEndpoints: true });
    const { url: baseUrl, key } = server;
    byMessages = relayUnderTest({ baseUrl, key, profiles: messagesServed('messages') });
    byChat = relayUnderTest({ baseUrl, key });
  });
  after(async () => {
    byMessages.http.dispose();
    byChat.http.dispose();
    await server.stop();
  });
  beforeEach(() => server.clearRequests());

  it('is what new-api lists of models of Anthropic channels, and of no other', async () => {
    const models = await byChat.list();
    const served = models.filter(({ protocol }) => protocol === 'messages').map(({ id }) => id);
    assert.deepEqual(served, [
      ...['scripted-agent', 'scripted-writer', 'scripted-tools-blocks'],
      ...['vendor/claude', 'vendor/claude-thinking'],
    ]);
  });

  for (const stream of [true, false]) {
    const how = stream ? 'streamed' : 'in one piece';
    it(`says what chat completions say, ${how}`, async () => {
      for (const model of ['scripted-echo', 'scripted-writer', 'scripted-reasoner']) {
        const [one, other] = [await byMessages.ask({ model, stream }), await byChat.ask({ model, stream })];
        assert.equal(one.failure, undefined);
        assert.deepEqual([one.text, one.reasoning], [other.text, other.reasoning]);
      }
      assert.deepEqual([...new Set(pathsOf(server))], ['/v1/messages', '/v1/chat/completions']);
    });

    it(`goes on with what was thought and called, ${how}`, async () => {
      const question: Message = { role: 'user', content: 'read README.md, read LICENSE' };
      const ask = { model: 'scripted-reasoner', stream, tools: [readFile] };
      const first = await byMessages.ask({ ...ask, messages: [question] });
      const signed = first.events.flatMap((event) => (event.type === 'reasoningSigned' ? event.blocks : []));
      const toolCalls = first.events.flatMap((event) =>
        event.type === 'toolCallsCompleted' ? event.calls : [],
      );
      assert.ok(toolCalls.length > 0 && signed.length === 1);
      const messages: Message[] = [
        question,
        { role: 'assistant', model: ask.model, content: first.text, signedReasoning: signed, toolCalls },
        ...toolCalls.map(({ id }): Message => ({ role: 'tool', toolCallId: id, content: 'let a' })),
      ];
      const second = await byMessages.ask({ ...ask, messages });
      assert.equal(second.failure, undefined);
      assert.match(second.text, /let a/);
      assert.match(String(server.requests.at(-1)?.body), /"signature":/);
    });
  }

  it('thinks as hard as it is asked to, and is signed for', async () => {
    const ask = { model: 'scripted-reasoner', reasoningEffort: 'high', temperature: 0.2 } as const;
    const { failure, reasoning } = await byMessages.ask(ask);
    assert.equal(failure, undefined);
    assert.notEqual(reasoning, '');
    const sent = String(server.requests.at(-1)?.body);
    assert.match(sent, /"thinking":\{"type":"adaptive"\},"output_config":\{"effort":"high"\}/);
    assert.doesNotMatch(sent, /temperature/);
    await byChat.ask(ask);
    assert.match(String(server.requests.at(-1)?.body), /"reasoning_effort":"high"/);
  });

  it('shows an image', async () => {
    const images = [{ mimeType: 'image/png', data: 'AAAA' }];
    const { text } = await byMessages.ask({ messages: [{ role: 'user', content: 'look', images }] });
    assert.match(text, /1 images/);
  });

  it('is without a signature that was spoilt on the way, once that was refused', async () => {
    const toolCalls = [{ id: 'a', name: 'read_file', arguments: '{"path":"a"}' }];
    const signedReasoning = [{ text: 'Hm.', signature: 'spoilt' }];
    const { failure } = await byMessages.ask({
      model: 'scripted-tools',
      tools: [readFile],
      messages: [
        { role: 'user', content: 'read a' },
        { role: 'assistant', model: 'scripted-tools', content: '', signedReasoning, toolCalls },
        { role: 'tool', toolCallId: 'a', content: 'let a' },
      ],
    });
    assert.equal(failure, undefined);
    assert.deepEqual(pathsOf(server), ['/v1/messages', '/v1/messages']);
  });

  const endings: Record<string, ErrorCode | undefined> = {
    ...faultEndings,
    'fault/length': undefined,
    'fault/sensitive-words-by-message': 'content-filter',
    'fault/vendor-529': 'transient',
  };
  for (const [model, code] of Object.entries(endings)) {
    it(`${model}: ${code ?? 'answered'}, as by chat completions`, async () => {
      const { url: baseUrl, key } = server;
      const options = { baseUrl, key, timeouts: limitFor(code), profiles: messagesServed('messages') };
      const { http, ask } = relayUnderTest(options);
      const { failure } = await ask({ model });
      http.dispose();
      assert.equal(failure?.code, code);
      assert.ok(pathsOf(server).every((path) => path !== '/v1/chat/completions'));
    });
  }

  it('refuses a wrong key as chat completions do', async () => {
    const { url: baseUrl } = server;
    const stranger = relayUnderTest({ baseUrl, key: 'sk-wrong', profiles: messagesServed() });
    assert.equal((await stranger.ask({})).failure?.code, 'key');
    stranger.http.dispose();
  });

  it('closes the socket when it is stopped', async () => {
    const stopping = new AbortController();
    const { failure } = await byMessages.ask(
      { model: 'fault/stall-mid-answer' },
      { signal: stopping.signal, onEvent: ({ type }) => type === 'textAdded' && stopping.abort() },
    );
    assert.equal(failure?.code, 'cancelled');
    await server.requests[0]?.ended;
    assert.equal(server.requests[0]?.closedEarly, true);
  });
});

describe('a relay that knows no messages', () => {
  it('is asked by chat completions after one failure, and then at once', async () => {
    const server = await startRelay({ dialect: 'one-api' });
    const profiles = messagesServed();
    const { http, ask } = relayUnderTest({ baseUrl: server.url, key: server.key, profiles });
    assert.equal((await ask({})).failure, undefined);
    assert.equal((await ask({})).failure, undefined);
    assert.deepEqual(pathsOf(server), ['/v1/messages', '/v1/chat/completions', '/v1/chat/completions']);
    assert.deepEqual([...profiles.learnt], [['scripted-echo', { protocol: 'chat-completions' }]]);
    http.dispose();
    await server.stop();
  });
});
