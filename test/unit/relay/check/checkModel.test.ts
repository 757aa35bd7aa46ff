import assert from 'node:assert/strict';
import { estimateTokens } from '../../../../src/chat/context/tokenEstimate.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { mostRequests, mostTokens } from '../../../../src/relay/check/checkLimits.ts';
import { checkModel, type CheckOptions, mostCost } from '../../../../src/relay/check/checkModel.ts';
import { isNameOf } from '../../../../src/relay/check/checkFindings.ts';
import { renderCheckReport } from '../../../../src/relay/check/checkReport.ts';
import {
  createProfiles,
  type ModelFacts,
  type ModelProfiles,
} from '../../../../src/relay/profile/modelFacts.ts';
import { linesOf } from '../../../support/checked.ts';
import {
  type ChatAnswer,
  chatAnswer,
  chatRefusal,
  type GotRequest,
  responsesAnswer,
  servingRelay,
} from '../../../support/servingRelay.ts';
import type { Reply } from '../../../support/replayNetwork.ts';
import { silentLog } from '../../../support/silentLog.ts';
import type { AskModel } from '../../../../src/relay/streamModel.ts';

type Kind = 'ready' | 'calls' | 'results' | 'picture' | 'effort';

function kindOf({ messages, tools, reasoning_effort: effort }: JsonObject): Kind {
  const list = messages as { role: string; content: unknown }[];
  if (effort === 'low') return 'effort';
  if (tools !== undefined) return list.some(({ role }) => role === 'assistant') ? 'results' : 'calls';
  return list.some(({ content }) => Array.isArray(content)) ? 'picture' : 'ready';
}

const usage = { prompt_tokens: 60, completion_tokens: 8 };
const twoCalls = ['alpha', 'beta'].map((name) => ({
  name: 'get_number',
  arguments: JSON.stringify({ name }),
}));
/** A model that passes every check. */
const well: Record<Kind, ChatAnswer> = {
  ready: { text: 'ready', usage },
  calls: { calls: twoCalls, usage: { ...usage, prompt_tokens: 1400 } },
  results: {
    text: '41 and 42',
    usage: { ...usage, prompt_tokens: 1500, prompt_tokens_details: { cached_tokens: 1280 } },
  },
  picture: { text: 'Orange, green.', usage },
  effort: { reasoning: '17 times 23 is 391.', text: '400', usage },
};
/** A model that reasons until its limit. */
const cutOff: Reply = {
  pieces: [
    `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: 'Hm' }, finish_reason: 'length' }] })}\n\n`,
    'data: [DONE]\n\n',
  ],
};
const further = { '/v1/messages': 'messages', '/v1/responses': 'responses' } as const;
type Way = Kind | 'messages' | 'responses';

function wayOf({ path, body }: GotRequest): Way {
  return Object.entries(further).find(([each]) => each === path)?.[1] ?? kindOf(body);
}

type Ways = Partial<Record<Way, ChatAnswer | Reply | Error | ((got: GotRequest) => Reply)>>;

function relay(ways: Ways = {}) {
  return servingRelay((got) => {
    const kind = wayOf(got);
    const isFurther = kind === 'messages' || kind === 'responses';
    const way = ways[kind] ?? (isFurther ? chatRefusal(404, `Invalid URL (POST ${got.path})`) : well[kind]);
    if (way instanceof Error) return way;
    if (typeof way === 'function') return way(got);
    return 'pieces' in way || 'status' in way ? way : chatAnswer(way as ChatAnswer);
  });
}

const messageEvent = (fields: { type: string }) =>
  `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`;
const messagesPieces = [
  messageEvent({ type: 'message_start', ...{ message: { model: 'm', usage: { input_tokens: 9 } } } }),
  messageEvent({ type: 'content_block_start', ...{ index: 0, content_block: { type: 'text', text: '' } } }),
  messageEvent({
    type: 'content_block_delta',
    ...{ index: 0, delta: { type: 'text_delta', text: 'ready' } },
  }),
  messageEvent({
    type: 'message_delta',
    ...{ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  }),
  messageEvent({ type: 'message_stop' }),
];

async function check(
  ways: Ways | ReturnType<typeof relay> = {},
  { profiles = createProfiles(), ...options }: Partial<CheckOptions> & { profiles?: ModelProfiles } = {},
) {
  const http = 'send' in ways ? ways : relay(ways);
  const result = await checkModel(
    {
      ...{ http, profiles, log: silentLog },
      connection: { baseUrl: 'https://relay.example', key: 'sk-0123456789abcdef', headers: {} },
      timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 },
    },
    { model: 'm', signal: new AbortController().signal, onStep: () => undefined, ...options },
  );
  return { result, lines: linesOf(result), sent: http.sent, profiles };
}

describe('checkModel', () => {
  it('finds nothing wrong with a model that does all', async () => {
    const { result, lines, sent } = await check();
    assert.deepEqual(lines, {
      'chat-completions': 'ok: Answered.',
      messages: 'no: Refused.',
      responses: 'no: Refused.',
      streaming: 'ok: Answers arrive in pieces.',
      calls: 'ok: Several calls in one answer.',
      results: 'ok: Calls with their results are accepted and answered.',
      images: 'ok: Accepted, and its colors were recognized.',
      reasoning: 'ok: Shown with the answer.',
      effort: 'ok: Effort "low" is accepted.',
      caching: 'ok: 1,280 of 1,500 tokens in the second prompt came from the cache.',
      usage: 'ok: Reported with every answer.',
      price: 'skipped: The relay reports neither a price nor what it charges.',
      name: 'ok: The answers name the requested model.',
    });
    assert.deepEqual(result.facts, { protocol: 'chat-completions', toolCalling: true, vision: true });
    assert.equal(result.requests, sent.length);
    assert.deepEqual(sent.map(wayOf), [
      ...['ready', 'messages', 'responses', 'calls', 'results', 'picture', 'effort'],
    ]);
  });

  it('sends a prompt twice that vendors cache, and counts no fewer tokens than there are', async () => {
    const { sent, result } = await check();
    const [first, second] = sent
      .filter(({ body }) => body['tools'] !== undefined)
      .map(({ body }) => JSON.stringify((body['messages'] as unknown[])[0]));
    assert.equal(first, second);
    assert.ok(estimateTokens(first ?? '') > 1100);
    for (const { body, size } of sent.filter((got) => wayOf(got) !== 'picture')) {
      const messages = (body['messages'] ?? body['input']) as { content?: string }[];
      const texts = messages.map(({ content = '' }) => content);
      const prompt = estimateTokens([...texts, JSON.stringify(body['tools'] ?? '')].join('\n'));
      assert.ok(size / 4 >= prompt, `${size} characters, ${prompt} tokens`);
    }
    assert.ok(result.tokens > 3000 && result.tokens <= mostTokens);
  });

  const verdicts: [
    name: string,
    ways: Ways,
    expected: Partial<Record<string, string>>,
    facts?: ModelFacts,
  ][] = [
    [
      'one call at a time',
      { calls: { calls: twoCalls.slice(0, 1) } },
      { calls: 'warning: One call per answer, although two were requested.' },
      { toolCalling: true },
    ],
    [
      'no call',
      { calls: { text: 'I will not.' } },
      {
        calls: 'warning: Tools are accepted, but no call was made.',
        results: 'skipped: No call was made.',
        caching: 'ok: 1,280 of 1,500 tokens in the second prompt came from the cache.',
      },
    ],
    [
      'refused tools',
      { calls: chatRefusal(400, 'm does not support tools') },
      {
        calls: 'no: Refused.',
        results: 'skipped: No call was made.',
        caching: 'skipped: Not checked: tools were refused.',
      },
      { toolCalling: false },
    ],
    ['refused results', { results: chatRefusal(400, 'Corrupted.') }, { results: 'no: Refused.' }],
    [
      'calls that the limit cuts off',
      { calls: cutOff },
      {
        calls: 'skipped: Accepted, but the answer was cut off by the token limit of this check.',
        results: 'skipped: No call was made.',
      },
    ],
    [
      'a picture whose answer the limit cuts off',
      { picture: cutOff },
      { images: 'skipped: Accepted, but the answer was cut off by the token limit of this check.' },
    ],
    [
      'a picture that is not seen',
      { picture: { text: 'A red and a green half.' } },
      { images: "warning: Accepted, but its colors weren't recognized." },
    ],
    [
      'refused pictures',
      { picture: chatRefusal(400, 'm does not support image input') },
      { images: 'no: Refused.' },
      { vision: false },
    ],
    [
      'reasoning that is counted alone',
      { effort: { text: '400', usage: { ...usage, completion_tokens_details: { reasoning_tokens: 64 } } } },
      { reasoning: 'ok: Counted in the usage, but not shown.' },
    ],
    ['no reasoning', { effort: { text: '400', usage } }, { reasoning: 'no: None was shown or counted.' }],
    [
      'a refused effort',
      {
        effort: chatRefusal(400, "Unsupported parameter: 'reasoning_effort' is not supported.", {
          param: 'reasoning_effort',
        }),
        ready: { text: 'ready', usage },
      },
      { effort: 'no: Effort "low" is refused.' },
      { refusedParameters: ['reasoningEffort'] },
    ],
    [
      'nothing cached',
      { results: { text: '41', usage: { ...usage, prompt_tokens_details: { cached_tokens: 0 } } } },
      { caching: 'warning: The same prompt was sent twice (60 tokens), but nothing was cached.' },
    ],
    [
      'untold caching',
      { results: { text: '41', usage } },
      { caching: "warning: The usage doesn't report cached tokens." },
    ],
    [
      'usage that is missing once',
      { effort: { text: '400' } },
      { usage: 'warning: Missing in some answers.' },
    ],
    [
      'another name',
      { ready: { text: 'ready', usage, model: 'cheaper' } },
      { name: 'warning: The answers name another model: "cheaper"' },
    ],
    [
      'a protocol that fails for now',
      { messages: chatRefusal(503, 'Overloaded.') },
      { messages: 'warning: The relay or the upstream provider failed. Try again in a moment.' },
    ],
  ];
  for (const [name, ways, expected, facts] of verdicts) {
    it(`tells ${name}`, async () => {
      const { lines, result } = await check(ways);
      const told = Object.fromEntries(Object.keys(expected).map((each) => [each, lines[each as 'calls']]));
      assert.deepEqual(told, expected);
      if (facts) assert.deepEqual({ ...result.facts, ...facts }, result.facts);
    });
  }

  it('gives calls back as the model made them, with its reasoning, and broken arguments as none', async () => {
    const calls = [...twoCalls.slice(0, 1), { name: 'get_number', arguments: '{"name' }];
    const { sent } = await check({ calls: { reasoning: 'Two numbers.', calls } });
    const way = sent.find((got) => wayOf(got) === 'results');
    const [, , made, ...results] = (way?.body['messages'] ?? []) as Record<string, unknown>[];
    assert.equal(made?.['reasoning_content'], 'Two numbers.');
    const given = made?.['tool_calls'] as { function: { arguments: string } }[];
    assert.deepEqual(
      given.map((call) => call.function.arguments),
      ['{"name":"alpha"}', '{}'],
    );
    assert.deepEqual(
      results.map(({ role, content }) => [role, content]),
      [
        ['tool', '41'],
        ['tool', '42'],
      ],
    );
  });

  it('learns of images only what is sure', async () => {
    const { result } = await check({ picture: { text: 'A red and a green half.' } });
    assert.equal(result.facts.vision, undefined);
    const { result: other } = await check({ picture: chatRefusal(503, 'Overloaded.') });
    assert.equal(other.facts.vision, undefined);
  });

  it('tells answers that come at once, as a stream or whole', async () => {
    const joined = (answer: ChatAnswer): Reply => ({
      pieces: [(chatAnswer(answer).pieces ?? []).join('')],
    });
    const atOnce = Object.fromEntries(Object.entries(well).map(([kind, answer]) => [kind, joined(answer)]));
    const { lines } = await check(atOnce);
    assert.equal(lines.streaming, 'warning: Answers are event streams but arrive all at once.');
    const choices = [{ message: { content: 'ready' }, finish_reason: 'stop' }];
    const whole: Reply = { type: 'application/json', pieces: [JSON.stringify({ model: 'm', choices })] };
    const kinds = ['ready', 'calls', 'results', 'picture', 'effort'];
    const { lines: those } = await check(Object.fromEntries(kinds.map((kind) => [kind, whole])));
    assert.equal(those.streaming, 'no: Not supported. Answers arrive all at once.');
    assert.equal(those.usage, 'no: Not reported.');
  });

  it('compares what is charged with the listed price', async () => {
    const price = { currency: 'USD', prompt: 0.001, completion: 0.002 };
    const charging = (factor: number): Ways =>
      Object.fromEntries(
        Object.entries(well).map(([kind, answer]) => {
          const told = answer.usage as typeof usage;
          const due = told.prompt_tokens * price.prompt + told.completion_tokens * price.completion;
          return [kind, { ...answer, usage: { ...told, cost: due * factor } }];
        }),
      );
    const found = async (factor: number) => (await check(charging(factor), { price })).lines.price;
    assert.equal(await found(1), 'ok: Charged $3.16, as listed.');
    assert.equal(await found(2), 'warning: Charged $6.32, which is more than the listed price of $3.16.');
    assert.equal(await found(0.5), 'ok: Charged $1.58, which is less than the listed price of $3.16.');
    assert.equal(
      (await check(charging(1))).lines.price,
      'skipped: Charged $3.16; no price is listed to compare.',
    );
    assert.equal(
      (await check({}, { price })).lines.price,
      "skipped: A price is listed; the relay doesn't report what it charges.",
    );
    const { result } = await check(charging(2), { price });
    assert.deepEqual(
      result.costs.map(({ amount, ...cost }) => ({ ...cost, amount: Math.round(amount * 100) })),
      [{ currency: 'USD', kind: 'charged', amount: 632 }],
    );
  });

  it('takes what the meter reckoned for no charge', async () => {
    const price = { currency: 'USD', prompt: 0.001, completion: 0.002 };
    const meter = async (ask: AskModel): Promise<AskModel> => {
      const cost = { amount: 1, currency: 'USD', kind: 'estimate' as const };
      return (request, signal, onEvent) =>
        ask(request, signal, (event) =>
          onEvent(event.type === 'modelFinished' ? { ...event, usage: { ...event.usage, cost } } : event),
        );
    };
    const { lines, result } = await check({}, { price, meter });
    assert.equal(lines.price, "skipped: A price is listed; the relay doesn't report what it charges.");
    assert.equal(result.costs[0]?.amount.toFixed(2), '3.16');
  });

  it('goes by the protocol that is listed, or that the user set, if it is answered', async () => {
    const listed = createProfiles(new Map([['m', { protocol: 'messages' as const }]]));
    const byMessages = await check({ messages: { pieces: messagesPieces } }, { profiles: listed });
    assert.equal(byMessages.result.protocol, 'messages');
    const asked = byMessages.sent.filter((got) => wayOf(got) === 'messages');
    assert.equal(asked.length, 5);
    // Further protocols only get a probe with a short answer.
    assert.equal(asked[0]?.body['max_tokens'], 32);
    const chosen: ModelProfiles = { ...createProfiles(), chosenProtocol: () => 'messages' };
    assert.equal(
      (await check({ messages: { pieces: messagesPieces } }, { profiles: chosen })).result.protocol,
      'messages',
    );
    assert.equal((await check({}, { profiles: listed })).result.protocol, 'chat-completions');
  });

  it('keeps what it learnt in the profile of the model, beside what was known', async () => {
    const profiles = createProfiles(new Map([['m', { refusedParameters: ['temperature'] }]]));
    const sources: string[] = [];
    const learn: ModelProfiles['learn'] = (id, facts, source) => {
      sources.push(source);
      profiles.learn(id, facts, source);
    };
    const ready = ({ body }: GotRequest) =>
      body['max_tokens'] === undefined
        ? chatAnswer(well.ready)
        : chatRefusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {
            param: 'max_tokens',
          });
    const effort = chatRefusal(400, "Unsupported parameter: 'reasoning_effort'.", {
      param: 'reasoning_effort',
    });
    await check({ ready, effort }, { profiles: { ...profiles, learn } });
    assert.deepEqual(sources, ['check']);
    const facts = profiles.facts('m');
    assert.equal(facts.maxTokensField, 'max_completion_tokens');
    assert.deepEqual(facts.refusedParameters, ['temperature', 'reasoningEffort']);
  });

  it('learns nothing where nothing was answered, and says nothing of the rest', async () => {
    const profiles = createProfiles();
    const { lines, sent } = await check({ ready: chatRefusal(503, 'Down.') }, { profiles });
    assert.deepEqual(Object.keys(lines), ['chat-completions', 'messages', 'responses']);
    assert.deepEqual(profiles.facts('m'), {});
    assert.equal(sent.length, 3);
  });

  it('ends with a failure that every request would meet', async () => {
    const { lines, sent, result } = await check({ ready: chatRefusal(429, 'Slow down.') });
    assert.equal(sent.length, 1);
    assert.equal(result.endedBy, 'rate-limit');
    assert.equal(lines.messages, 'skipped: Not checked: the check ended early.');
  });

  it('goes on where only another protocol refuses the key, or limits requests', async () => {
    for (const status of [401, 429]) {
      const { lines, result } = await check({ messages: chatRefusal(status, 'No.') });
      assert.match(lines.messages, /^warning: /);
      assert.equal(lines.effort, 'ok: Effort "low" is accepted.');
      assert.equal(result.endedBy, undefined);
    }
    const { result } = await check({ calls: chatRefusal(429, 'Slow down.') });
    assert.equal(result.endedBy, 'rate-limit');
  });

  it('keeps what was found when it is stopped', async () => {
    const stopping = new AbortController();
    const onStep = (step: string) => {
      if (step === 'Tool results') stopping.abort();
    };
    const { lines, sent, result } = await check({}, { signal: stopping.signal, onStep });
    assert.equal(lines.calls, 'ok: Several calls in one answer.');
    assert.equal(lines.images, 'skipped: Not checked: the check was stopped.');
    assert.ok(sent.length <= 5);
    assert.equal(result.facts.toolCalling, true);
  });

  it('sends what the user set for the model, but no other limit of tokens', async () => {
    const extras = { body: { max_tokens: 90_000, provider: { order: ['a'] } }, headers: { 'x-a': 'b' } };
    const { sent } = await check({}, { profiles: { ...createProfiles(), extras: () => extras } });
    const limits = sent.map(({ body }) => body['max_tokens'] ?? body['max_output_tokens']);
    assert.deepEqual([...new Set(limits)], [256, 32, 512]);
    assert.ok(sent.every(({ body }) => JSON.stringify(body['provider']) === '{"order":["a"]}'));
  });

  it('asks through the meter, and ends where the daily budget does', async () => {
    let asked = 0;
    const meter =
      async (ask: AskModel): Promise<AskModel> =>
      async (...args) => {
        asked += 1;
        if (asked > 3) throw new SwitchboardError('budget', 'Stopped at your daily budget.');
        return ask(...args);
      };
    const { sent, lines, result } = await check({}, { meter });
    assert.deepEqual([asked, sent.length, result.endedBy], [4, 3, 'budget']);
    assert.equal(lines.calls, 'warning: Stopped at your daily budget.');
  });

  it('costs at most what the dearer kind of token costs', () => {
    const price = { currency: 'USD', prompt: 1, completion: 10, cacheWrite: 2, request: 5 };
    const answers = 6 * 256 + 2 * 512;
    const amount = (mostTokens - answers) * 2 + answers * 10 + mostRequests * 5;
    assert.deepEqual(mostCost(price), { amount, currency: 'USD', kind: 'atMost' });
    assert.equal(mostCost({ currency: 'USD', prompt: 3, completion: 1 }).amount, mostTokens * 3);
  });
});

describe('the check of a model whose tools need the responses protocol', () => {
  const referral = chatRefusal(
    400,
    'Function tools with reasoning_effort are not supported for m in /v1/chat/completions. Please use /v1/responses instead.',
    { param: 'reasoning_effort' },
  );
  const needy: Ways = {
    calls: ({ body }) => (body['reasoning_effort'] === 'none' ? chatAnswer(well.calls) : referral),
  };
  const byResponses = ({ body }: GotRequest) => {
    const input = body['input'] as { role?: string; type?: string; content?: unknown }[];
    const isEffort = (body['reasoning'] as { effort?: string } | undefined)?.effort === 'low';
    const isPicture = input.some(({ content }) => Array.isArray(content));
    if (isPicture) return responsesAnswer(well.picture);
    if (isEffort) return responsesAnswer(well.effort);
    if (body['tools'] === undefined) return responsesAnswer(well.ready);
    const isResult = input.some(({ type }) => type === 'function_call_output');
    return responsesAnswer(isResult ? well.results : well.calls);
  };
  const asOf = (sent: readonly GotRequest[]) => sent.map(wayOf);

  it('finds them there, and everything else as well', async () => {
    const { result, lines, sent, profiles } = await check({ ...needy, responses: byResponses });
    assert.deepEqual(asOf(sent), [
      ...['ready', 'messages', 'responses', 'calls'],
      ...['responses', 'responses', 'responses', 'responses'],
    ]);
    assert.equal(lines.calls, 'ok: Several calls in one answer.');
    assert.equal(lines.results, 'ok: Calls with their results are accepted and answered.');
    assert.equal(lines.images, 'ok: Accepted, and its colors were recognized.');
    assert.equal(lines.effort, 'ok: Effort "low" is accepted.');
    assert.match(lines.caching, /^ok: /);
    assert.deepEqual(profiles.facts('m'), {
      ...{ protocol: 'responses', effortWithTools: true, toolCalling: true, vision: true },
    });
    assert.match(renderCheckReport([result], []), /^Protocol in use: Responses protocol$/m);
    assert.ok(result.tokens <= mostTokens, `${result.tokens} tokens`);
  });

  it('asks for picture and effort at once where requests are short', async () => {
    const price = { currency: 'USD', prompt: 1, completion: 0 };
    const ready = ({ body }: GotRequest) =>
      body['max_tokens'] === undefined
        ? chatAnswer(well.ready)
        : chatRefusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {
            param: 'max_tokens',
          });
    const { result, lines, sent } = await check({ ...needy, ready, responses: byResponses }, { price });
    assert.equal(sent.length, mostRequests);
    assert.deepEqual(sent.at(-3)?.body['reasoning'], { effort: 'low', summary: 'auto' });
    assert.equal(lines.images, 'ok: Accepted, and its colors were recognized.');
    assert.equal(lines.effort, 'ok: Effort "low" is accepted.');
    assert.equal(lines.results, 'ok: Calls with their results are accepted and answered.');
    // Each answer is charged once.
    assert.equal(result.costs[0]?.amount, 3 * 60 + 1400 + 1500);
  });

  it('asks without reasoning if the relay lacks it', async () => {
    const { lines, result, profiles } = await check(needy);
    assert.equal(lines.calls, 'warning: Several calls in one answer. Only without reasoning.');
    assert.equal(lines.results, 'ok: Calls with their results are accepted and answered.');
    assert.deepEqual(result.facts, {
      ...{ protocol: 'chat-completions', lacksResponses: true, effortWithTools: false },
      ...{ toolCalling: true, vision: true },
    });
    assert.deepEqual(profiles.facts('m'), result.facts);
    assert.match(lines.caching, /^ok: /);
  });

  it('keeps nothing of a responses protocol that fails for now', async () => {
    const { lines, result } = await check({ ...needy, responses: chatRefusal(503, 'Overloaded.') });
    assert.equal(lines.calls, 'warning: Several calls in one answer. Only without reasoning.');
    assert.deepEqual([result.facts.lacksResponses, result.facts.effortWithTools], [undefined, undefined]);
  });

  it('prefers it where chat completions refuse the model altogether', async () => {
    const ready = chatRefusal(
      404,
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint.',
    );
    const messages = { pieces: messagesPieces };
    const { result, lines } = await check({ ready, messages, responses: byResponses });
    assert.equal(lines['chat-completions'], 'no: Refused.');
    assert.deepEqual([result.protocol, result.endedBy], ['responses', undefined]);
  });

  it('asks again with a short prompt where the long one does not fit twice, and judges no caching by it', async () => {
    const ready = { text: 'ready', usage: { ...usage, prompt_tokens: 900 } };
    const { lines, sent } = await check({ ...needy, ready });
    const sizes = sent.filter(({ body }) => body['tools'] !== undefined).map(({ size }) => size);
    assert.deepEqual(
      sizes.map((size) => size > 4_000),
      [true, false, false],
    );
    assert.equal(lines.results, 'ok: Calls with their results are accepted and answered.');
    assert.equal(lines.caching, 'skipped: Not checked within the limits of this check.');
  });
});

describe('the name in an answer', () => {
  it('may lack the vendor and have a version', () => {
    const same = [
      ['gpt-4o', 'openai/gpt-4o'],
      ['gpt-4o-2024-08-06', 'gpt-4o'],
      ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-latest'],
      ['Qwen/Qwen3-32B', 'qwen3-32b'],
      ['deepseek/deepseek-chat:free', 'deepseek-chat'],
    ];
    for (const [answered = '', requested = ''] of same) assert.ok(isNameOf(answered, requested), answered);
  });

  it('is another where it names a smaller model', () => {
    const others = [
      ['gpt-4o-mini', 'gpt-4o'],
      ['gpt-4o-mini-2024-07-18', 'gpt-4o'],
      ['gpt-5.4', 'gpt-5.5'],
      ['', 'gpt-4o'],
    ];
    for (const [answered = '', requested = ''] of others) assert.ok(!isNameOf(answered, requested), answered);
  });
});
