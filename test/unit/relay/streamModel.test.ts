import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import type { HttpRequest } from '../../../src/net/httpClient.ts';
import type { ModelRequest } from '../../../src/relay/messages.ts';
import { createProfiles } from '../../../src/relay/profile/modelFacts.ts';
import { createStreamModel } from '../../../src/relay/streamModel.ts';
import { askOffline, offlineOptions } from '../../support/askOffline.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';

const question: ModelRequest = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true };

const chunk = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;
const words = (content: string) => chunk({ choices: [{ delta: { content } }] });
const stop = chunk({ choices: [{ delta: {}, finish_reason: 'stop' }] });
const good: Reply = { pieces: [words('Hello'), stop, 'data: [DONE]\n\n'] };
const broken = new SwitchboardError('transient', 'The connection broke.');

const network = (...replies: (Reply | Error)[]) => replayNetwork(...replies, good);

describe('createStreamModel', () => {
  it('sends one request and gives its events in order', async () => {
    const http = network(good);
    const { events } = await askOffline(http);
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

  it('tells the last count of tokens, since some vendors count while they write', async () => {
    const counted = (content: string, completion: number, end: object = {}) =>
      chunk({ choices: [{ delta: { content }, ...end }], usage: { completion_tokens: completion } });
    const pieces = [counted('On', 1), counted('e', 2), counted('.', 3, { finish_reason: 'stop' })];
    const { events } = await askOffline(network({ pieces }));
    assert.deepEqual(events.at(-1), {
      ...{ type: 'modelFinished', reason: 'stop' },
      usage: { completionTokens: 3 },
    });
  });

  it('masks the key and the secrets of headers in text, reasoning and calls, also in pieces', async () => {
    const connection = {
      ...{ baseUrl: 'https://relay.example', key: 'sk-0123456789' },
      ...{ headers: { 'x-gateway': 'Token gateway-42' }, headerSecrets: ['gateway-42'] },
    };
    const delta = (fields: object) => chunk({ choices: [{ delta: fields }] });
    const call = (fields: object) => delta({ tool_calls: [{ index: 0, ...fields }] });
    const pieces = [
      ...[delta({ reasoning_content: 'So gate' }), delta({ reasoning_content: 'way-42.' })],
      ...[words('It is sk-01'), words('23456789, so')],
      call({ id: 'c', function: { name: 'read_file', arguments: '{"path":"sk-0123' } }),
      call({ function: { arguments: '456789/gateway-42"}' } }),
      chunk({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] }),
    ];
    const options = { ...offlineOptions(network({ pieces })), connection };
    const shown: unknown[] = [];
    for await (const event of createStreamModel(options)(question, new AbortController().signal)) {
      shown.push(event);
    }
    const said = JSON.stringify(shown);
    assert.match(said, /\*\*\*\/\*\*\*/);
    assert.doesNotMatch(said, /gateway-42|0123|456789/);
  });

  it('gives the end of a broken answer, also where it could have been the beginning of a secret', async () => {
    const connection = { ...offlineOptions(network()).connection, key: 'sk-0123456789' };
    const http = network({ pieces: [words('It is sk-01'), broken] });
    const { events, code } = await askOffline(http, {}, undefined, { connection });
    const texts = events.flatMap((event) => (event.type === 'textAdded' ? event.text : []));
    assert.deepEqual([texts.join(''), code], ['It is sk-01', 'truncated']);
  });

  describe('trying again', () => {
    const overloaded: Reply = {
      status: 503,
      type: 'application/json',
      pieces: ['{"error":{"message":"x"}}'],
    };

    it('happens for passing failures, with growing pauses, and is announced', async () => {
      const { events, types } = await askOffline(network(overloaded, broken, good));
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
      assert.equal((await askOffline(http)).code, 'transient');
      assert.equal(http.sent.length, 4);
    });

    it('waits as long as the server asks, or says how long that would be', async () => {
      const limited = (after: string): Reply => ({ status: 429, headers: { 'retry-after': after } });
      const { events } = await askOffline(network(limited('7'), good));
      assert.deepEqual(events[1], {
        type: 'retryScheduled',
        delayMs: 7000,
        why: 'Rate limit reached.',
      });
      const { types, code, failure } = await askOffline(network(limited('3600')));
      assert.deepEqual([...types, code], ['requestSent', 'rate-limit']);
      assert.equal(failure?.message, 'Rate limit reached. Try again in about an hour.');
      // The longest wait that is accepted.
      assert.deepEqual((await askOffline(network(limited('60'), good))).pausesMs, [60_000]);
      assert.deepEqual((await askOffline(network(limited('61'), good))).pausesMs, []);
    });

    it('backs off over about a minute when a rate limit names no time, and says what the server said', async () => {
      const body = '{"error":{"message":"Slow down, please.","type":"requests"}}';
      const http = network(...Array.from({ length: 9 }, () => ({ status: 429, pieces: [body] })));
      const { events, code, pausesMs } = await askOffline(http);
      assert.equal(code, 'rate-limit');
      assert.deepEqual(pausesMs, [5_000, 10_000, 20_000, 40_000]);
      assert.ok(
        events.every((event) => event.type !== 'retryScheduled' || event.why === 'Slow down, please.'),
      );
    });

    it('tells why there was another try, of a connection in our words', async () => {
      const { events } = await askOffline(network(broken, good));
      assert.deepEqual(events[0], { type: 'retryScheduled', delayMs: 500, why: 'The connection broke.' });
    });

    it('happens for an error that is the first thing in a stream', async () => {
      const { types } = await askOffline(
        network({ pieces: [': PING\n\n', chunk({ error: { code: 502 } })] }, good),
      );
      assert.deepEqual(types.slice(1, 3), ['retryScheduled', 'requestSent']);
    });

    for (const [name, pieces, code] of [
      ['text', [words('Hel'), broken], 'truncated'],
      ['reasoning', [chunk({ choices: [{ delta: { reasoning: 'Hm' } }] }), broken], 'truncated'],
      ['text, by an error', [words('Hel'), chunk({ error: { message: 'x' } })], 'truncated'],
      ['text, by a refusal', [words('Hel'), chunk({ error: { code: 429, message: 'x' } })], 'rate-limit'],
    ] as const) {
      it(`never happens after ${name}`, async () => {
        const http = network({ pieces }, good);
        assert.equal((await askOffline(http)).code, code);
        assert.equal(http.sent.length, 1);
      });
    }

    for (const status of [400, 401, 402, 403, 404, 413]) {
      it(`never happens after ${status}`, async () => {
        const http = network({ status, type: 'application/json', pieces: ['{}'] }, good);
        assert.ok((await askOffline(http)).code);
        assert.equal(http.sent.length, 1);
      });
    }

    it('stops when aborted during the pause', async () => {
      const stopping = new AbortController();
      const http = network(overloaded, good);
      const options = offlineOptions(http);
      await assert.rejects(
        async () => {
          for await (const event of createStreamModel(options)(question, stopping.signal)) {
            if (event.type === 'retryScheduled') queueMicrotask(() => stopping.abort());
          }
        },
        // The user then needs the reason for the retry.
        (error) =>
          error instanceof SwitchboardError &&
          error.code === 'cancelled' &&
          error.cause instanceof SwitchboardError &&
          error.cause.status === 503,
      );
      assert.equal(options.clock.pending, 0);
      assert.equal(http.sent.length, 1);
    });
  });

  describe('stopping', () => {
    for (const [stream, mayBeBilled] of [
      [false, true],
      [true, false],
    ] as const) {
      it(`tells of ${stream ? 'a stream' : 'a whole answer'} that it ${mayBeBilled ? 'may' : 'will not'} be charged in full`, async () => {
        const stopping = new AbortController();
        const asking = askOffline(replayNetwork({ hangs: true }), { stream }, stopping.signal);
        queueMicrotask(() => setImmediate(() => stopping.abort()));
        const { code, failure } = await asking;
        assert.equal(code, 'cancelled');
        assert.equal(failure?.mayBeBilled, mayBeBilled);
      });
    }

    it('by leaving before the answer ends the request, too', async () => {
      const http = replayNetwork({ hangs: true });
      const { signal } = new AbortController();
      for await (const event of createStreamModel(offlineOptions(http))(question, signal)) {
        assert.equal(event.type, 'requestSent');
        break;
      }
      assert.equal(http.sent[0]?.signal.aborted, true);
    });

    it('before anything was sent costs nothing', async () => {
      const http = replayNetwork(new SwitchboardError('cancelled', 'Stopped.'));
      const { failure } = await askOffline(http, { stream: false }, AbortSignal.abort());
      assert.equal(failure?.mayBeBilled, false);
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
      assert.equal((await askOffline(http)).types.at(-1), 'modelFinished');
      assert.ok(!('stream_options' in bodyOf(http.sent[1])));
    });

    it('is learnt from its refusal: stream', async () => {
      const whole: Reply = {
        type: 'application/json',
        pieces: [JSON.stringify({ choices: [{ message: { content: 'Hello' } }] })],
      };
      const http = network(refuses('stream'), whole);
      assert.equal((await askOffline(http)).types.at(-1), 'modelFinished');
      assert.equal(bodyOf(http.sent[1])['stream'], false);
      assert.equal(http.sent[1]?.headers['accept'], 'application/json');
    });

    it('is learnt from its refusal: max_completion_tokens', async () => {
      const http = network(refuses('max_tokens', "Use 'max_completion_tokens' instead."), good);
      await askOffline(http, { maxTokens: 5 });
      assert.equal(bodyOf(http.sent[1])['max_completion_tokens'], 5);
      assert.ok(!('max_tokens' in bodyOf(http.sent[1])));
    });

    for (const message of [
      "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      'Developer instruction is not enabled for models/gemma-3-27b-it',
      'System role not supported',
    ]) {
      it(`is learnt from its refusal: ${message}`, async () => {
        const http = network(refuses('', message), good);
        const messages = [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hi' },
        ] as const;
        assert.equal((await askOffline(http, { messages })).types.at(-1), 'modelFinished');
        assert.deepEqual(bodyOf(http.sent[1])['messages'], [{ role: 'user', content: 'Be brief.\n\nhi' }]);
      });
    }

    it('is learnt from its refusal: reasoning_content', async () => {
      const toolCalls = [{ id: 'c', name: 't', arguments: '{}' }];
      const messages: ModelRequest['messages'] = [
        { role: 'user', content: 'hi' },
        { role: 'assistant', model: 'm', content: '', reasoning: 'Hm.', toolCalls },
        { role: 'tool', toolCallId: 'c', content: 'x' },
      ];
      const forbidden = 'messages.1.assistant.reasoning_content: Extra inputs are not permitted';
      const http = network(refuses('', forbidden), good);
      const tools = [{ name: 't', description: 'd', parameters: { type: 'object' } }];
      assert.equal((await askOffline(http, { messages, tools })).types.at(-1), 'modelFinished');
      assert.match(http.sent[0]?.body as string, /reasoning_content/);
      assert.doesNotMatch(http.sent[1]?.body as string, /reasoning_content/);
      const missing = refuses('', 'Missing `reasoning_content` field in the assistant message');
      const wanted = network(missing, good);
      const plain: ModelRequest['messages'] = [
        ...messages,
        { role: 'assistant', model: 'm', content: 'Done.' },
      ];
      assert.equal((await askOffline(wanted, { messages: plain, tools })).code, undefined);
      assert.equal(String(wanted.sent[1]?.body).split('reasoning_content').length - 1, 2);
    });

    it('is not guessed: a value that is out of range stays an error, and a lesson counts once', async () => {
      const range = refuses('temperature', 'temperature must be at most 1.');
      assert.equal((await askOffline(network(range), { temperature: 2 })).code, 'request');
      const http = network(...Array.from({ length: 5 }, () => refuses('stream_options')));
      assert.equal((await askOffline(http)).code, 'request');
      assert.equal(http.sent.length, 2);
    });
  });

  it('adds what the user set for the model, and nothing in place of the conversation or the key', async () => {
    const http = network(good);
    const ours = {
      messages: [],
      model: 'other',
      tools: [],
      stream: false,
      input: [],
      system: 'x',
      tool_choice: 'any',
    };
    const body = { provider: { order: ['x'] }, ...ours };
    const headers = { 'x-route': 'a', authorization: 'Bearer other' };
    const profiles = { ...createProfiles(), extras: () => ({ body, headers }) };
    await askOffline(http, {}, undefined, { profiles });
    const [sent] = http.sent;
    const asked = JSON.parse(String(sent?.body)) as Record<string, unknown>;
    assert.deepEqual(asked['provider'], { order: ['x'] });
    assert.deepEqual([asked['model'], asked['stream']], ['m', true]);
    for (const field of ['tools', 'input', 'system', 'tool_choice']) assert.ok(!(field in asked), field);
    assert.deepEqual(asked['messages'], [{ role: 'user', content: 'hi' }]);
    assert.deepEqual([sent?.headers['x-route'], sent?.headers['authorization']], ['a', 'Bearer sk-1']);
  });

  describe('a parameter that the user set', () => {
    const refuses = (error: object): Reply => ({
      ...{ status: 400, type: 'application/json' },
      pieces: [JSON.stringify({ error: { type: 'invalid_request_error', ...error } })],
    });
    const onlyDefault = refuses({
      message:
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      param: 'temperature',
    });
    const otherEfforts = refuses({
      message:
        "Unsupported value: 'reasoning_effort' does not support 'max' with this model. Supported values are: 'low', and 'high'.",
      param: 'reasoning_effort',
    });
    const unknownEffort = refuses({ message: 'Unrecognized request argument supplied: reasoning_effort' });
    const bodyOf = (request: HttpRequest | undefined) =>
      JSON.parse(request?.body as string) as Record<string, unknown>;

    it('is left out for a model that refuses it, which is said once', async () => {
      const http = network(onlyDefault, good, good);
      const stream = createStreamModel(offlineOptions(http));
      const said: string[] = [];
      const ask = async (model: string) => {
        const messages = [{ role: 'user' as const, content: 'hi' }];
        const { signal } = new AbortController();
        for await (const event of stream({ model, messages, stream: true, temperature: 0.2 }, signal)) {
          if (event.type === 'parameterRefused') said.push(event.refused);
        }
      };
      await ask('m');
      await ask('m');
      assert.deepEqual(said, ['temperature']);
      assert.deepEqual(
        http.sent.map((request) => bodyOf(request)['temperature']),
        [0.2, undefined, undefined],
      );
    });

    it('is remembered by value where the model takes others, and for each model', async () => {
      const profiles = createProfiles();
      const http = network(otherEfforts, unknownEffort, good);
      const asked = { reasoningEffort: 'max' as const };
      const { signal } = new AbortController();
      const first = await askOffline(http, asked, signal, { profiles });
      assert.equal(first.code, 'request', 'a lesson counts once: the second refusal is of what was not sent');
      assert.deepEqual(profiles.facts('m').refusedParameters, ['reasoningEffort=max']);
      const again = await askOffline(network(good), { reasoningEffort: 'low' }, signal, { profiles });
      assert.deepEqual(again.code, undefined);
      const gone = network(unknownEffort, good);
      const { events } = await askOffline(gone, { reasoningEffort: 'low' }, signal, { profiles });
      assert.deepEqual(
        events.filter(({ type }) => type === 'parameterRefused'),
        [{ type: 'parameterRefused', refused: 'reasoningEffort' }],
      );
      assert.equal(bodyOf(gone.sent[0])['reasoning_effort'], 'low');
      assert.ok(!('reasoning_effort' in bodyOf(gone.sent[1])));
    });

    it('stays an error where the refusal is of something else', async () => {
      const other = refuses({
        message: 'max_tokens is too large: 9. This model supports at most 4.',
        param: 'max_tokens',
      });
      assert.equal((await askOffline(network(other), { maxTokens: 9, temperature: 0.2 })).code, 'request');
      assert.equal((await askOffline(network(onlyDefault), {})).code, 'request');
    });
  });

  describe('cache marks', () => {
    const toolCalls = [{ id: 'c', name: 't', arguments: '{}' }];
    const messages: ModelRequest['messages'] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'assistant', model: 'claude', content: 'Two' },
      { role: 'user', content: 'Three' },
      { role: 'assistant', model: 'claude', content: 'Looking.', toolCalls },
      { role: 'tool', toolCallId: 'c', content: 'x' },
    ];
    const tools = [{ name: 't', description: 'd', parameters: { type: 'object' } }];
    const request = (model: string): ModelRequest => ({ model, messages, tools, stream: true });
    const counted = (cached: number | undefined): Reply => ({
      pieces: [
        words('Hello'),
        stop,
        chunk({
          choices: [],
          usage: {
            prompt_tokens: 9000,
            ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
          },
        }),
        'data: [DONE]\n\n',
      ],
    });
    const refusesMarks: Reply = {
      status: 400,
      type: 'application/json',
      pieces: ['{"error":{"message":"messages.0.content.0.cache_control: Extra inputs are not permitted"}}'],
    };

    /** Asks one relay several times; returns the marked roles of each request. */
    async function marked(models: readonly string[], replies: readonly Reply[], baseUrl?: string) {
      const http = network(...replies);
      const options = offlineOptions(http);
      const stream = createStreamModel({
        ...options,
        ...(baseUrl && { connection: { ...options.connection, baseUrl } }),
      });
      for (const model of models) for await (const _ of stream(request(model), new AbortController().signal));
      return http.sent.map(({ body }) => {
        const sent = JSON.parse(body as string) as { messages: { role: string; content: unknown }[] };
        return sent.messages
          .filter(({ content }) => JSON.stringify(content).includes('"cache_control":{"type":"ephemeral"}'))
          .map(({ role }) => role);
      });
    }
    /** One API drops the calls of a marked answer. */
    const all = ['system', 'assistant', 'user'];

    it('stand on parts of texts for Claude models, and never for others', async () => {
      assert.deepEqual(await marked(['anthropic/claude-sonnet-4.5', 'gpt-5', 'claudette'], []), [
        all,
        [],
        all,
      ]);
      assert.deepEqual(await marked(['us.anthropic.claude-opus', 'gemini'], []), [all, []]);
    });

    it('stand on results only for OpenRouter', async () => {
      const [first] = await marked(['claude'], [], 'https://openrouter.ai/api');
      assert.deepEqual(first, [...all, 'tool']);
    });

    it('are left out for good, and at once, when the relay refuses them', async () => {
      assert.deepEqual(await marked(['claude', 'claude'], [refusesMarks, good, good]), [all, [], []]);
    });

    it('are left out when nothing was cached three times in a row', async () => {
      const misses = Array.from({ length: 5 }, () => counted(0));
      const asked = Array.from({ length: 6 }, () => 'claude');
      assert.deepEqual(await marked(asked, misses), [all, all, all, all, [], []]);
      const silent = Array.from({ length: 6 }, () => counted(undefined));
      assert.ok((await marked(asked, silent)).every((roles) => roles.length === 3));
    });

    it('stay where the relay honours them, also after a miss', async () => {
      const replies = [0, 0, 0, 8000, 0, 0, 8000].map(counted);
      const asked = replies.map(() => 'claude');
      assert.ok((await marked(asked, replies)).every((roles) => roles.length === 3));
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
        'an error for a finish reason',
        { pieces: [words('Hi'), chunk({ choices: [{ delta: {}, finish_reason: 'error' }] })] },
        'truncated',
      ],
      [
        'a refusal that breaks off',
        { status: 403, type: 'application/json', pieces: ['{"error":{', broken] },
        'not-permitted',
      ],
      [
        'an error after the finish reason',
        { pieces: [words('Hi'), stop, chunk({ error: { code: 500 } })] },
        'truncated',
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
      [
        'nothing, since a filter kept it',
        { pieces: [chunk({ choices: [{ delta: {}, finish_reason: 'content_filter' }] })] },
        'modelFinished',
      ],
    ];
    for (const [name, reply, end] of cases) {
      it(`${name}: ${end}`, async () => {
        const { types, code } = await askOffline(network(reply));
        assert.equal(code ?? types.at(-1), end);
      });
    }

    it('is an answer that is said to be kept only where something of it came', async () => {
      const cut = async (reply: Reply) => (await askOffline(network(reply))).failure?.message;
      assert.match((await cut({ pieces: [words('Hel')] })) ?? '', /The partial answer was kept\.$/);
      for (const reply of [
        { type: 'application/json', pieces: ['{"choices":[{'] },
        { pieces: [chunk({ choices: [{ delta: { role: 'assistant' } }] })] },
      ])
        assert.match((await cut(reply)) ?? '', /before the model finished it\. Try again\.$/);
    });
  });
});
