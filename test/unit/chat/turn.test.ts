import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import type { ChatEvent } from '../../../src/chat/events.ts';
import { toMessages } from '../../../src/chat/context/toMessages.ts';
import { runTurn, type TurnEvent } from '../../../src/chat/turn.ts';
import type { Message, ModelEvent, ToolDefinition } from '../../../src/relay/messages.ts';
import { assertExchange } from '../../support/exchange.ts';
import { fakeToolBox, type FakeTool } from '../../support/fakeToolBox.ts';

type Script = (ModelEvent | Error)[];
type Call = { id: string; name: string; arguments: string };

const text = (value: string): ModelEvent => ({ type: 'textAdded', text: value });
const done = (reason = 'stop'): ModelEvent => ({ type: 'modelFinished', reason });
const calls = (...list: (Partial<Call> & { name: string })[]): ModelEvent => ({
  type: 'toolCallsCompleted',
  calls: list.map((call, index) => ({ id: `c${index}`, arguments: '{}', ...call })),
});

interface Play {
  events: TurnEvent[];
  conversation: Conversation;
  /** What each request offered and sent. */
  asked: { tools: readonly ToolDefinition[]; messages: Message[] }[];
  toolCallers: Set<string>;
}

interface PlayOptions {
  tools?: Record<string, FakeTool>;
  maxToolRounds?: number;
  refusesTools?: Set<string>;
  toolCallers?: Set<string>;
  /** Sees each event after it was recorded. */
  onEvent?: (event: TurnEvent, abort: AbortController) => void;
}

/** Plays a turn against scripts, one per request; the last one repeats. */
async function play(scripts: Script[], options: PlayOptions = {}): Promise<Play> {
  const conversation = new Conversation('chat');
  conversation.apply({ type: 'userMessageAdded', id: 'u', text: 'Go' });
  const abort = new AbortController();
  const toolCallers = options.toolCallers ?? new Set<string>();
  const played: Play = { events: [], conversation, asked: [], toolCallers };
  let ids = 0;
  const context = {
    model: 'm',
    async *ask(tools: readonly ToolDefinition[], signal: AbortSignal) {
      const script = scripts[Math.min(played.asked.length, scripts.length - 1)] ?? [];
      played.asked.push({ tools, messages: sent(conversation) });
      for (const step of script) {
        if (signal.aborted) throw new SwitchboardError('cancelled', '');
        if (step instanceof Error) throw step;
        yield step;
      }
    },
    tools: fakeToolBox(options.tools),
    grounding: { async *searchFirst() {}, *notices() {} },
    openCalls: [],
    steering: { isWaiting: () => false, handIn: async () => false },
    refusesTools: options.refusesTools ?? new Set<string>(),
    toolCallers,
    maxToolRounds: options.maxToolRounds ?? 10,
    newId: () => `i${++ids}`,
    now: () => 0,
  };
  for await (const event of runTurn(context, abort.signal)) {
    played.events.push(event);
    if (isChatEvent(event)) conversation.apply(event);
    options.onEvent?.(event, abort);
  }
  return played;
}

function isChatEvent(event: TurnEvent): event is TurnEvent & ChatEvent {
  return !['turnEnded', 'retryScheduled', 'requestSent'].includes(event.type);
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

describe('runTurn, without tools', () => {
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

describe('runTurn, with tools', () => {
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
