import assert from 'node:assert/strict';
import { ChatController, type ChatChange } from '../../../src/chat/chatController.ts';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import type { ChatItem } from '../../../src/chat/conversation/items.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import type { ModelEvent, StreamModel } from '../../../src/relay/messages.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { eventually } from '../../support/eventually.ts';
import type { FakeTool } from '../../support/fakeToolBox.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';

/** A model whose answers, by question, are released word by word. */
function modelInParts() {
  const answers = new Map<string, (event: ModelEvent) => void>();
  const streamModel: StreamModel = async function* ({ messages }, signal) {
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const events: ModelEvent[] = [];
    let wake = () => {};
    answers.set(question, (event) => {
      events.push(event);
      wake();
    });
    signal.addEventListener('abort', () => wake());
    for (;;) {
      signal.throwIfAborted();
      const event = events.shift();
      if (event) yield event;
      if (event?.type === 'modelFinished') return;
      if (events.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const answerTo = async (question: string) => {
    await eventually(async () => assert.ok(answers.has(question)));
    return {
      say: (text: string) => answers.get(question)?.({ type: 'textAdded', text }),
      end: () => answers.get(question)?.({ type: 'modelFinished', reason: 'stop' }),
    };
  };
  return { streamModel, answerTo };
}

function setUp(tools: Record<string, FakeTool> = {}, model: Partial<ReturnType<typeof modelInParts>> = {}) {
  const parts = { ...modelInParts(), ...model };
  const store = new MemoryChatStore();
  const chat = new ChatController(chatDependencies({ store, streamModel: parts.streamModel, tools }));
  const changes: ChatChange[] = [];
  chat.onDidChange((change) => changes.push(change));
  const kept = async (chatId: string) => new Conversation(chatId, (await store.load(chatId)) ?? []).all;
  return { ...parts, changes, chat, kept, store };
}

const textsIn = (items: readonly ChatItem[]) =>
  items.flatMap((item) => (item.type === 'user' || item.type === 'answer' ? [item.text] : []));

describe('conversations side by side', () => {
  it('go on in the background, each in its own file', async () => {
    const { answerTo, changes, chat, kept } = setUp();
    const first = chat.shown.conversation.id;
    const firstEnd = chat.shown.submit('One');
    const one = await answerTo('One');
    one.say('un');
    const second = await chat.startNewChat();
    const secondEnd = chat.shown.submit('Two');
    const two = await answerTo('Two');
    changes.length = 0;
    one.say(', unus');
    two.say('deux');
    one.end();
    assert.equal((await firstEnd)?.reason, 'answered');
    two.end();
    assert.equal((await secondEnd)?.reason, 'answered');
    assert.deepEqual(textsIn(await kept(first)), ['One', 'un, unus']);
    assert.deepEqual(textsIn(await kept(second)), ['Two', 'deux']);
    const shown = changes.flatMap((change) => (change.type === 'textAdded' ? [change.text] : []));
    assert.deepEqual(shown, ['deux']);
  });

  it('stay with the model that was the default when they began', async () => {
    const { streamModel } = modelInParts();
    let model = 'first';
    const store = new MemoryChatStore();
    const deps = chatDependencies({ store, streamModel, defaultModel: () => model });
    const chat = new ChatController(deps);
    const id = chat.shown.conversation.id;
    void chat.shown.submit('Hello');
    const again = new ChatController(deps);
    model = 'second';
    await again.openChat(id);
    assert.equal(again.shown.choices.model, 'first');
    await chat.shown.stop();
  });

  it('begin with the model of the one that was shown, where nothing else is set', async () => {
    const chat = new ChatController(chatDependencies({ defaultModel: (shown) => shown ?? 'last' }));
    chat.shown.choices.selectModel('seen');
    await chat.startNewChat();
    assert.equal(chat.shown.choices.model, 'seen');
    await chat.startNewChat();
    assert.equal(chat.shown.choices.model, 'seen');
    assert.equal(chat.shown.conversation.model, undefined, 'it is not chosen for good');
  });

  it('are shown live when they are opened again, and held no longer than they run or are shown', async () => {
    const { answerTo, changes, chat } = setUp();
    const first = chat.shown.conversation.id;
    let news = 0;
    chat.onDidChangeSessions(() => news++);
    const ended = chat.shown.submit('One');
    const one = await answerTo('One');
    one.say('un');
    await eventually(async () => assert.equal(chat.shown.status.type, 'answering'));
    await chat.startNewChat();
    assert.deepEqual(
      chat.sessions.map(({ isRunning }) => isRunning),
      [false, true],
    );
    await chat.openChat(first);
    assert.equal(chat.sessions.length, 1);
    assert.equal(chat.shown.status.type, 'answering');
    changes.length = 0;
    one.say('us');
    await eventually(async () => assert.deepEqual(textsIn(chat.shown.conversation.all), ['One', 'unus']));
    await chat.startNewChat();
    news = 0;
    one.end();
    await ended;
    assert.equal(chat.sessions.length, 1);
    assert.ok(news > 0);
    await chat.openChat(first);
    const last = chat.shown.conversation.all.at(-1);
    assert.ok(last?.type === 'answer');
    assert.deepEqual([last.text, last.end?.reason], ['unus', 'answered']);
  });

  it('are held as long as they have changes to review, and their reviews are kept', async () => {
    const { chat, kept } = setUp();
    const first = chat.shown.conversation.id;
    const edits = ['a.txt', 'b.txt'].map((path) => ({ path, realPath: `/work/${path}` }));
    chat.shown.record({ type: 'userMessageAdded', id: 'u', text: 'Edit' });
    chat.shown.record({ type: 'editsMade', id: 'e', edits });
    await chat.startNewChat();
    let news = 0;
    chat.onDidChangeSessions(() => news++);
    const [, left] = chat.sessions;
    assert.equal(left?.conversation.id, first);
    chat.record(first, { type: 'hunksKept', id: 'e', files: [{ path: 'a.txt' }] });
    assert.deepEqual([chat.sessions.length, news], [2, 1]);
    chat.record(first, { type: 'hunksUndone', id: 'e', files: [{ path: 'b.txt' }] });
    assert.deepEqual([chat.sessions.length, news], [1, 2]);
    const item = (await kept(first)).find(({ type }) => type === 'edits');
    assert.ok(item?.type === 'edits' && item.reviews?.['a.txt']?.isDone && item.reviews['b.txt']?.isDone);
  });

  it('are held once when one with changes to review is opened again, and not when it is deleted', async () => {
    const { chat } = setUp();
    const first = chat.shown.conversation.id;
    chat.shown.record({ type: 'userMessageAdded', id: 'u', text: 'Edit' });
    chat.shown.record({ type: 'editsMade', id: 'e', edits: [{ path: 'a.txt', realPath: '/work/a.txt' }] });
    await chat.startNewChat();
    await chat.openChat(first);
    assert.deepEqual(
      chat.sessions.map(({ conversation }) => conversation.id),
      [first],
    );
    await chat.startNewChat();
    assert.equal(chat.sessions.length, 2);
    await chat.closeChat(first);
    assert.equal(chat.sessions.length, 1);
  });

  it('are stopped one by one', async () => {
    const { answerTo, chat } = setUp();
    const firstEnd = chat.shown.submit('One');
    await answerTo('One');
    await chat.startNewChat();
    const secondEnd = chat.shown.submit('Two');
    const two = await answerTo('Two');
    const [, first] = chat.sessions;
    await first?.stop();
    assert.equal((await firstEnd)?.reason, 'stopped');
    two.end();
    assert.equal((await secondEnd)?.reason, 'answered');
  });

  it('show what was asked for last, however long the one before took to load', async () => {
    const { chat, store } = setUp();
    for (const id of ['slow', 'quick']) store.append(id, { type: 'userMessageAdded', id: 'u', text: id });
    let loaded = () => {};
    const load = store.load.bind(store);
    store.load = async (id) => {
      if (id === 'slow') await new Promise<void>((resolve) => (loaded = resolve));
      return load(id);
    };
    const slow = chat.openChat('slow');
    await chat.openChat('quick');
    loaded();
    assert.equal(await slow, true);
    assert.equal(chat.shown.conversation.id, 'quick');
  });

  it('are one even if they are opened twice at once', async () => {
    const { chat, store } = setUp();
    store.append('a', { type: 'userMessageAdded', id: 'u', text: 'Hello' });
    await Promise.all([chat.openChat('a'), chat.openChat('a')]);
    assert.deepEqual(
      chat.sessions.map(({ conversation }) => conversation.id),
      ['a'],
    );
  });

  it('show what a call waits for when they are opened', async () => {
    let allow = () => {};
    const run: FakeTool['run'] = async (_input, _signal, onState) => {
      void onState('asking');
      await new Promise<void>((resolve) => (allow = resolve));
      void onState('running');
      return 'Done.';
    };
    const asked: ModelEvent[] = [
      { type: 'toolCallsCompleted', calls: [{ id: 'c', name: 'act', arguments: '{}' }] },
      { type: 'modelFinished', reason: 'tool_calls' },
    ];
    let requests = 0;
    const streamModel: StreamModel = async function* () {
      if (++requests === 1) yield* asked;
      else yield { type: 'modelFinished', reason: 'stop' };
    };
    const { chat } = setUp({ act: { isRead: false, run } }, { streamModel });
    const first = chat.shown.conversation.id;
    const ended = chat.shown.submit('Act');
    await eventually(async () => assert.equal(chat.shown.status.type, 'asking'));
    await chat.startNewChat();
    assert.equal(chat.sessions[1]?.status.type, 'asking');
    await chat.openChat(first);
    const call = chat.shown.conversation.all.find(({ type }) => type === 'tool');
    assert.ok(call?.type === 'tool');
    assert.equal(call.state, 'asking');
    allow();
    assert.equal((await ended)?.reason, 'answered');
  });

  it('say of a command that may wait for what the user types', async () => {
    const run: FakeTool['run'] = async (_input, _signal, onState) => {
      void onState('running');
      await eventually(() => assert.deepEqual(chat.shown.status, { type: 'runningTools', readsInput: true }));
      return 'Done.';
    };
    const asked: ModelEvent[] = [
      { type: 'toolCallsCompleted', calls: [{ id: 'c', name: 'run_command', arguments: '{"input":true}' }] },
      { type: 'modelFinished', reason: 'tool_calls' },
    ];
    const { streamModel } = scriptedModel(asked, [{ type: 'modelFinished', reason: 'stop' }]);
    const { chat } = setUp({ run_command: { isRead: false, run } }, { streamModel });
    assert.equal((await chat.shown.submit('Log in'))?.reason, 'answered');
    const call = chat.shown.conversation.all.find(({ type }) => type === 'tool');
    assert.equal(call?.type === 'tool' && call.outcome?.state, 'done');
  });

  it('end with the window, each found interrupted', async () => {
    const { answerTo, chat, kept } = setUp();
    const first = chat.shown.conversation.id;
    const firstEnd = chat.shown.submit('One');
    (await answerTo('One')).say('un');
    const second = await chat.startNewChat();
    const secondEnd = chat.shown.submit('Two');
    await answerTo('Two');
    chat.dispose();
    await firstEnd;
    await secondEnd;
    for (const id of [first, second]) {
      const last = (await kept(id)).at(-1);
      assert.ok(last?.type === 'answer' && last.end === undefined);
    }
  });

  it('are shown by their end, and asked about as a whole', async () => {
    const said = (id: string): ChatEvent[] => [
      { type: 'userMessageAdded', id, text: `Question ${id}` },
      { type: 'answerStarted', id: `a${id}`, model: 'm' },
      { type: 'textAdded', id: `a${id}`, text: `Answer ${id}` },
      { type: 'answerEnded', id: `a${id}`, end: { reason: 'answered' } },
    ];
    const store = new MemoryChatStore();
    let loads = 0;
    store.loadEnd = async () => ({
      events: said('2'),
      earlier: async () => {
        loads++;
        if (loads === 1) throw new Error('The disk is asleep.');
        return said('1');
      },
    });
    const { requests, streamModel } = scriptedModel([
      { type: 'textAdded', text: 'Answer 3' },
      { type: 'modelFinished', reason: 'stop' },
    ]);
    const chat = new ChatController(chatDependencies({ store, streamModel }));
    const shown: unknown[] = [];
    chat.onDidChange((change) => change.type === 'earlierLoaded' && shown.push(change.shown.length));
    assert.ok(await chat.openChat('long'));
    assert.deepEqual(
      [textsIn(chat.shown.conversation.all), chat.shown.hasEarlier],
      [['Question 2', 'Answer 2'], true],
    );
    assert.equal(loads, 0, 'nothing is loaded that nobody wants');
    await assert.rejects(chat.shown.loadEarlier(), /asleep/);
    assert.equal((await chat.shown.submit('Question 3'))?.reason, 'answered');
    assert.deepEqual(
      requests[0]?.messages.flatMap(({ role, content }) => (role === 'system' ? [] : content)),
      ['Question 1', 'Answer 1', 'Question 2', 'Answer 2', 'Question 3'],
    );
    assert.deepEqual(textsIn(chat.shown.conversation.all).slice(0, 5), [
      ...['Question 1', 'Answer 1', 'Question 2', 'Answer 2', 'Question 3'],
    ]);
    // The message was appended before the rest was loaded.
    assert.deepEqual([chat.shown.hasEarlier, loads, shown], [false, 2, [3]]);
  });
});
