import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { TurnNotifier } from '../../../../src/chat/session/turnNotifier.ts';
import type { UnseenRecord } from '../../../../src/chat/session/unseenTurns.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';
import { badgeOf } from '../../../../src/panel/present/badge.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { unseenParts } from '../../../support/unseenParts.ts';

const answer: ModelEvent[] = [
  { type: 'textAdded', text: 'Yes.' },
  { type: 'modelFinished', reason: 'stop' },
];
const failure = [new SwitchboardError('transient', 'Down.')];

function setUp(...scripts: Parameters<typeof scriptedModel>) {
  const { streamModel } = scriptedModel(...scripts);
  const chat = new ChatController(chatDependencies({ streamModel }));
  const parts = unseenParts(chat);
  const told: string[] = [];
  const withdrawn: string[] = [];
  const shown: string[] = [];
  const choices = new Map<string, (isShown: boolean) => void>();
  const notifier = () =>
    new TurnNotifier({
      unseen: parts.unseen,
      notify: (id, { outcome, title }, signal) => {
        told.push(`${outcome}: ${title}`);
        signal.addEventListener('abort', () => withdrawn.push(title));
        return new Promise((resolve) => choices.set(id, resolve));
      },
      notifyLeft: (count) => void told.push(`${count} left`),
      show: (id) => void shown.push(id),
    });
  notifier();
  const askAndLeave = async (text: string) => {
    const { id } = chat.shown.conversation;
    const ended = chat.shown.submit(text);
    await chat.startNewChat();
    await ended;
    return id;
  };
  return { ...parts, askAndLeave, chat, choices, notifier, shown, told, withdrawn };
}

describe('turns that end while nobody looks', () => {
  it('are told once, each with how it ended, and kept until their conversation is opened', async () => {
    const { askAndLeave, chat, told, unseen, withdrawn } = setUp(answer, failure);
    const first = await askAndLeave('One\nwith more');
    const second = await askAndLeave('Two');
    assert.deepEqual(told, ['done: One with more', 'failed: Two']);
    assert.deepEqual(
      Object.entries(unseen.all).map(([id, { outcome }]) => [id, outcome]),
      [
        [first, 'done'],
        [second, 'failed'],
      ],
    );
    await chat.openChat(first);
    assert.deepEqual([Object.keys(unseen.all), withdrawn], [[second], ['One with more']]);
    assert.equal(told.length, 2);
  });

  it('are those of a hidden panel and of a window in the background, too, until that is looked at', async () => {
    for (const sight of ['hidden', 'background'] as const) {
      const { chat, look, told, unseen, withdrawn } = setUp(answer);
      look(sight);
      await chat.shown.submit('One');
      assert.deepEqual(told, ['done: One']);
      look(sight === 'hidden' ? 'background' : 'hidden');
      assert.deepEqual(withdrawn, []);
      look('seen');
      assert.deepEqual([unseen.all, withdrawn], [{}, ['One']]);
    }
  });

  it('are not those that are seen or stopped', async () => {
    const { chat, look, told, unseen } = setUp(answer, ['wait']);
    await chat.shown.submit('One');
    const ended = chat.shown.submit('Two');
    look('hidden');
    await chat.shown.stop();
    await ended;
    assert.deepEqual([told, unseen.all], [[], {}]);
  });

  it('are told when the queue is done, not before', async () => {
    const { chat, look, told } = setUp(answer, answer);
    look('hidden');
    const ended = chat.shown.submit('One');
    chat.shown.queue.add({ text: 'Two' });
    await ended;
    assert.deepEqual(told, []);
    while (chat.shown.isRunning) await new Promise(setImmediate);
    assert.deepEqual(told, ['done: One']);
  });

  it('lead to their conversation, and outlive the window without being told again', async () => {
    const { askAndLeave, chat, choices, memory, notifier, shown, told } = setUp(answer);
    const id = await askAndLeave('One');
    const kept: UnseenRecord = JSON.parse(JSON.stringify(memory.unseenTurns));
    assert.deepEqual(Object.keys(unseenParts(chat, { unseenTurns: kept }).unseen.all), [id]);
    notifier();
    assert.equal(told.length, 1);
    choices.get(id)!(true);
    await new Promise(setImmediate);
    assert.deepEqual(shown, [id]);
  });
});

describe('turns that a killed window left untold', () => {
  it('are told together, once, and let go of together', async () => {
    const { notifier, told, unseen, memory } = setUp();
    memory.unseenTurns = Object.fromEntries(
      Array.from({ length: 24 }, (_, n) => [`c${n}`, { outcome: 'done', title: `Question ${n}` }]),
    );
    notifier();
    notifier();
    assert.deepEqual(told, ['24 left']);
    unseen.forget(() => true);
    assert.deepEqual(unseen.all, {});
  });

  it('are told as ever where there is only one', () => {
    const { notifier, told, memory } = setUp();
    memory.unseenTurns = { c: { outcome: 'failed', title: 'Question' } };
    notifier();
    assert.deepEqual(told, ['failed: Question']);
  });
});

describe('the badge', () => {
  it('counts what is not in view, and says what that is', () => {
    assert.equal(badgeOf({ asking: 0, outcomes: [], working: 0 }), undefined);
    assert.deepEqual(badgeOf({ asking: 2, outcomes: ['done', 'failed', 'done'], working: 1 }), {
      value: 6,
      tooltip:
        '2 calls need approval\n1 conversation failed\n2 conversations are done\n1 conversation is running',
    });
  });
});
