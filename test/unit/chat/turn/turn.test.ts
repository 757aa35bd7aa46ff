import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { AnswerEnd, ChatEvent } from '../../../../src/chat/store/events.ts';
import { toMessages } from '../../../../src/chat/context/toMessages.ts';
import type { AnswerEvent } from '../../../../src/chat/turn/modelAsker.ts';
import { Turn, type TurnContext } from '../../../../src/chat/turn/turn.ts';
import type { TurnProgress } from '../../../../src/chat/turn/turnLog.ts';
import type { Message, ModelEvent, ToolDefinition } from '../../../../src/relay/messages.ts';
import { assertExchange } from '../../../support/exchange.ts';
import { fakeToolBox, type FakeTool } from '../../../support/fakeToolBox.ts';
import { samplePicture } from '../../../support/pictureSamples.ts';
import { askModel } from '../../../../src/relay/streamModel.ts';

type Script = (ModelEvent | Error)[];
type Call = { id: string; name: string; arguments: string };

const text = (value: string): ModelEvent => ({ type: 'textAdded', text: value });
const done = (reason = 'stop'): ModelEvent => ({ type: 'modelFinished', reason });
const calls = (...list: (Partial<Call> & { name: string })[]): ModelEvent => ({
  type: 'toolCallsCompleted',
  calls: list.map((call, index) => ({ id: `c${index}`, arguments: '{}', ...call })),
});

type TurnEvent = ChatEvent | TurnProgress | { type: 'turnEnded'; end: AnswerEnd };

interface Play {
  events: TurnEvent[];
  conversation: Conversation;
  asked: { model: string; tools: readonly ToolDefinition[]; messages: Message[] }[];
  toolCallers: Set<string>;
}

interface PlayOptions {
  tools?: Record<string, FakeTool>;
  maxToolRounds?: number;
  refusesTools?: Set<string>;
  toolCallers?: Set<string>;
  fallbacks?: string[];
  keepPicture?: TurnContext['keepPicture'];
  now?: () => number;
  /** Called when an event is recorded. */
  onEvent?: (event: TurnEvent, abort: AbortController) => void;
}

const keepNothing: TurnContext['keepPicture'] = async ({ type, bytes }) => ({
  ...{ file: `${String(bytes.at(-1)).padStart(32, '0')}.png`, type, bytes: bytes.byteLength },
});

/** Plays a turn against scripts, one per request; the last one repeats. */
async function play(scripts: Script[], options: PlayOptions = {}): Promise<Play> {
  const conversation = new Conversation('chat');
  conversation.apply({ type: 'userMessageAdded', id: 'u', text: 'Go' });
  const abort = new AbortController();
  const toolCallers = options.toolCallers ?? new Set<string>();
  const played: Play = { events: [], conversation, asked: [], toolCallers };
  let ids = 0;
  const stream = (model: string, tools: readonly ToolDefinition[]) =>
    askModel(async function* (_request, signal) {
      const script = scripts[Math.min(played.asked.length, scripts.length - 1)] ?? [];
      played.asked.push({ model, tools, messages: sent(conversation) });
      for (const step of script) {
        if (signal.aborted) throw new SwitchboardError('cancelled', '');
        if (step instanceof Error) throw step;
        yield step;
      }
    });
  const onEvent = (event: TurnEvent) => {
    played.events.push(event);
    options.onEvent?.(event, abort);
  };
  const log: TurnContext['log'] = {
    async record(event) {
      conversation.apply(event);
      onEvent(event);
    },
    show: onEvent,
  };
  const context: TurnContext = {
    model: 'm',
    fallbacks: options.fallbacks ?? [],
    askerFor: (model) => ({
      ask: (tools, signal, onAnswer) =>
        stream(model, tools)({ model, messages: [], stream: true }, signal, async (event) => {
          if (event.type === 'requestSent') log.show(event);
          else await onAnswer(event as AnswerEvent);
        }),
    }),
    tools: fakeToolBox(options.tools),
    grounding: { searchFirst: async () => {}, notices: () => [] },
    openCalls: [],
    steering: { isWaiting: () => false, handIn: async () => false },
    refusesTools: options.refusesTools ?? new Set<string>(),
    toolCallers,
    keepPicture: options.keepPicture ?? keepNothing,
    maxToolRounds: options.maxToolRounds ?? 10,
    log,
    newId: () => `i${++ids}`,
    now: options.now ?? (() => 0),
  };
  const end = await new Turn(context, abort.signal).run();
  played.events.push({ type: 'turnEnded', end });
  return played;
}

function endOf({ events }: Play) {
  const ends = events.filter((event) => event.type === 'turnEnded');
  assert.equal(ends.length, 1);
  assert.equal(events.at(-1), ends[0]);
  return ends[0]!.end;
}

const sent = (conversation: Conversation) => toMessages(conversation.all, '').map(({ message }) => message);

const outcomes = ({ conversation }: Play) =>
  conversation.all.flatMap((item) =>
    item.type === 'tool' ? [[item.name, item.outcome?.state, item.outcome?.content]] : [],
  );

const notices = ({ conversation }: Play) =>
  conversation.all.flatMap((item) => (item.type === 'notice' ? [item.kind] : []));

describe('a turn, with reasoning', () => {
  const thought = (value: string): ModelEvent => ({ type: 'reasoningAdded', text: value });
  /** Each event that is recorded takes 1 s. */
  const timesOf = async (...script: Script) => {
    let ms = 0;
    const { events, conversation } = await play([script], {
      now: () => ms,
      onEvent: () => (ms += 1000),
      tools: { read: { run: () => 'a' } },
      maxToolRounds: 1,
    });
    const times = events.flatMap((event) => (event.type === 'reasoningEnded' ? [event.durationMs] : []));
    const answer = conversation.all.find(({ type }) => type === 'answer');
    assert.equal(answer?.type === 'answer' && answer.reasoningMs, times.length > 0 ? times[0] : undefined);
    return times;
  };

  it('says how long it took, by its clock, when the text, a call or the end follows', async () => {
    assert.deepEqual(await timesOf(thought('a'), thought('b'), text('c'), text('d'), done()), [2000]);
    assert.deepEqual(await timesOf(thought('a'), calls({ name: 'read' }), done('tool_calls')), [1000]);
    assert.deepEqual(await timesOf(thought('a'), thought('b'), thought('c'), done()), [3000]);
    assert.deepEqual(await timesOf(thought('a'), new SwitchboardError('transient', 'cut')), [1000]);
  });

  it('says nothing where there was none', async () => {
    assert.deepEqual(await timesOf(text('c'), done()), []);
  });

  it('adds up in an answer that is continued', () => {
    const chat = new Conversation('chat');
    chat.apply({ type: 'answerStarted', id: 'a', model: 'm' });
    for (const durationMs of [2000, 500]) chat.apply({ type: 'reasoningEnded', id: 'a', durationMs });
    const [answer] = chat.all;
    assert.equal(answer?.type === 'answer' && answer.reasoningMs, 2500);
  });
});

describe('a turn, with pictures in the answer', () => {
  const picture = (number: number): ModelEvent => ({
    ...{ type: 'pictureAdded', picture: { type: 'image/png', bytes: samplePicture(number) } },
  });
  const answerIn = ({ conversation }: Play) => {
    const item = conversation.all.find(({ type }) => type === 'answer');
    return item?.type === 'answer' ? item : assert.fail();
  };

  it('stores them with the answer, and never their bytes', async () => {
    const played = await play([[text('Here.'), picture(1), picture(2), done()]]);
    assert.equal(answerIn(played).pictures?.length, 2);
    assert.ok(JSON.stringify(played.events).length < 1000);
    assert.deepEqual(sent(played.conversation).at(-1), {
      ...{ role: 'assistant', model: 'm' },
      content: 'Here.\n\n[Picture 1, image/png]\n\n[Picture 2, image/png]',
    });
  });

  it('has one that comes again, as in the rest of an answer, once', async () => {
    const played = await play([[picture(1), picture(1), picture(2), done()]]);
    assert.equal(answerIn(played).pictures?.length, 2);
  });

  it('sends one without text in words: an empty answer would be refused', async () => {
    const played = await play([[picture(1), done()]]);
    assert.equal(sent(played.conversation).at(-1)?.content, '[Picture 1, image/png]');
    assert.equal(played.conversation.saysSomethingFrom(answerIn(played).id), true);
  });

  it('says all that is missing in one notice below them', async () => {
    const keepPicture = () => Promise.reject(new Error('Full.'));
    const omitted = (reason: 'size' | 'count'): ModelEvent => ({ type: 'pictureOmitted', reason });
    const script = [omitted('size'), picture(1), picture(2), omitted('count'), done()];
    const played = await play([script], { keepPicture });
    assert.deepEqual(
      played.conversation.all.flatMap((item) => (item.type === 'notice' ? [item.detail] : [])),
      ['size,storage,count'],
    );
    assert.equal(endOf(played).reason, 'answered');
  });
});

describe('a turn, without tools', () => {
  it('passes on what the model says and ends with its reason and usage', async () => {
    const usage = { totalTokens: 3 };
    const { events } = await play([
      [{ type: 'requestSent' }, text('Hi'), { type: 'modelFinished', reason: 'stop', usage }],
    ]);
    assert.deepEqual(events, [
      { type: 'answerStarted', id: 'i1', model: 'm' },
      { type: 'requestSent' },
      { type: 'textAdded', id: 'i1', text: 'Hi' },
      { type: 'answerEnded', id: 'i1', end: { reason: 'answered', usage } },
      { type: 'turnEnded', end: { reason: 'answered', usage } },
    ]);
  });

  for (const [finish, named] of [
    ['stop', 'answered'],
    ['length', 'length'],
    ['content_filter', 'filtered'],
    ['eos', 'answered'],
  ] as const) {
    it(`names a finish of ${finish} "${named}"`, async () => {
      assert.deepEqual(endOf(await play([[done(finish)]])), { reason: named });
    });
  }

  it("ends a failure with its code and the server's response, after the text that had arrived", async () => {
    const error = new SwitchboardError('balance', 'No money.', { why: 'quota', cause: new Error('secret') });
    const played = await play([[text('Half'), error]]);
    assert.deepEqual(endOf(played), {
      reason: 'failed',
      failure: { code: 'balance', message: 'No money.', why: 'quota' },
    });
    assert.ok(played.events.some((event) => event.type === 'textAdded'));
  });

  it('takes a cancellation for a stop, not for a failure', async () => {
    assert.deepEqual(endOf(await play([[new SwitchboardError('cancelled', '')]])), { reason: 'stopped' });
  });

  it('calls an answer that just ends truncated', async () => {
    assert.equal(endOf(await play([[text('Half')]])).failure?.code, 'truncated');
  });

  it('ends a bug of ours as a failure too', async () => {
    const { failure } = endOf(await play([[new TypeError('x is undefined')]]));
    assert.equal(failure?.details?.systemError, 'x is undefined');
  });
});

describe('a turn, with tools', () => {
  const echo: FakeTool = { run: (input) => `result of ${JSON.stringify(input)}` };

  it('runs the calls and sends the full context again, until the model answers', async () => {
    const args = '{"path":"a.ts"}';
    const played = await play(
      [
        [text('Let me look.'), calls({ name: 'read', arguments: args }), done('tool_calls')],
        [text('It is A.'), done()],
      ],
      { tools: { read: echo } },
    );
    assert.deepEqual(endOf(played), { reason: 'answered' });
    assert.deepEqual(played.asked[1]?.messages, [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        model: 'm',
        content: 'Let me look.',
        toolCalls: [{ id: 'c0', name: 'read', arguments: args }],
      },
      { role: 'tool', toolCallId: 'c0', content: `result of ${args}` },
    ]);
  });

  it('takes calls for calls whatever the finish reason says', async () => {
    const played = await play([[calls({ name: 'read' }), done('stop')], [done()]], { tools: { read: echo } });
    assert.deepEqual(outcomes(played), [['read', 'done', 'result of {}']]);
  });

  it('runs neighbouring reads beside each other and everything else alone, results in order', async () => {
    const running = new Set<string>();
    const seen: string[] = [];
    const tool = (name: string, isRead: boolean): FakeTool => ({
      isRead,
      async run() {
        running.add(name);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push([...running].join('+'));
        running.delete(name);
        return name;
      },
    });
    const tools = { a: tool('a', true), b: tool('b', true), edit: tool('edit', false), c: tool('c', true) };
    const names = ['a', 'b', 'edit', 'c'];
    const played = await play([[calls(...names.map((name) => ({ name }))), done()], [done()]], { tools });
    assert.deepEqual(seen, ['a+b', 'b', 'edit', 'c']);
    assertExchange(played.asked[1]!.messages);
  });

  it('reads no arguments as none, repairs what is unambiguous, and hands the rest back', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const given = ['', "{'a': 1,}", '```json\n{"a": 1}\n```', '{"a": ', '{"a": "x', 'a = 1', '[1]', deep];
    const played = await play(
      [[calls(...given.map((json) => ({ name: 'read', arguments: json }))), done()], [done()]],
      {
        tools: { read: echo },
      },
    );
    const [empty, quotes, fence, ...broken] = outcomes(played);
    assert.deepEqual(empty, ['read', 'done', 'result of {}']);
    assert.deepEqual(quotes, ['read', 'done', 'result of {"a":1}']);
    assert.deepEqual(fence, ['read', 'done', 'result of {"a":1}']);
    for (const [, state, content] of broken) {
      assert.equal(state, 'failed');
      assert.match(content ?? '', /not valid JSON.*Call again/s);
    }
    // Relays that translate would refuse every later request with arguments that are no object.
    const message = played.asked[1]?.messages.find((each) => each.role === 'assistant');
    assert.deepEqual(
      message?.toolCalls?.map((call) => call.arguments),
      ['{}', '{"a":1}', '{"a":1}', ...broken.map(() => '{}')],
    );
  });

  it('says so when the output limit cut the arguments', async () => {
    const played = await play(
      [[calls({ name: 'read', arguments: '{"path": "a' }), done('length')], [done()]],
      {
        tools: { read: echo },
      },
    );
    assert.match(outcomes(played)[0]?.[2] ?? '', /cut off by the output limit/);
  });

  it('tells the model of a tool that does not exist, and of one that fails', async () => {
    const tools: Record<string, FakeTool> = {
      broken: {
        run: () => {
          throw new Error('disk on fire');
        },
      },
    };
    const played = await play([[calls({ name: 'nope' }, { name: 'broken' }), done()], [done()]], { tools });
    assert.deepEqual(outcomes(played), [
      ['nope', 'failed', 'There is no tool nope.'],
      ['broken', 'failed', 'The tool failed: disk on fire'],
    ]);
  });

  const written = '<tool_call>\n{"name": "read", "arguments": {"a": 1}}\n</tool_call>';

  it('runs calls that a model writes as text, which stays, and sends them as calls', async () => {
    const played = await play(
      [
        [text('Looking.\n\n'), text(written), done()],
        [text('Done.'), done()],
      ],
      {
        tools: { read: echo },
      },
    );
    assert.deepEqual(outcomes(played), [['read', 'done', 'result of {"a":1}']]);
    const [, first, call] = played.conversation.all;
    assert.ok(first?.type === 'answer' && call?.type === 'tool');
    assert.equal(first.text, `Looking.\n\n${written}`);
    assert.equal(call.isText, true);
    const message = played.asked[1]?.messages.find(({ role }) => role === 'assistant');
    assert.deepEqual(message, {
      ...{ role: 'assistant', model: 'm', content: 'Looking.' },
      toolCalls: [{ id: call.callId, name: 'read', arguments: '{"a":1}' }],
    });
    assert.ok(sent(played.conversation).includes(message));
    assert.deepEqual([...played.toolCallers], []);
  });

  it('runs none of them if one is of a tool that was not offered', async () => {
    const other = written.replace('read', 'other');
    const played = await play([[text(`${written}\n${other}`), done()]], { tools: { read: echo } });
    assert.deepEqual(outcomes(played), []);
    assert.equal(endOf(played).reason, 'answered');
  });

  it('takes them for words beside calls, and from a model that has called tools before', async () => {
    const played = await play(
      [
        [text(written), calls({ name: 'read' }), done()],
        [text(written), done()],
      ],
      { tools: { read: echo } },
    );
    assert.equal(outcomes(played).length, 1);
    assert.deepEqual([...played.toolCallers], ['m']);
    const later = await play([[text(written), done()]], {
      tools: { read: echo },
      toolCallers: new Set(['m']),
    });
    assert.deepEqual(outcomes(later), []);
  });

  it('asks a model that refuses tools again without, once, says it and remembers it', async () => {
    const refusal = new SwitchboardError('request', 'No.', { status: 400, parameter: 'tools' });
    const refusesTools = new Set<string>();
    const played = await play([[refusal], [text('Hi'), done()]], { tools: { read: echo }, refusesTools });
    assert.deepEqual(
      played.asked.map(({ tools }) => tools.length),
      [1, 0],
    );
    assert.deepEqual(notices(played), ['tools-refused']);
    assert.deepEqual(endOf(played), { reason: 'answered' });
    const later = await play([[text('Hi'), done()]], { tools: { read: echo }, refusesTools });
    assert.deepEqual(
      later.asked.map(({ tools }) => tools.length),
      [0],
    );
  });

  it('stops at the limit of rounds, with every call answered', async () => {
    let n = 0;
    const played = await play([[calls({ name: 'count' }), done()]], {
      tools: { count: { run: () => `${n++}` } },
      maxToolRounds: 4,
    });
    assert.equal(played.asked.length, 4);
    assert.deepEqual(notices(played), ['round-limit']);
    assertExchange(sent(played.conversation));
    endOf(played);
  });

  it('stops a loop that repeats the same call with the same result three times', async () => {
    const played = await play([[calls({ name: 'read' }), done()]], { tools: { read: echo } });
    assert.equal(played.asked.length, 3);
    assert.deepEqual(notices(played), ['same-call']);
    endOf(played);
  });

  it('can be stopped while tools run, and the conversation can go on', async () => {
    const forever: FakeTool = {
      run: (_input, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    };
    const played = await play([[calls({ name: 'forever' }, { name: 'forever' }), done()]], {
      tools: { forever },
      onEvent: (event, abort) => event.type === 'toolStateChanged' && abort.abort(),
    });
    assert.deepEqual(endOf(played), { reason: 'stopped' });
    assert.deepEqual(
      outcomes(played).map(([, state]) => state),
      ['stopped', 'stopped'],
    );
    assertExchange(sent(played.conversation));
  });

  it('never leaves a call without its one result, whatever happens when', async () => {
    const step = fc.oneof(
      fc.string().map(text),
      fc
        .array(
          fc.record({
            name: fc.constantFrom('ok', 'fails', 'slow', 'edit', 'unknown'),
            arguments: fc.constantFrom('', '{}', '{"a":1', 'x'),
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        )
        .map((list) => calls(...list)),
      fc.constantFrom(done(), done('length'), done('tool_calls')),
      fc.constant(new SwitchboardError('transient', 'Down.')),
    );
    const tools: Record<string, FakeTool> = {
      ok: { run: () => String(Math.random()) },
      edit: { isRead: false, run: () => String(Math.random()) },
      fails: {
        run: () => {
          throw new Error('no');
        },
      },
      slow: { run: () => new Promise((resolve) => setImmediate(() => resolve(String(Math.random())))) },
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        fc.nat(40),
        async (scripts, stopAt) => {
          let events = 0;
          const played = await play(scripts, {
            tools,
            maxToolRounds: 4,
            onEvent: (_event, abort) => {
              if (events++ === stopAt) abort.abort();
            },
          });
          endOf(played);
          assert.deepEqual(played.conversation.unended, []);
          for (const { messages } of played.asked) assertExchange(messages);
          assertExchange(sent(played.conversation));
          const finished = played.events.flatMap((event) =>
            event.type === 'toolFinished' ? [event.id] : [],
          );
          assert.equal(new Set(finished).size, finished.length);
        },
      ),
    );
  });
});

describe('a turn, with models to fall back on', () => {
  const fallbacks = ['b', 'c'];
  const down = new SwitchboardError('transient', 'The relay failed. Try again.');
  const models = ({ asked }: Play) => asked.map(({ model }) => model);

  it('asks the next one where the relay or a vendor fails before anything is shown, and says so', async () => {
    const played = await play([[{ type: 'requestSent' }, down], [down], [text('Hi'), done()]], { fallbacks });
    assert.deepEqual(models(played), ['m', 'b', 'c']);
    const told = played.conversation.all.flatMap((item) =>
      item.type === 'notice' ? [[item.kind, item.detail]] : [],
    );
    assert.deepEqual(told, [
      ['fallback', 'm\nThe relay failed.'],
      ['fallback', 'b\nThe relay failed.'],
    ]);
    const answers = played.conversation.all.filter((item) => item.type === 'answer');
    assert.deepEqual(
      answers.map(({ model, text: said }) => [model, said]),
      [['c', 'Hi']],
    );
    assert.deepEqual(endOf(played), { reason: 'answered' });
  });

  it('does so for each failure that another model may avoid', async () => {
    for (const code of [
      ...(['transient', 'rate-limit', 'model', 'vendor-key', 'vendor-balance', 'truncated'] as const),
      ...(['vendor-not-permitted', 'timeout-first-token', 'timeout-idle', 'empty-reply'] as const),
    ])
      assert.deepEqual(
        models(await play([[new SwitchboardError(code, 'No.')]], { fallbacks })),
        ['m', 'b', 'c'],
        code,
      );
  });

  it('goes on with it in the rounds that follow', async () => {
    const scripts: Script[] = [[down], [calls({ name: 'read' }), done('tool_calls')], [text('Hi'), done()]];
    const played = await play(scripts, { fallbacks, tools: { read: { run: () => 'x' } } });
    assert.deepEqual(models(played), ['m', 'b', 'b']);
  });

  it('ends with the failure where none is left, something was shown, or the user has to act', async () => {
    assert.deepEqual(models(await play([[down]], { fallbacks: [] })), ['m']);
    const all = await play([[down]], { fallbacks });
    assert.deepEqual([models(all), endOf(all).failure?.code], [['m', 'b', 'c'], 'transient']);
    const cut = new SwitchboardError('truncated', 'Cut.');
    assert.deepEqual(models(await play([[text('H'), cut]], { fallbacks })), ['m']);
    for (const code of [
      'key',
      'balance',
      'budget',
      'request',
      'content-filter',
      'context-too-long',
      'offline',
    ] as const) {
      const played = await play([[new SwitchboardError(code, 'No.')]], { fallbacks });
      assert.deepEqual([models(played), endOf(played).failure?.code], [['m'], code]);
    }
  });
});
