import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { eventually } from '../../support/eventually.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';

const answer = (text: string): ModelEvent[] => [
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];

function setUp(...scripts: Parameters<typeof scriptedModel>) {
  const { streamModel, requests } = scriptedModel(...scripts);
  const store = new MemoryChatStore();
  let ids = 0;
  const create = () =>
    new ChatController(chatDependencies({ store, streamModel, newId: () => `${Math.random()}.${++ids}` }));
  const chat = create();
  const queued = () => chat.shown.conversation.queue.map(({ text }) => text);
  const texts = () =>
    chat.shown.conversation.all.flatMap((item) =>
      item.type === 'user' || item.type === 'answer' ? [item.text] : [],
    );
  const idle = () => eventually(async () => assert.equal(chat.shown.isRunning, false));
  return { chat, create, idle, queued, requests, store, texts };
}

describe('queued messages', () => {
  it('are sent one after the other when the turns before them have ended', async () => {
    const { chat, idle, queued, texts } = setUp(answer('1'), answer('2'), answer('3'));
    const statuses: string[] = [];
    chat.onDidChange((change) => change.type === 'statusChanged' && statuses.push(change.status.type));
    void chat.shown.submit('One');
    const attachments = [{ kind: 'text' as const, label: 'Pasted text', text: 'long' }];
    const sources = [{ type: 'text' as const, name: 'Pasted text', text: 'long' }];
    assert.equal(chat.shown.queue.add({ text: 'Two', attachments, sources }), true);
    assert.equal(chat.shown.queue.add({ text: 'Three' }), true);
    assert.deepEqual(queued(), ['Two', 'Three']);
    await idle();
    assert.deepEqual(texts(), ['One', '1', 'Two', '2', 'Three', '3']);
    assert.deepEqual(queued(), []);
    const [, , two] = chat.shown.conversation.all;
    assert.ok(two?.type === 'user');
    assert.deepEqual(two.attachments, attachments);
    // The status never shows a pause in between.
    assert.equal(statuses.filter((status) => status === 'idle').length, 1);
  });

  it('say something, and wait for something', async () => {
    const { chat, idle, queued } = setUp(answer('1'));
    assert.equal(chat.shown.queue.add({ text: 'Too early' }), false);
    void chat.shown.submit('One');
    assert.equal(chat.shown.queue.add({ text: '  \n' }), false);
    await idle();
    assert.deepEqual(queued(), []);
  });

  for (const [name, script] of [
    ['stopped', ['wait']],
    ['failed', [new SwitchboardError('transient', 'Down.')]],
    ['cut', [{ type: 'textAdded', text: 'Half' }, new SwitchboardError('truncated', 'Cut.')]],
    [
      'at its limit',
      [
        { type: 'textAdded', text: 'Half' },
        { type: 'modelFinished', reason: 'length' },
      ],
    ],
  ] as const) {
    it(`stay when the turn was ${name}, and go on when one is sent`, async () => {
      const { chat, idle, queued, requests, texts } = setUp([...script], answer('2'), answer('3'));
      const ended = chat.shown.submit('One');
      for (const text of ['Two', 'Three']) chat.shown.queue.add({ text });
      if (name === 'stopped') {
        await eventually(async () => assert.equal(requests.length, 1));
        await chat.shown.stop();
      }
      await ended;
      assert.equal(chat.shown.isRunning, false);
      assert.deepEqual(queued(), ['Two', 'Three']);
      await chat.shown.queue.send(chat.shown.conversation.queue[1]!.id);
      await idle();
      assert.deepEqual(texts().slice(2), ['Three', '2', 'Two', '3']);
    });
  }

  it('are sent at once in place of what runs', async () => {
    const { chat, idle, texts } = setUp(
      [{ type: 'textAdded', text: 'Half' }, 'wait'],
      answer('2'),
      answer('3'),
    );
    const ended = chat.shown.submit('One');
    for (const text of ['Two', 'Three']) chat.shown.queue.add({ text });
    await eventually(async () => assert.equal(chat.shown.status.type, 'answering'));
    await chat.shown.queue.send(chat.shown.conversation.queue[0]!.id);
    assert.equal((await ended)?.reason, 'stopped');
    await idle();
    assert.deepEqual(texts(), ['One', 'Half', 'Two', '2', 'Three', '3']);
  });

  it('can be taken out again, once', async () => {
    const { chat, idle, queued, texts } = setUp(answer('1'));
    void chat.shown.submit('One');
    chat.shown.queue.add({ text: 'Two' });
    const { id } = chat.shown.conversation.queue[0]!;
    assert.equal(chat.shown.queue.remove(id)?.text, 'Two');
    assert.equal(chat.shown.queue.remove(id), undefined);
    assert.equal(await chat.shown.queue.send(id), undefined);
    assert.deepEqual(queued(), []);
    await idle();
    assert.equal(texts()[0], 'One');
  });

  it('belong to their conversation, and are sent in the background', async () => {
    const { chat, queued, store } = setUp(answer('1'), answer('2'));
    const first = chat.shown.conversation.id;
    void chat.shown.submit('One');
    chat.shown.queue.add({ text: 'Two' });
    await chat.startNewChat();
    assert.deepEqual(queued(), []);
    await eventually(async () => assert.equal(chat.sessions.length, 1));
    const kept = new Conversation(first, (await store.load(first)) ?? []);
    assert.deepEqual(
      kept.all.flatMap((item) => (item.type === 'user' || item.type === 'answer' ? [item.text] : [])),
      ['One', '1', 'Two', '2'],
    );
  });

  it('survive the window, and wait then', async () => {
    const { chat, create, requests } = setUp([{ type: 'textAdded', text: 'Half' }, 'wait'], answer('2'));
    const ended = chat.shown.submit('One');
    chat.shown.queue.add({ text: 'Two' });
    await eventually(async () => assert.equal(chat.shown.status.type, 'answering'));
    chat.dispose();
    await ended;
    const again = create();
    await again.openChat(chat.shown.conversation.id);
    assert.deepEqual(
      again.shown.conversation.queue.map(({ text }) => text),
      ['Two'],
    );
    assert.equal(requests.length, 1);
    assert.equal((await again.shown.queue.send(again.shown.conversation.queue[0]!.id))?.reason, 'answered');
    assert.deepEqual(again.shown.conversation.queue, []);
  });
});
