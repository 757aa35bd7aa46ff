import assert from 'node:assert/strict';
import {
  chatEndpoint,
  type ClientProgram,
  endpointFor,
  messagesEndpoint,
  responsesEndpoint,
  type Target,
} from '../../../src/clients/clientProgram.ts';
import { tryClient } from '../../../src/clients/tryClient.ts';
import type { HttpClient } from '../../../src/net/httpClient.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';

const chat: Reply = {
  pieces: ['data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n'],
};
const message = { type: 'message', content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' };
const messages: Reply = { type: 'application/json', pieces: [JSON.stringify(message)] };

/** A program's request, and the number of cancelled answers. */
async function tried(
  reply: Reply,
  endpoints: ClientProgram['endpoints'],
  { maxTokens, ...wanted }: Partial<Target> & { maxTokens?: number } = {},
) {
  const network = replayNetwork(reply);
  let closed = 0;
  const http: HttpClient = {
    ...network,
    async send(request) {
      const response = await network.send(request);
      return { ...response, close: () => void closed++ };
    },
  };
  const [protocol] = Object.keys(endpoints) as [Target['protocol']];
  const target: Target = {
    ...{ baseUrl: 'https://relay.example', protocol, variable: 'RELAY_API_KEY' },
    models: [{ id: 'm', name: 'm', ...(maxTokens !== undefined && { maxTokens }) }],
    ...wanted,
  };
  const context = { http, timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 } };
  const outcome = await tryClient(context, { endpoints }, target, 'sk-1', new AbortController().signal).catch(
    (error: unknown) => error,
  );
  const [request] = network.sent;
  assert.ok(request);
  return { outcome, closed, ...request, json: JSON.parse(String(request.body)) as Record<string, unknown> };
}

describe('a client that is tried', () => {
  it('sends the key where it puts it, and nowhere else', async () => {
    const byChat = await tried(chat, { 'chat-completions': chatEndpoint });
    assert.equal(byChat.url, 'https://relay.example/v1/chat/completions');
    assert.deepEqual(
      [byChat.headers['authorization'], byChat.headers['x-api-key']],
      ['Bearer sk-1', undefined],
    );
    const byMessages = await tried(messages, { messages: messagesEndpoint });
    assert.equal(byMessages.url, 'https://relay.example/v1/messages');
    assert.deepEqual(
      [byMessages.headers['authorization'], byMessages.headers['x-api-key']],
      [undefined, 'sk-1'],
    );
    assert.deepEqual([byChat.outcome, byMessages.outcome], ['Hello', 'Hello']);
  });

  it('sends the limit of its model, its own where it has none, and none where it sends none', async () => {
    const limit = { field: 'max_completion_tokens', unset: 8192 } as const;
    const limited = { 'chat-completions': { ...chatEndpoint, limit } };
    assert.equal((await tried(chat, limited, { maxTokens: 500 })).json['max_completion_tokens'], 500);
    assert.equal((await tried(chat, limited)).json['max_completion_tokens'], 8192);
    const { json } = await tried(chat, { 'chat-completions': chatEndpoint }, { maxTokens: 500 });
    assert.deepEqual(Object.keys(json).toSorted(), ['messages', 'model', 'stream', 'stream_options']);
  });

  it('lets go of an answer that fails amid it', async () => {
    const broken = await tried(
      { pieces: ['data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n', new Error('broken')] },
      { 'chat-completions': chatEndpoint },
    );
    assert.ok(broken.outcome instanceof Error);
    assert.equal(broken.closed, 1);
  });

  it('speaks the protocol that serves its model, where it can, and else the one that it prefers', () => {
    const both = { endpoints: { 'chat-completions': chatEndpoint, messages: messagesEndpoint } };
    assert.deepEqual(endpointFor(both, 'messages'), { protocol: 'messages', endpoint: messagesEndpoint });
    assert.equal(endpointFor(both, 'chat-completions').protocol, 'chat-completions');
    assert.equal(
      endpointFor({ endpoints: { responses: responsesEndpoint } }, 'messages').protocol,
      'responses',
    );
  });
});
