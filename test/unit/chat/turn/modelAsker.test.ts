import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ChatController, type ChatChange } from '../../../../src/chat/chatController.ts';
import type { ChatOptions } from '../../../../src/chat/chatDependencies.ts';
import type { ModelLimits } from '../../../../src/chat/context/contextWindows.ts';
import type { ModelEvent, ModelRequest } from '../../../../src/relay/messages.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { assertExchange } from '../../../support/exchange.ts';

type Step = ModelEvent | Error;

const say = (text: string, promptTokens?: number): Step[] => [
  { type: 'requestSent' },
  ...(text ? [{ type: 'textAdded', text } as const] : []),
  { type: 'modelFinished', reason: 'stop', ...(promptTokens && { usage: { promptTokens } }) },
];
const call = (n: number): Step[] => [
  { type: 'toolCallsCompleted', calls: [{ id: `c${n}`, name: 'read', arguments: `{"n":${n}}` }] },
  { type: 'modelFinished', reason: 'tool_calls' },
];
const refusal = (why: string) => new SwitchboardError('context-too-long', 'Too long.', { status: 400, why });
const words = (tokens: number) => 'word '.repeat(tokens).trim();
const isSummary = ({ messages }: ModelRequest) =>
  (messages.at(-1)?.content ?? '').startsWith('[From the editor, not from the user:]');

/** True for a request with a single message. */
const isPlain = ({ messages }: ModelRequest) =>
  messages.length === 1 && (messages[0]?.content ?? '').startsWith('[From the editor, not from the user:]');

interface SetUp {
  model(request: ModelRequest, nth: number): Step[];
  limits?: ModelLimits;
  options?: Partial<ChatOptions>;
  result?: string;
}

function setUp({ model, limits = {}, options, result = words(1000) }: SetUp) {
  const requests: ModelRequest[] = [];
  const changes: ChatChange[] = [];
  const windows = new Map<string, number>();
  const said = { limits };
  const dependencies = chatDependencies({
    async *streamModel(request, signal) {
      requests.push(request);
      for (const step of model(request, requests.length)) {
        if (signal.aborted) throw new SwitchboardError('cancelled', '');
        if (step instanceof Error) throw step;
        yield step;
      }
    },
    ...(options && { options }),
    modelLimits: () => said.limits,
    windows,
    tools: { read: { run: (input) => `${JSON.stringify(input)} ${result}` } },
  });
  const create = () => new ChatController(dependencies);
  const chat = create();
  chat.onDidChange((change) => changes.push(change));
  const shown = () =>
    chat.shown.conversation.all.map((item) =>
      item.type === 'notice' ? `${item.kind} ${item.detail}` : item.type,
    );
  return { chat, changes, create, requests, said, shown, windows };
}

/** Turns of about 500 tokens each. */
async function talk(chat: ChatController, turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await chat.shown.submit(`${n} ${words(500)}`);
}

describe('chat/modelAsker', () => {
  it('cuts nothing while nobody knows the window', async () => {
    const { chat, requests } = setUp({
      model: (_, n) => (n < 30 ? call(n) : say('Done.')),
      result: words(9000),
    });
    assert.equal((await chat.shown.submit('Go'))?.reason, 'answered');
    const results = requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
    assert.ok(results.length === 29 && results.every(({ content }) => content.endsWith(words(9000))));
  });

  it('compacts what no model would take, where nobody knows the window, and goes on', async () => {
    const { chat, requests, shown } = setUp({
      model: (request) => (isSummary(request) ? say('They said words.') : say('Yes.')),
    });
    const [half, little] = ['字'.repeat(6_700_000), words(500)];
    await chat.shown.submit(half);
    await chat.shown.submit(little);
    assert.ok(requests.at(-1)!.messages.some(({ content }) => content.endsWith(half)));
    assert.ok(!requests.some(isSummary));
    for (const event of [
      { type: 'userMessageAdded', id: 'more', text: half },
      { type: 'answerStarted', id: 'said', model: 'm' },
      { type: 'textAdded', id: 'said', text: 'Yes.' },
      { type: 'answerEnded', id: 'said', end: { reason: 'answered' } },
    ] as const)
      chat.record(chat.shown.conversation.id, event);
    assert.equal((await chat.shown.submit('And?'))?.reason, 'answered');
    for (const { messages } of requests.slice(2)) {
      const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
      assert.ok(characters < 2_000_000, `${characters} characters`);
    }
    assert.equal(requests.filter(isSummary).length, 1);
    assert.ok(shown().includes('summary'), shown().join());
    assert.equal((await chat.shown.submit('Still there?'))?.reason, 'answered');
    assert.equal(requests.filter(isSummary).length, 1);
  });

  it('shortens older results, says it once a turn with the number, and above the answer', async () => {
    const { chat, changes, requests, shown } = setUp({
      limits: { contextWindow: 8000 },
      model: (_, n) => (n < 20 ? call(n) : say('Done.')),
    });
    await chat.shown.submit('Go');
    const notices = shown().filter((item) => item.startsWith('results'));
    assert.equal(notices.length, 1);
    assert.ok(Number(notices[0]!.split(' ')[1]) > 10);
    assert.ok(
      changes.filter(({ type }) => type === 'noticed').length < 12,
      'in batches, not with every round',
    );
    const at = shown().indexOf(notices[0]!);
    assert.deepEqual([shown()[at - 1], shown()[at + 1]], ['tool', 'answer']);
    for (const { messages } of requests) assertExchange(messages);
    assert.ok(requests.at(-1)!.messages.at(-1)!.content.endsWith(words(1000)), 'the newest is whole');
  });

  it('replaces the oldest turns by a summary, once, and by the same after a reload', async () => {
    const { chat, changes, create, requests, shown } = setUp({
      limits: { contextWindow: 4000 },
      model: (request) => (isSummary(request) ? say('They said words.') : say('Yes.')),
    });
    await talk(chat, 6);
    const summary = requests.find(isSummary)!;
    assert.equal(requests.filter(isSummary).length, 1);
    const asked = requests[requests.indexOf(summary) - 1]!;
    assert.deepEqual(summary.tools, asked.tools);
    assert.deepEqual(summary.messages.slice(0, asked.messages.length), asked.messages, 'the vendor knows it');
    const at = shown().indexOf('summary');
    assert.deepEqual([shown()[at - 1], shown()[at + 1]], ['answer', 'user']);
    assert.ok(
      changes.some((change) => change.type === 'statusChanged' && change.status.type === 'summarising'),
    );

    const [first] = requests.at(-1)!.messages;
    assert.match(
      first!.content,
      /^\[The conversation before.*\]\n<summary-([0-9a-f]+)>\nThey said words\.\n<\/summary-\1>\n\n\d word/s,
    );
    const again = create();
    await again.openChat(chat.shown.conversation.id);
    assert.deepEqual(again.shown.conversation.all, chat.shown.conversation.all);
    await again.shown.submit('More?');
    assert.deepEqual(requests.at(-1)!.messages.slice(0, 1), [first]);
    assert.equal(requests.filter(isSummary).length, 1);
  });

  it('summarises again with the summary before in it', async () => {
    const { chat, requests } = setUp({
      limits: { contextWindow: 4000 },
      model: (request, n) => say(isSummary(request) ? `Summary ${n}.` : 'Yes.'),
    });
    await talk(chat, 16);
    const summaries = requests.filter(isSummary);
    assert.ok(summaries.length > 1 && summaries.length < 6, String(summaries.length));
    assert.match(summaries[1]!.messages[0]!.content, /^\[The conversation before.*Summary \d+\./s);
    assert.match(requests.at(-1)!.messages[0]!.content, /^\[The conversation before/);
  });

  it('leaves turns out with a notice when they cannot be summarised', async () => {
    const { chat, requests } = setUp({
      limits: { contextWindow: 4000 },
      model: (request) => (isSummary(request) ? say('') : say('Yes.')),
    });
    await talk(chat, 6);
    const marker = chat.shown.conversation.all.find(({ type }) => type === 'summary');
    assert.ok(marker?.type === 'summary' && marker.problem && !marker.text);
    assert.match(requests.at(-1)!.messages[0]!.content, /^\[The conversation before.*was left out\.\]/);
    assert.equal(chat.shown.conversation.all.at(-1)?.type, 'answer');
  });

  it('ends the turn instead when the question would fail as well, and leaves nothing out', async () => {
    const down = new SwitchboardError('transient', 'Down.');
    const { chat, shown } = setUp({
      limits: { contextWindow: 4000 },
      model: (request) => (isSummary(request) ? [down] : say('Yes.')),
    });
    await talk(chat, 6);
    const last = chat.shown.conversation.all.at(-1);
    assert.ok(last?.type === 'answer' && last.end?.failure?.code === 'transient');
    assert.ok(!shown().includes('summary'));
  });

  it('can be stopped while it summarises', async () => {
    const { chat, shown } = setUp({
      limits: { contextWindow: 4000 },
      model: (request) => {
        if (isSummary(request)) void chat.shown.stop();
        return say('Yes.');
      },
    });
    await talk(chat, 6);
    const last = chat.shown.conversation.all.at(-1);
    assert.ok(last?.type === 'answer' && last.end?.reason === 'stopped');
    assert.ok(!shown().includes('summary'));
  });

  const limit = refusal(
    "This model's maximum context length is 3000 tokens. However, your messages resulted in 4100 tokens.",
  );
  const strict = (request: ModelRequest, error = limit): Step[] => {
    if (isSummary(request)) return say('They said words.');
    return JSON.stringify(request.messages).length > 15_000 ? [error] : say('Yes.');
  };

  it('learns a window from a refusal, tries once more shortened, and remembers it', async () => {
    const { chat, requests, shown, windows } = setUp({ model: (request) => strict(request) });
    await talk(chat, 8);
    assert.ok(chat.shown.conversation.all.every((item) => item.type !== 'answer' || item.text === 'Yes.'));
    assert.equal(shown().filter((item) => item.startsWith('context-refused')).length, 1);
    assert.ok(shown().includes('context-refused 3000'));
    assert.equal(windows.get('m'), 3000);
    const refused = requests.filter((request) => !isSummary(request) && strict(request)[0] === limit);
    assert.equal(refused.length, 1);
  });

  it('assumes a little less than what was sent when a refusal names no number, and does not keep that', async () => {
    const vague = refusal('Input is too long for requested model.');
    const { chat, shown, windows } = setUp({ model: (request) => strict(request, vague) });
    await talk(chat, 8);
    assert.ok(chat.shown.conversation.all.every((item) => item.type !== 'answer' || item.text === 'Yes.'));
    assert.ok(shown().includes('summary'));
    assert.equal(windows.size, 0);
  });

  it('tries once and no more', async () => {
    let isStrict = false;
    const { chat, requests } = setUp({
      model: (request) => (isSummary(request) ? say('Words.') : isStrict ? [limit] : say('Yes.')),
    });
    await talk(chat, 6);
    isStrict = true;
    const before = requests.length;
    assert.equal((await chat.shown.submit('Again'))?.failure?.code, 'context-too-long');
    assert.equal(requests.slice(before).filter((request) => !isSummary(request)).length, 2);
  });

  it('does not ask again once something of the answer was shown', async () => {
    let isCut = false;
    const { chat, requests } = setUp({
      model: () => (isCut ? [{ type: 'textAdded', text: 'Half' }, limit] : say('Yes.')),
    });
    await talk(chat, 6);
    isCut = true;
    const before = requests.length;
    assert.equal((await chat.shown.submit('Again'))?.failure?.code, 'context-too-long');
    assert.equal(requests.length, before + 1);
    const last = chat.shown.conversation.all.at(-1);
    assert.ok(last?.type === 'answer' && last.text === 'Half');
  });

  it('does not send the same once more when there is nothing to shorten', async () => {
    const { chat, requests, shown } = setUp({ model: () => [limit] });
    assert.equal((await chat.shown.submit('Hello'))?.failure?.code, 'context-too-long');
    assert.equal(requests.length, 1);
    assert.deepEqual(shown(), ['user', 'answer']);
  });

  it('believes a refusal more than the list, and a setting that came later more than that', async () => {
    const { chat, said, requests, windows } = setUp({
      limits: { contextWindow: 100_000 },
      model: (request) => strict(request),
    });
    await talk(chat, 8);
    assert.equal(windows.get('m'), 3000);
    said.limits = { contextWindow: 90_000 };
    const before = requests.length;
    await chat.shown.submit(words(3500));
    assert.equal(requests.length, before + 1, 'it was sent');
  });

  it('says that the newest message does not fit before anything is sent', async () => {
    const { chat, requests } = setUp({ limits: { contextWindow: 4000 }, model: () => say('Yes.') });
    const end = await chat.shown.submit(words(9000));
    assert.equal(end?.failure?.code, 'context-too-long');
    assert.match(end?.failure?.message ?? '', /wasn't sent.*about 9,0\d\d tokens.*of m has 4,000/);
    assert.equal(requests.length, 0);
  });

  const writes = (n: number): Step[] => [
    {
      type: 'toolCallsCompleted',
      calls: [{ id: `c${n}`, name: 'read', arguments: JSON.stringify({ n, text: words(400) }) }],
    },
    { type: 'modelFinished', reason: 'tool_calls' },
  ];

  it('compacts a turn that outgrows the context by its own calls, and goes on with its message', async () => {
    const { chat, create, requests, shown } = setUp({
      limits: { contextWindow: 4000 },
      result: 'ok',
      model: (request, n) => (isSummary(request) ? say(`Summary ${n}.`) : n < 30 ? writes(n) : say('Done.')),
    });
    assert.equal((await chat.shown.submit('Write thirty files'))?.reason, 'answered');
    for (const { messages } of requests) assertExchange(messages);
    const summaries = requests.filter(isSummary);
    assert.ok(summaries.length > 1 && summaries.length < 10, String(summaries.length));
    const at = shown().lastIndexOf('summary');
    assert.deepEqual([shown()[at - 1], shown()[at + 1]], ['tool', 'answer']);
    const { messages } = requests.at(-1)!;
    assert.match(
      messages[0]!.content,
      /^\[The conversation before[^]*Summary \d+\.\n<\/summary-\w+>\n\n\[You are working on this message[^]*\]\n\nWrite thirty files$/,
    );
    assert.deepEqual(messages.map(({ role }) => role).slice(0, 3), ['user', 'assistant', 'tool']);

    const again = create();
    await again.openChat(chat.shown.conversation.id);
    await again.shown.submit('More?');
    assert.deepEqual(
      requests.at(-1)!.messages.slice(0, messages.length),
      messages,
      'the same after a reload',
    );
  });

  it('says so when compacting would free too little, and asks nobody', async () => {
    const { chat, requests } = setUp({
      limits: { contextWindow: 4000 },
      model: () => [
        {
          type: 'toolCallsCompleted',
          calls: [{ id: 'c', name: 'read', arguments: JSON.stringify({ text: words(4000) }) }],
        },
        { type: 'modelFinished', reason: 'tool_calls' },
      ],
    });
    chat.shown.choices.selectModel('relay:http://localhost:7801/acme/tiny');
    const end = await chat.shown.submit('Write');
    assert.equal(end?.failure?.code, 'context-too-long');
    assert.match(
      end?.failure?.message ?? '',
      /window of acme\/tiny has .* free less than 20 %\. Choose a model/,
    );
    assert.equal(requests.length, 1);
    assert.deepEqual(chat.shown.conversation.unended, []);
  });

  it('asks for the summary once more as plain text where the model calls a tool, is cut off or is refused', async () => {
    const cut = new SwitchboardError('truncated', 'Cut off.');
    const first: Step = { type: 'textAdded', text: 'Let me look first.' };
    for (const bad of [[first, ...call(99)], [cut], say(''), [refusal('Too long.')]]) {
      const { chat, requests } = setUp({
        limits: { contextWindow: 4000 },
        model: (request) =>
          !isSummary(request) && !isPlain(request) ? say('Yes.') : isPlain(request) ? say('Words.') : bad,
      });
      await talk(chat, 6);
      const plain = requests.filter(isPlain);
      assert.equal(plain.length, 1);
      assert.equal(plain[0]!.tools, undefined);
      assert.match(plain[0]!.messages[0]!.content, /<message-[0-9a-f]{4} role="user">\n0 word word/);
      const marker = chat.shown.conversation.all.find(({ type }) => type === 'summary');
      assert.ok(marker?.type === 'summary' && marker.text === 'Words.');
    }
  });

  it('cuts a summary that is longer than it may be, and marks one that the output limit cut', async () => {
    const long = words(3000);
    const limited: Step[] = [
      { type: 'textAdded', text: 'Half of' },
      { type: 'modelFinished', reason: 'length' },
    ];
    for (const [steps, pattern] of [
      [say(long), /^word .*\[…\].* word$/s],
      [limited, /^Half of \[…\]$/],
    ] as const) {
      const { chat, requests } = setUp({
        limits: { contextWindow: 4000 },
        model: (request) => (isSummary(request) ? steps : say('Yes.')),
      });
      await talk(chat, 6);
      const marker = chat.shown.conversation.all.find(({ type }) => type === 'summary');
      assert.match(marker?.type === 'summary' ? (marker.text ?? '') : '', pattern);
      assert.equal(requests.filter(isSummary).length, 1);
      assert.ok(JSON.stringify(requests.at(-1)).length < JSON.stringify(requests.find(isSummary)).length);
    }
  });

  it('counts what a summary cost, also where it took two requests', async () => {
    const { chat } = setUp({
      limits: { contextWindow: 4000 },
      model: (request) =>
        isPlain(request) ? say('Words.', 20) : isSummary(request) ? say('', 300) : say('Yes.', 0),
    });
    await talk(chat, 6);
    const costs = chat.shown.conversation.all.flatMap((item) =>
      item.type === 'answer' ? (item.requests ?? []) : [],
    );
    assert.deepEqual(
      costs.filter(({ isSummary: is }) => is),
      [{ usage: { promptTokens: 320 }, isSummary: true }],
    );
  });

  it('ends when the window goes away while nothing can be recorded any more', async () => {
    const { chat } = setUp({ limits: { contextWindow: 4000 }, model: () => say('Yes.') });
    await talk(chat, 5);
    const ended = chat.shown.submit(words(2700));
    chat.dispose();
    await ended;
  });

  it('asks for no longer an answer than half of the window', async () => {
    const { chat, said, requests } = setUp({
      limits: { contextWindow: 4000 },
      options: { maxTokens: 8000 },
      model: () => say('Yes.'),
    });
    await chat.shown.submit('Hello');
    assert.equal(requests[0]!.maxTokens, 2000);
    said.limits = {};
    await chat.shown.submit('Hello');
    assert.equal(requests[1]!.maxTokens, 8000);
  });

  it('corrects its estimate by what the server counts', async () => {
    // This model's tokens are half words: an estimate of 3000 is 6000.
    const model = (request: ModelRequest): Step[] =>
      isSummary(request) ? say('Words.') : say('Yes.', JSON.stringify(request.messages).length / 2.5);
    const { chat, requests } = setUp({ limits: { contextWindow: 4000 }, model });
    await talk(chat, 8);
    const longest = requests.slice(3).map(({ messages }) => JSON.stringify(messages).length / 2.5);
    assert.ok(Math.max(...longest) < 4000, String(Math.max(...longest)));
  });
});
