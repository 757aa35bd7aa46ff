import assert from 'node:assert/strict';
import type { Message, ModelRequest } from '../../../src/relay/messages.ts';
import { readModels } from '../../../src/relay/list/readModels.ts';
import { askOffline } from '../../support/askOffline.ts';
import { messagesServed } from '../../support/servedProfiles.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';

const event = (type: string, more: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const start = event('message_start', { message: { model: 'm', usage: { input_tokens: 3 } } });
const block = (index: number, content: object, ...deltas: object[]) =>
  [
    event('content_block_start', { index, content_block: content }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ].join('');
const said = (text: string) => block(0, { type: 'text', text: '' }, { type: 'text_delta', text });
const end = (reason: string) =>
  event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 4 } }) +
  event('message_stop');
const answer = (...pieces: string[]): Reply => ({ pieces: [start, ...pieces, end('end_turn')] });
const chat: Reply = {
  pieces: ['data: {"choices":[{"delta":{"content":"By chat."},"finish_reason":"stop"}]}\n\n'],
};
const refusal = (status: number, error: object, type = 'application/json'): Reply => ({
  ...{ status, type },
  pieces: [JSON.stringify({ error, type: 'error' })],
});
const notFound = refusal(404, { message: 'Invalid URL (POST /v1/messages)', type: 'invalid_request_error' });

const ask = (
  http: ReturnType<typeof replayNetwork>,
  request: Partial<ModelRequest> = {},
  profiles = messagesServed(),
) => askOffline(http, request, undefined, { profiles });
const pathsOf = ({ sent }: ReturnType<typeof replayNetwork>) => sent.map(({ url }) => new URL(url).pathname);
const bodyOf = ({ sent }: ReturnType<typeof replayNetwork>, at = -1) =>
  JSON.parse(String(sent.at(at)?.body)) as Record<string, never>;

describe('a model asked by the messages protocol', () => {
  it('is sent the key and the version of the protocol', async () => {
    const http = replayNetwork(answer(said('Hi.')));
    const { code } = await ask(http);
    assert.equal(code, undefined);
    const [request] = http.sent;
    const { url, headers = {} } = request ?? {};
    assert.equal(url, 'https://relay.example/v1/messages');
    assert.deepEqual(
      [headers?.['authorization'], headers?.['anthropic-version'], headers?.['content-type']],
      ['Bearer sk-1', '2023-06-01', 'application/json'],
    );
  });

  it('has the counts that were told last, but for those that are not known at the end', async () => {
    const counted = event('message_delta', {
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 0, output_tokens: 9 },
    });
    const http = replayNetwork({ pieces: [start, said('Hi.'), counted, event('message_stop')] });
    const { events } = await ask(http);
    const finished = events.at(-1);
    assert.ok(finished?.type === 'modelFinished');
    assert.deepEqual(finished.usage, { promptTokens: 3, completionTokens: 9 });
  });

  it('says why it stopped in the words of chat completions', async () => {
    for (const [word, reason] of [
      ['model_context_window_exceeded', 'length'],
      ['max_tokens', 'length'],
      ['refusal', 'content_filter'],
      ['stop_sequence', 'stop'],
    ] as const) {
      const { events } = await ask(replayNetwork({ pieces: [start, said('Hi.'), end(word)] }));
      const finished = events.at(-1);
      assert.equal(finished?.type === 'modelFinished' && finished.reason, reason);
    }
  });

  it('tells its reasoning as it signed it, with what is encrypted, before its calls', async () => {
    const http = replayNetwork({
      pieces: [
        start,
        block(
          0,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: 'Look ' },
          { type: 'thinking_delta', thinking: 'at a.' },
          { type: 'signature_delta', signature: 'c2ln' },
        ),
        block(1, { type: 'redacted_thinking', data: 'eHl6' }),
        block(
          2,
          { type: 'tool_use', id: 't', name: 'read', input: {} },
          {
            ...{ type: 'input_json_delta', partial_json: '{"a":1}' },
          },
        ),
        end('tool_use'),
      ],
    });
    const { events } = await ask(http);
    assert.deepEqual(events.slice(1), [
      { type: 'reasoningAdded', text: 'Look at a.' },
      {
        type: 'reasoningSigned',
        blocks: [{ text: 'Look at a.', signature: 'c2ln' }, { redacted: 'eHl6' }],
      },
      { type: 'toolCallsCompleted', calls: [{ id: 't', name: 'read', arguments: '{"a":1}' }] },
      {
        type: 'modelFinished',
        reason: 'tool_calls',
        usage: { promptTokens: 3, completionTokens: 4 },
        model: 'm',
      },
    ]);
  });

  it('tells the same of an answer in one piece', async () => {
    const body = {
      ...{ type: 'message', model: 'm', stop_reason: 'tool_use' },
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 't', name: 'read', input: { a: 1 } },
      ],
    };
    const http = replayNetwork({ type: 'application/json', pieces: [JSON.stringify(body)] });
    const { types, events } = await ask(http, { stream: false });
    assert.deepEqual(types, [
      ...['requestSent', 'reasoningAdded', 'textAdded', 'reasoningSigned', 'toolCallsCompleted'],
      'modelFinished',
    ]);
    assert.deepEqual(events[3], {
      type: 'reasoningSigned',
      blocks: [{ text: 'Hm.', signature: 's' }],
    });
    assert.equal(bodyOf(http)['stream'], false);
  });

  for (const [reason, ours] of Object.entries({
    end_turn: 'stop',
    stop_sequence: 'stop',
    max_tokens: 'length',
    refusal: 'content_filter',
    pause_turn: 'pause_turn',
  })) {
    it(`stops for "${reason}": ${ours}`, async () => {
      const { events } = await ask(replayNetwork({ pieces: [start, said('Hi.'), end(reason)] }));
      const last = events.at(-1);
      assert.equal(last?.type === 'modelFinished' && last.reason, ours);
    });
  }

  it('is cut off when no reason came, and none of its calls is made', async () => {
    const call = block(0, { type: 'tool_use', id: 't', name: 'read', input: {} });
    const { code, types } = await ask(replayNetwork({ pieces: [start, call] }));
    assert.equal(code, 'truncated');
    assert.ok(!types.includes('toolCallsCompleted'));
  });

  it('never shows a secret that the relay repeats, nor sends it back', async () => {
    const key = 'sk-secret-of-the-user';
    const thinking = block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: `It is ${key}.` },
      { type: 'signature_delta', signature: 's' },
    );
    const http = replayNetwork(answer(thinking, said(`Your key is ${key}.`)));
    const { events } = await askOffline(http, {}, undefined, {
      profiles: messagesServed(),
      connection: { baseUrl: 'https://relay.example', key, headers: {} },
    });
    assert.ok(!JSON.stringify(events).includes('secret-of'));
    assert.deepEqual(
      events.filter(({ type }) => type === 'reasoningSigned'),
      [{ type: 'reasoningSigned', blocks: [] }],
    );
  });

  it('is marked for the cache whatever its name, and not any more once the relay refuses marks', async () => {
    const why = 'messages.0.content.0.cache_control: Extra inputs are not permitted';
    const http = replayNetwork(
      refusal(400, { type: 'invalid_request_error', message: why }),
      answer(said('Hi.')),
    );
    const { code } = await ask(http);
    assert.equal(code, undefined);
    const marked = http.sent.map(({ body }) => String(body).includes('cache_control'));
    assert.deepEqual(marked, [true, false]);
    assert.deepEqual(pathsOf(http), ['/v1/messages', '/v1/messages']);
  });

  it('is asked for fewer tokens where it gives fewer, unless the user set how many', async () => {
    const why = 'max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for m';
    const tooMany = refusal(400, { type: 'invalid_request_error', message: why });
    const http = replayNetwork(tooMany, answer(said('Hi.')));
    await ask(http);
    assert.equal(bodyOf(http)['max_tokens'], 4096);
    const set = replayNetwork(tooMany, answer(said('Hi.')));
    assert.equal((await ask(set, { maxTokens: 8192 })).code, 'request');
    assert.equal(set.sent.length, 1);
  });

  it('is not sent its reasoning again where that is refused', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'u' },
      {
        ...{ role: 'assistant', model: 'm', content: '' },
        signedReasoning: [{ text: 't', signature: 's' }],
        toolCalls: [{ id: 't', name: 'read', arguments: '{}' }],
      },
      { role: 'tool', toolCallId: 't', content: 'r' },
    ];
    const why = 'messages.1.content.0: Invalid `signature` in `thinking` block';
    const http = replayNetwork(
      refusal(400, { type: 'invalid_request_error', message: why }),
      answer(said('Hi.')),
    );
    const tools = [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }];
    assert.equal((await ask(http, { messages, tools })).code, undefined);
    const echoed = http.sent.map(({ body }) => String(body).includes('"thinking"'));
    assert.deepEqual(echoed, [true, false]);
    assert.deepEqual(pathsOf(http), ['/v1/messages', '/v1/messages']);
  });
});

describe('the reasoning effort by the messages protocol', () => {
  const refuses = (message: string) => refusal(400, { type: 'invalid_request_error', message });
  const adaptive = 'adaptive thinking is not supported on this model';
  const budget =
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
  const effortOf = (http: ReturnType<typeof replayNetwork>, at: number) => {
    const { thinking, output_config: config } = bodyOf(http, at);
    return [thinking?.['type'], config?.['effort']];
  };

  for (const why of [
    adaptive,
    'This model does not support the effort parameter.',
    "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'",
    'output_config: Extra inputs are not permitted',
    "thinking.type: Input should be 'enabled' or 'disabled'",
  ]) {
    it(`is a budget of tokens for a model that refuses: ${why}`, async () => {
      const profiles = messagesServed();
      const http = replayNetwork(refuses(why), answer(said('Hi.')));
      const { code, events } = await ask(http, { reasoningEffort: 'low' }, profiles);
      assert.equal(code, undefined);
      assert.deepEqual(
        [effortOf(http, 0), effortOf(http, 1)],
        [
          ['adaptive', 'low'],
          ['enabled', undefined],
        ],
      );
      assert.ok(!events.some(({ type }) => type === 'parameterRefused'));
      assert.deepEqual([pathsOf(http).at(-1), profiles.facts('m').protocol], ['/v1/messages', 'messages']);
    });
  }

  it('is left out, for good, for a model that takes neither, as a relay that masks addresses says it', async () => {
    const profiles = messagesServed();
    const masked = budget.replaceAll('thinking.type', '***.***');
    const http = replayNetwork(refuses(adaptive), refuses(masked), answer(said('Hi.')), answer(said('Hi.')));
    const again = () => askOffline(http, { reasoningEffort: 'high' }, undefined, { profiles });
    const { events } = await again();
    assert.deepEqual(
      events.filter(({ type }) => type === 'parameterRefused'),
      [{ type: 'parameterRefused', refused: 'reasoningEffort' }],
    );
    assert.deepEqual(effortOf(http, 2), [undefined, undefined]);
    await again();
    assert.deepEqual([http.sent.length, profiles.facts('m').refusedParameters], [4, ['reasoningEffort']]);
  });

  for (const [effort, why] of [
    ['xhigh', "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium."],
    ['max', "output_config.effort: Input should be 'low', 'medium' or 'high'"],
    ['none', '"thinking.type.disabled" is not supported for this model.'],
  ] as const) {
    it(`is left out where only ${effort} is refused`, async () => {
      const http = replayNetwork(refuses(why), answer(said('Hi.')));
      const { code, events } = await ask(http, { reasoningEffort: effort });
      assert.equal(code, undefined);
      assert.deepEqual(
        events.filter(({ type }) => type === 'parameterRefused'),
        [{ type: 'parameterRefused', refused: `reasoningEffort=${effort}` }],
      );
      assert.deepEqual(effortOf(http, 1), [undefined, undefined]);
    });
  }

  it('makes room for what is thought, and learns how much there is', async () => {
    const why = 'max_tokens: 40960 > 32000, which is the maximum allowed number of output tokens for m';
    const http = replayNetwork(refuses(adaptive), refuses(why), answer(said('Hi.')));
    assert.equal((await ask(http, { reasoningEffort: 'max' })).code, undefined);
    const { max_tokens: limit, thinking } = bodyOf(http);
    assert.deepEqual([limit, thinking], [32_000, { type: 'enabled', budget_tokens: 25_600 }]);
  });
});

describe('a relay that only half speaks the messages protocol', () => {
  const unknown: Record<string, Reply> = {
    'knows no such address': notFound,
    'shows a page': { type: 'text/html', pieces: ['<!doctype html><title>Console</title>'] },
    'cannot translate': refusal(500, {
      message: 'not implemented',
      type: 'new_api_error',
      code: 'convert_request_failed',
    }),
    'refuses the request': refusal(400, { type: 'invalid_request_error', message: 'unknown field' }),
    'answers by chat completions': chat,
    'answers so in one piece': {
      type: 'application/json',
      pieces: ['{"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}'],
    },
  };
  for (const [what, reply] of Object.entries(unknown)) {
    it(`${what}: is asked by chat completions instead, from then on`, async () => {
      const profiles = messagesServed();
      const http = replayNetwork(reply, chat);
      const { code, events } = await ask(http, {}, profiles);
      assert.equal(code, undefined);
      assert.deepEqual(pathsOf(http), ['/v1/messages', '/v1/chat/completions']);
      assert.ok(events.some((each) => each.type === 'textAdded' && each.text === 'By chat.'));
      assert.equal(profiles.facts('m').protocol, 'chat-completions');
      await ask(http, {}, profiles);
      assert.equal(pathsOf(http).at(-1), '/v1/chat/completions');
    });
  }

  it('is remembered only when it answers by the other, and asked once by each', async () => {
    const profiles = messagesServed();
    const http = replayNetwork(notFound, refusal(400, { message: 'No.', type: 'invalid_request_error' }));
    const { code, failure } = await ask(http, {}, profiles);
    assert.deepEqual([code, failure?.why], ['request', 'No.']);
    assert.equal(http.sent.length, 2);
    assert.deepEqual([...profiles.learnt], []);
  });

  it('is not doubted for what the user chose, the key, the model or a passing failure', async () => {
    const replies = [
      refusal(400, { message: 'temperature: range: 0..1', type: 'invalid_request_error' }),
      refusal(401, { message: 'Invalid token', type: 'authentication_error' }),
      refusal(503, {
        message: 'No available channel for model m',
        type: 'new_api_error',
        code: 'model_not_found',
      }),
      refusal(529, { message: 'Overloaded', type: 'overloaded_error' }),
    ];
    for (const reply of replies) {
      const http = replayNetwork(reply);
      const { code } = await ask(http);
      assert.ok(code !== undefined);
      assert.ok(
        pathsOf(http).every((path) => path === '/v1/messages'),
        pathsOf(http).join(),
      );
    }
  });

  it('is believed by the user who names the protocol for all models', async () => {
    const profiles = messagesServed('messages');
    const http = replayNetwork(notFound, chat);
    assert.equal((await ask(http, {}, profiles)).code, 'wrong-address');
    assert.deepEqual(pathsOf(http), ['/v1/messages']);
  });
});

describe('the protocol of a model', () => {
  it('is what the list names first, responses only where it names no other, and unknown where it says nothing', () => {
    const data = [
      { id: 'a', supported_endpoint_types: ['anthropic', 'openai'] },
      { id: 'b', supported_endpoint_types: ['openai'] },
      { id: 'c', supported_endpoint_types: [] },
      { id: 'claude-d' },
      // A relay behind the relay: translated, and dearer.
      { id: 'e', supported_endpoint_types: ['openai', 'anthropic'] },
      { id: 'f', supported_endpoint_types: ['openai-response', 'openai-response-compact'] },
      { id: 'g', supported_endpoint_types: ['openai-response', 'openai'] },
      { id: 'h', supported_endpoint_types: ['openai-response', 'anthropic', 'openai'] },
      // LiteLLM
      { id: 'i', mode: 'responses' },
      { id: 'j', mode: 'chat' },
    ];
    assert.deepEqual(
      readModels({ data })?.map(({ id, protocol }) => [id, protocol]),
      [
        ['a', 'messages'],
        ['b', undefined],
        ['c', undefined],
        ['claude-d', undefined],
        ['e', undefined],
        ['f', 'responses'],
        ['g', undefined],
        ['h', 'messages'],
        ['i', 'responses'],
        ['j', undefined],
      ],
    );
  });
});
