import assert from 'node:assert/strict';
import type { HttpResponse } from '../../../src/net/httpResponse.ts';
import type { Protocol } from '../../../src/relay/messages.ts';
import { protocols } from '../../../src/relay/protocols/allProtocols.ts';
import { readReply } from '../../../src/relay/readReply.ts';

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** The reader's reports, each piece in its own network read. */
async function toldOf(
  pieces: readonly string[],
  limits: number[] = [],
  protocol: Protocol = 'chat-completions',
): Promise<string[]> {
  const told: string[] = [];
  const response: HttpResponse = {
    ...{ status: 200, headers: {}, contentType: 'text/event-stream', address: 'https://relay.example/v1' },
    body: (async function* () {
      for (const piece of pieces) {
        told.push('data');
        yield Buffer.from(piece);
      }
    })(),
    text: async () => '',
    close: () => {},
    onFirstByte: () => told.push('begun'),
    onProgress: () => told.push('progress'),
    setIdleLimit: (idleMs) => void limits.push(idleMs),
  };
  const connection = { baseUrl: 'https://relay.example', key: 'sk-x', headers: {} };
  for await (const events of readReply(response, connection, protocols[protocol])) {
    void events;
  }
  return told.slice(0, told.lastIndexOf('data'));
}

describe('readReply', () => {
  const end = chunk({}, 'stop');

  it('takes its first event for the beginning, and only what grows for progress', async () => {
    const empty = chunk({ content: '' });
    assert.deepEqual(
      await toldOf([
        ': PING\n\n',
        chunk({ role: 'assistant' }),
        ': PING\n\n',
        empty,
        chunk({}),
        chunk({ content: 'a' }),
        empty,
        end,
      ]),
      [...['data', 'data', 'begun', 'progress', 'data', 'data', 'data', 'data', 'progress', 'data']],
    );
  });

  it('takes reasoning and pieces of calls for progress', async () => {
    const call = chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{' } }] });
    assert.deepEqual(await toldOf([chunk({ reasoning_content: 'hm' }), call, end]), [
      ...['data', 'begun', 'progress', 'data', 'progress'],
    ]);
  });

  it('takes a ping of the messages protocol neither for the beginning nor for progress', async () => {
    const event = (type: string, more: object = {}) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
    const delta = event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'a' } });
    const last = event('message_delta', { delta: { stop_reason: 'end_turn' } });
    assert.deepEqual(
      await toldOf(
        [event('ping'), event('message_start'), event('ping'), delta, event('ping'), last],
        [],
        'messages',
      ),
      [...['data', 'data', 'begun', 'progress', 'data', 'data', 'progress', 'data']],
    );
  });

  it('takes a ping that a relay left in chat completions for neither', async () => {
    const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
    assert.deepEqual(await toldOf([ping, chunk({ content: 'a' }), end]), [
      ...['data', 'data', 'begun', 'progress'],
    ]);
  });

  it('does not take the announcement of an answer for its beginning: the model may reason for long', async () => {
    const event = (type: string, more: object = {}) =>
      `data: ${JSON.stringify({ type: `response.${type}`, ...more })}\n\n`;
    const added = event('output_item.added', { output_index: 0, item: { type: 'reasoning', id: 'rs_1' } });
    const delta = event('output_text.delta', { output_index: 1, delta: 'a' });
    assert.deepEqual(
      await toldOf(
        [event('created'), event('in_progress'), added, delta, event('in_progress'), event('completed')],
        [],
        'responses',
      ),
      // Only the item in progress counts as a sign of life.
      [...['data', 'data', 'data', 'progress', 'data', 'begun', 'progress', 'data']],
    );
  });

  it('waits ever less for what is not essential, the more of it has come', async () => {
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n';
    const limits: number[] = [];
    await toldOf([chunk({ content: 'a' }), end, usage, 'data: [DONE]\n\n'], limits);
    assert.equal(limits.length, 3);
    const [afterReason = 0, afterUsage = 0, afterDone = 0] = limits;
    assert.ok(afterReason > afterUsage && afterUsage > afterDone && afterDone > 0);
    assert.ok(afterReason <= 10_000);
  });
});
