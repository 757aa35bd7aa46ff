import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors.ts';
import type { HttpClient, HttpRequest } from '../../../src/net/httpClient.ts';
import { createResponse } from '../../../src/net/httpResponse.ts';
import { Patience } from '../../../src/net/patience.ts';
import type { ModelEvent, ModelRequest } from '../../../src/relay/messages.ts';
import { createStreamModel } from '../../../src/relay/streamModel.ts';
import { ManualClock } from '../../support/manualClock.ts';

interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  pieces?: readonly (string | Error)[];
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const question: ModelRequest = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true };
const chunk = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;
const words = (content: string) => chunk({ choices: [{ delta: { content } }] });
const stop = chunk({ choices: [{ delta: {}, finish_reason: 'stop' }] });
const good: Reply = { pieces: [words('Hello'), stop, 'data: [DONE]\n\n'] };
const broken = new SwitchboardError('transient', 'The connection broke.');

/** A network that gives one reply after the other, and keeps what was sent. */
function network(...replies: (Reply | Error)[]): HttpClient & { sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  return {
    sent,
    dispose() {},
    async send(request) {
      const reply = replies[sent.length] ?? good;
      sent.push(request);
      if (reply instanceof Error) throw reply;
      request.onSent?.();
      async function* body() {
        for (const piece of (reply as Reply).pieces ?? []) {
          if (piece instanceof Error) throw piece;
          yield Buffer.from(piece);
        }
      }
      return createResponse({
        wire: {
          status: reply.status ?? 200,
          headers: { 'content-type': reply.type ?? 'text/event-stream', ...reply.headers },
          body: body(),
        },
        address: 'https://relay.example/v1/chat/completions',
        patience: new Patience({
          firstTokenMs: 0,
          idleMs: 0,
          address: request.url,
          onExpired: () => undefined,
        }),
        toError: (error) => error as Error,
        close: () => undefined,
      });
    },
  };
}

/** All events; pauses pass at once. */
async function ask(
  http: HttpClient,
  request: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
) {
  const clock = new ManualClock();
  const events: ModelEvent[] = [];
  let failure: unknown;
  const streamModel = createStreamModel({
    http,
    connection: { baseUrl: 'https://relay.example', key: 'sk-1', headers: {} },
    timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 },
    log: silent,
    clock,
    random: () => 1,
  });
  try {
    for await (const event of streamModel({ ...question, ...request }, signal)) {
      events.push(event);
      if (event.type === 'retryScheduled') queueMicrotask(() => clock.advance(event.delayMs));
    }
  } catch (error) {
    failure = error;
  }
  return {
    events,
    types: events.map(({ type }) => type),
    code: (failure as SwitchboardError | undefined)?.code,
  };
}

describe('createStreamModel', () => {
  it('sends one request and gives its events in order', async () => {
    const http = network(good);
    const { events } = await ask(http);
    assert.deepEqual(events, [
      { type: 'requestSent' },
      { type: 'textAdded', text: 'Hello' },
      { type: 'modelFinished', reason: 'stop' },
    ]);
    const [sent] = http.sent;
    assert.equal(sent?.url, 'https://relay.example/v1/chat/completions');
    assert.equal(sent?.headers['accept'], 'text/event-stream');
    assert.equal(sent?.headers['authorization'], 'Bearer sk-1');
  });

  describe('trying again', () => {
    const overloaded: Reply = {
      status: 503,
      type: 'application/json',
      pieces: ['{"error":{"message":"x"}}'],
    };

    it('happens for passing failures, with growing pauses, and is announced', async () => {
      const { events, types } = await ask(network(overloaded, broken, good));
      assert.deepEqual(types, [
        'requestSent',
        'retryScheduled',
        'retryScheduled',
        'requestSent',
        'textAdded',
        'modelFinished',
      ]);
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'retryScheduled' ? event.delayMs : [])),
        [500, 1000],
      );
    });

    it('ends after three more tries', async () => {
      const http = network(...Array.from({ length: 9 }, () => overloaded));
      assert.equal((await ask(http)).code, 'transient');
      assert.equal(http.sent.length, 4);
    });

    it('waits as long as the server asks, or says how long that would be', async () => {
      const limited = (after: string): Reply => ({ status: 429, headers: { 'retry-after': after } });
      const { events } = await ask(network(limited('7'), good));
      assert.deepEqual(events[1], {
        type: 'retryScheduled',
        delayMs: 7000,
        why: 'Too many requests at present. The server asks to wait 7 s.',
      });
      const { types, code } = await ask(network(limited('3600')));
      assert.deepEqual([...types, code], ['requestSent', 'rate-limit']);
    });

    it('happens for an error that is the first thing in a stream', async () => {
      const { types } = await ask(network({ pieces: [': PING\n\n', chunk({ error: { code: 502 } })] }, good));
      assert.deepEqual(types.slice(1, 3), ['retryScheduled', 'requestSent']);
    });

    for (const [name, pieces, code] of [
      ['text', [words('Hel'), broken], 'truncated'],
      ['reasoning', [chunk({ choices: [{ delta: { reasoning: 'Hm' } }] }), broken], 'truncated'],
      ['text, by an error', [words('Hel'), chunk({ error: { message: 'x' } })], 'transient'],
    ] as const) {
      it(`never happens after ${name}`, async () => {
        const http = network({ pieces }, good);
        assert.equal((await ask(http)).code, code);
        assert.equal(http.sent.length, 1);
      });
    }

    for (const status of [400, 401, 402, 403, 404, 413]) {
      it(`never happens after ${status}`, async () => {
        const http = network({ status, type: 'application/json', pieces: ['{}'] }, good);
        assert.ok((await ask(http)).code);
        assert.equal(http.sent.length, 1);
      });
    }

    it('stops when aborted during the pause', async () => {
      const stopping = new AbortController();
      const clock = new ManualClock();
      const http = network(overloaded, good);
      const streamModel = createStreamModel({
        http,
        connection: { baseUrl: 'https://relay.example', key: 'sk-1', headers: {} },
        timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 },
        log: silent,
        clock,
      });
      await assert.rejects(
        async () => {
          for await (const event of streamModel(question, stopping.signal)) {
            if (event.type === 'retryScheduled') queueMicrotask(() => stopping.abort());
          }
        },
        (error) => error instanceof SwitchboardError && error.code === 'cancelled',
      );
      assert.equal(clock.pending, 0);
      assert.equal(http.sent.length, 1);
    });
  });

  describe("a vendor's own form", () => {
    const refuses = (param: string, message = 'no'): Reply => ({
      status: 400,
      type: 'application/json',
      pieces: [JSON.stringify({ error: { message, type: 'invalid_request_error', param } })],
    });
    const bodyOf = (request: HttpRequest | undefined) =>
      JSON.parse(request?.body as string) as Record<string, unknown>;

    it('is learnt from its refusal: stream_options', async () => {
      const http = network(refuses('stream_options'), good);
      assert.equal((await ask(http)).types.at(-1), 'modelFinished');
      assert.ok(!('stream_options' in bodyOf(http.sent[1])));
    });

    it('is learnt from its refusal: stream', async () => {
      const whole: Reply = {
        type: 'application/json',
        pieces: [JSON.stringify({ choices: [{ message: { content: 'Hello' } }] })],
      };
      const http = network(refuses('stream'), whole);
      assert.equal((await ask(http)).types.at(-1), 'modelFinished');
      assert.equal(bodyOf(http.sent[1])['stream'], false);
      assert.equal(http.sent[1]?.headers['accept'], 'application/json');
    });

    it('is learnt from its refusal: max_completion_tokens', async () => {
      const http = network(refuses('max_tokens', "Use 'max_completion_tokens' instead."), good);
      await ask(http, { maxTokens: 5 });
      assert.equal(bodyOf(http.sent[1])['max_completion_tokens'], 5);
      assert.ok(!('max_tokens' in bodyOf(http.sent[1])));
    });

    it('is not guessed: what the person chose stays an error, and a lesson counts once', async () => {
      assert.equal((await ask(network(refuses('temperature')), { temperature: 2 })).code, 'request');
      const http = network(...Array.from({ length: 5 }, () => refuses('stream_options')));
      assert.equal((await ask(http)).code, 'request');
      assert.equal(http.sent.length, 2);
    });
  });

  describe('what the body is', () => {
    const whole = JSON.stringify({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] });
    const cases: [name: string, reply: Reply, end: string][] = [
      ['whole JSON to a stream request', { type: 'application/json', pieces: [whole] }, 'modelFinished'],
      ['whole JSON called an event stream', { pieces: [whole] }, 'modelFinished'],
      [
        'whole JSON, indented, called text',
        { type: 'text/plain', pieces: [JSON.stringify(JSON.parse(whole), null, 2)] },
        'modelFinished',
      ],
      ['events called JSON', { type: 'application/json', pieces: good.pieces ?? [] }, 'modelFinished'],
      ['events of no type', { type: '', pieces: good.pieces ?? [] }, 'modelFinished'],
      ['a page', { type: 'text/html', pieces: ['<html>'] }, 'wrong-address'],
      ['a page called an event stream', { pieces: ['<!doctype html>\n<html>'] }, 'wrong-address'],
      ['other words', { type: 'text/plain', pieces: ['It works!'] }, 'wrong-address'],
      ['other JSON', { type: 'application/json', pieces: ['{"status":"ok"}'] }, 'wrong-address'],
      ['cut JSON', { type: 'application/json', pieces: ['{"choices":[{'] }, 'truncated'],
      ['nothing', { type: 'application/json', pieces: [] }, 'empty-reply'],
      ['no events', { pieces: [': PING\n\n'] }, 'empty-reply'],
      ['no finish reason, though [DONE]', { pieces: [words('Hel'), 'data: [DONE]\n\n'] }, 'truncated'],
      [
        'a finish reason and then a broken connection',
        { pieces: [words('Hi'), stop, broken] },
        'modelFinished',
      ],
      [
        'an error after the finish reason',
        { pieces: [words('Hi'), stop, chunk({ error: { code: 500 } })] },
        'transient',
      ],
      [
        'an error without its data:',
        { pieces: [words('Hi'), '{"error":{"code":400,"message":"x"}}'] },
        'request',
      ],
      [
        'only reasoning',
        { pieces: [chunk({ choices: [{ delta: { reasoning: 'Hm' }, finish_reason: 'stop' }] })] },
        'empty-reply',
      ],
      [
        'nothing, since the limit was reached',
        { pieces: [chunk({ choices: [{ delta: {}, finish_reason: 'length' }] })] },
        'modelFinished',
      ],
    ];
    for (const [name, reply, end] of cases) {
      it(`${name}: ${end}`, async () => {
        const { types, code } = await ask(network(reply));
        assert.equal(code ?? types.at(-1), end);
      });
    }
  });
});
