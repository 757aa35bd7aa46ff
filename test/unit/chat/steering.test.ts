import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ChatDependencies } from '../../../src/chat/chatDependencies.ts';
import type { Message, ModelEvent, ToolCall } from '../../../src/relay/messages.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { eventually } from '../../support/eventually.ts';
import { emptyPrompt } from '../../support/emptyPrompt.ts';
import { fakeApps } from '../../support/fakeApps.ts';
import { fakeSegments, segment } from '../../support/fakeSegments.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';

const answer = (text: string): ModelEvent[] => [
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];
let ids = 0;
const calls = (...names: string[]): ModelEvent[] => [
  {
    type: 'toolCallsCompleted',
    calls: names.map((name): ToolCall => ({ id: `c${++ids}`, name, arguments: '{}' })),
  },
  { type: 'modelFinished', reason: 'tool_calls' },
];

/** The role, and the beginning of the text. */
const brief = ({ role, content }: Message) => `${role}: ${content.split(/[.:]/)[0]}`;

interface Options extends Partial<Omit<ChatDependencies, 'options' | 'tools'>> {
  options?: Parameters<typeof chatDependencies>[0]['options'];
}

/** A conversation whose call of "slow" runs until released. */
function setUp(scripts: Parameters<typeof scriptedModel>, options: Options = {}) {
  const { streamModel, requests } = scriptedModel(...scripts);
  const store = new MemoryChatStore();
  const ran: string[] = [];
  let end = () => {};
  const tools = {
    slow: {
      isRead: false,
      run: async () => {
        ran.push('slow');
        await new Promise<void>((resolve) => (end = resolve));
        return 'Slow result.';
      },
    },
    quick: { isRead: false, run: () => `Quick result ${ran.push('quick')}.` },
  };
  const create = () =>
    new ChatController(
      chatDependencies({ store, streamModel, tools, newId: () => `id${++ids}`, ...options }),
    );
  const chat = create();
  return {
    ...{ chat, create, ran, requests },
    steer: (text: string) => chat.shown.queue.add({ text, steers: true }),
    queued: () => chat.shown.conversation.queue.map(({ text }) => text),
    texts: () =>
      chat.shown.conversation.all.flatMap((item) =>
        item.type === 'user' || item.type === 'answer' ? [item.text] : [],
      ),
    running: () => eventually(async () => assert.ok(ran.includes('slow'))),
    endCall: () => end(),
    idle: () => eventually(async () => assert.equal(chat.shown.isRunning, false)),
    last: () => requests.at(-1)!.messages.map(brief),
  };
}

describe('a message for the turn that runs', () => {
  it('is handed in after the call that runs and before any other, each answered for', async () => {
    const { chat, endCall, last, queued, ran, requests, running, steer } = setUp([
      calls('slow', 'quick', 'quick'),
      answer('Done.'),
    ]);
    const ended = chat.shown.submit('Go');
    await running();
    assert.equal(steer('Leave the rest'), true);
    assert.deepEqual(
      chat.shown.queue.steering.map(({ text }) => text),
      ['Leave the rest'],
    );
    assert.equal(requests.length, 1);
    endCall();
    assert.equal((await ended)?.reason, 'answered');
    assert.deepEqual(ran, ['slow']);
    assert.equal(requests.length, 2);
    assert.deepEqual(last(), [
      'user: Go',
      'assistant: ',
      'tool: Slow result',
      'tool: Not run',
      'tool: Not run',
      'user: Leave the rest',
    ]);
    assert.deepEqual(queued(), []);
    assert.deepEqual(
      chat.shown.conversation.all.map(({ type }) => type),
      ['user', 'answer', 'tool', 'tool', 'tool', 'user', 'answer'],
    );
  });

  it('is handed in with others that came meanwhile, before those that wait for the end', async () => {
    const { chat, endCall, idle, running, steer, texts } = setUp([calls('slow'), answer('1'), answer('2')]);
    void chat.shown.submit('Go');
    await running();
    chat.shown.queue.add({ text: 'Later' });
    for (const text of ['First', 'Second']) steer(text);
    endCall();
    await idle();
    assert.deepEqual(texts(), ['Go', '', 'First', 'Second', '1', 'Later', '2']);
  });

  it('is the next turn if the answer ends before', async () => {
    const { chat, idle, requests, texts } = setUp([answer('1'), answer('2'), answer('3')]);
    void chat.shown.submit('Go');
    chat.shown.queue.add({ text: 'Later' });
    for (const text of ['First', 'Second']) chat.shown.queue.add({ text, steers: true });
    await idle();
    assert.deepEqual(texts(), ['Go', '1', 'First', 'Second', '2', 'Later', '3']);
    assert.equal(requests.length, 3);
  });

  for (const [name, script] of [
    ['stopped', ['wait']],
    ['failed', [new SwitchboardError('transient', 'Down.')]],
  ] as const) {
    it(`waits like the others when the turn was ${name}, and steers no other turn`, async () => {
      const { chat, endCall, idle, queued, requests, running, texts } = setUp([
        [...script],
        calls('slow', 'quick'),
        answer('2'),
        answer('3'),
      ]);
      const ended = chat.shown.submit('Go');
      chat.shown.queue.add({ text: 'Later' });
      chat.shown.queue.add({ text: 'For the turn', steers: true });
      if (name === 'stopped') {
        await eventually(async () => assert.equal(requests.length, 1));
        await chat.shown.stop();
      }
      await ended;
      assert.deepEqual(queued(), ['For the turn', 'Later']);
      assert.deepEqual(chat.shown.queue.steering, []);
      void chat.shown.submit('Again');
      await running();
      assert.deepEqual(chat.shown.queue.steering, []);
      endCall();
      await idle();
      assert.deepEqual(texts().slice(-5), ['2', 'For the turn', '3', 'Later', '']);
    });
  }

  it('goes with another one that is sent at once, so that no call of the turn in place of its own is skipped', async () => {
    const { chat, idle, last, queued, ran, requests, steer, texts } = setUp([
      ['wait'],
      calls('quick'),
      answer('1'),
      answer('2'),
      answer('3'),
    ]);
    void chat.shown.submit('Go');
    await eventually(async () => assert.equal(requests.length, 1));
    for (const text of ['For the turn', 'At once']) steer(text);
    chat.shown.queue.add({ text: 'Of another model', steers: true, modelId: 'other' });
    chat.shown.queue.add({ text: 'Later' });
    await chat.shown.queue.send(chat.shown.conversation.queue[1]!.id);
    assert.deepEqual([ran, requests.length], [['quick'], 3]);
    assert.deepEqual(last().slice(-4), [
      'user: For the turn',
      'user: At once',
      'assistant: ',
      'tool: Quick result 1',
    ]);
    await idle();
    assert.deepEqual(texts().slice(-4), ['Of another model', '2', 'Later', '3']);
    assert.deepEqual(queued(), []);
  });

  it('is handed in before a limit is reached, which begins anew', async () => {
    const { chat, endCall, last, requests, running, steer } = setUp(
      [calls('slow'), calls('quick'), calls('quick'), answer('Done.')],
      { options: { maxToolRounds: 2 } },
    );
    const ended = chat.shown.submit('Go');
    await running();
    steer('Go on');
    endCall();
    assert.equal((await ended)?.reason, 'called');
    assert.equal(requests.length, 3);
    assert.deepEqual(last().slice(-4, -2), ['tool: Slow result', 'user: Go on']);
    const limit = chat.shown.conversation.all.at(-1);
    assert.ok(limit?.type === 'notice' && limit.kind === 'round-limit');
  });

  it('goes to the model that was picked meanwhile, when the turn has ended', async () => {
    const { chat, endCall, idle, ran, requests, running, steer } = setUp([
      calls('slow', 'quick'),
      answer('1'),
      answer('2'),
    ]);
    void chat.shown.submit('Go');
    await running();
    chat.shown.choices.selectModel('other');
    steer('For the other');
    endCall();
    await idle();
    assert.deepEqual(ran, ['slow', 'quick']);
    assert.deepEqual(
      requests.map(({ model, messages }) => [model, messages.at(-1)?.role]),
      [
        ['m', 'user'],
        ['m', 'tool'],
        ['other', 'user'],
      ],
    );
  });

  it('carries what models are told with a message: facts, the mode, and what the knowledge bases have', async () => {
    let day = 10;
    const { search } = fakeSegments([segment('tides.md')]);
    const { chat, endCall, requests, running, steer } = setUp([calls('slow'), answer('Done.')], {
      prompt: async () => ({ ...emptyPrompt, facts: async () => [`Date: ${++day}`] }),
      searchSegments: search,
      hasPlatform: () => true,
    });
    chat.shown.choices.chooseKnowledge([{ id: 'd1', name: 'Harbour' }]);
    const ended = chat.shown.submit('How high is the water today?');
    await running();
    chat.shown.choices.selectMode('ask');
    steer('And how high was it in the year 1906?');
    endCall();
    await ended;
    const messages = requests.at(-1)!.messages.filter(({ role }) => role === 'user');
    assert.equal(messages.length, 2);
    messages.forEach(({ content }, index) => {
      assert.match(content, new RegExp(`Date: ${11 + index}\n[^]*<knowledge-`));
    });
    assert.doesNotMatch(messages[0]!.content, /\[Mode: Ask/);
    assert.match(messages[1]!.content, /\[Mode: Ask[^]*1906/);
    assert.equal(chat.shown.conversation.all.filter(({ type }) => type === 'search').length, 2);
  });

  it('lets no other tools run than the message before it', async () => {
    const { chat, endCall, running, steer } = setUp([calls('slow'), answer('Done.')]);
    const ended = chat.shown.submit('Go', { tools: ['slow'] });
    await running();
    steer('And more');
    endCall();
    await ended;
    const said = chat.shown.conversation.all.flatMap((item) => (item.type === 'user' ? [item.tools] : []));
    assert.deepEqual(said, [['slow'], ['slow']]);
  });

  it('waits for the end of an app, which answers in one go, in its turn among the others', async () => {
    const apps = fakeApps(['1'], ['2'], ['3']);
    const { chat, idle, texts } = setUp([], { apps, conversationLinks: apps.links });
    chat.shown.choices.selectModel('app:guide');
    void chat.shown.submit('Go');
    chat.shown.queue.add({ text: 'First' });
    chat.shown.queue.add({ text: 'Second', steers: true });
    assert.deepEqual(chat.shown.queue.steering, []);
    await idle();
    assert.deepEqual(texts(), ['Go', '1', 'First', '2', 'Second', '3']);
  });

  it('is still in the queue when the window was closed before', async () => {
    const { chat, create, running, steer } = setUp([calls('slow', 'quick'), answer('Done.')]);
    void chat.shown.submit('Go');
    await running();
    chat.shown.queue.add({ text: 'Later' });
    steer('For the turn');
    chat.dispose();
    const again = create();
    await again.openChat(chat.shown.conversation.id);
    assert.deepEqual(
      again.shown.conversation.queue.map(({ text }) => text),
      ['For the turn', 'Later'],
    );
    assert.deepEqual(again.shown.queue.steering, []);
  });
});
