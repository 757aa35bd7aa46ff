import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { thisWindow } from '../../../src/chat/session/windowMark.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';

/** No process has this number. */
const nobody = 2 ** 30;
const gone = { id: 'before the reload', pid: nobody, host: thisWindow.host };

const said: ChatEvent[] = [
  { type: 'userMessageAdded', id: 'u1', text: 'Start the server' },
  { type: 'answerStarted', id: 'a1', model: 'm' },
  { type: 'textAdded', id: 'a1', text: 'It runs.' },
  { type: 'answerEnded', id: 'a1', end: { reason: 'answered' } },
];

function setUp(window: typeof gone, events: ChatEvent[] = said) {
  const store = new MemoryChatStore();
  const started = { type: 'backgroundCommandStarted', id: 'c0ffee00', line: 'npm\nrun dev', window } as const;
  for (const event of [...events, started]) store.append('c', event);
  const { streamModel, requests } = scriptedModel([
    { type: 'textAdded', text: 'I see.' },
    { type: 'modelFinished', reason: 'stop' },
  ]);
  const open = async () => {
    const chat = new ChatController(chatDependencies({ store, streamModel, newId: () => `id${++ids}` }));
    await chat.openChat('c');
    return chat;
  };
  let ids = 0;
  const notices = (chat: ChatController) =>
    chat.shown.conversation.all.flatMap((item) => (item.type === 'notice' ? [[item.kind, item.detail]] : []));
  return { store, open, notices, requests };
}

describe('commands in the background', () => {
  it('that a reload ended are told once to the user, and once to the model', async () => {
    const { open, notices, requests } = setUp(gone);
    const lost = [['command-lost', 'npm run dev']];
    assert.deepEqual(notices(await open()), lost);
    // Loaded again before anything was sent: the model still has to learn of it.
    const chat = await open();
    assert.deepEqual(notices(chat), lost);
    await chat.shown.submit('Is it up?');
    const told = /The command c0ffee00 in the background \(npm run dev\) ended with its editor window/g;
    assert.equal(JSON.stringify(requests[0]).match(told)?.length, 1);

    const later = await open();
    assert.deepEqual(notices(later), lost);
    assert.equal(later.shown.conversation.reports.size, 0);
  });

  it('that ended before they were told are told after a reload', async () => {
    const { store, open, requests } = setUp(thisWindow);
    store.append('c', { type: 'backgroundCommandEnded', id: 'c0ffee00', report: 'It ended with 7.' });
    await (await open()).shown.submit('And?');
    assert.match(JSON.stringify(requests[0]), /It ended with 7\./);
  });

  for (const [name, window] of [
    ['this window', thisWindow],
    ['another window that is there', { ...gone, pid: process.ppid }],
  ] as const) {
    it(`that run in ${name} are not given up`, async () => {
      const { open, notices } = setUp(window);
      const chat = await open();
      assert.deepEqual([notices(chat), chat.shown.conversation.reports.size], [[], 0]);
    });
  }

  it('that run where nobody can look, such as in another container, are given up', async () => {
    const { open, notices } = setUp({ ...gone, pid: process.ppid, host: 'another' });
    assert.equal(notices(await open()).length, 1);
  });

  it('are known from before the end that is loaded first', async () => {
    const { store, open, notices } = setUp(gone);
    store.loadEnd = async () => ({
      events: [{ type: 'userMessageAdded', id: 'u2', text: 'Later' }],
      earlier: async () => (await store.load('c')) ?? [],
    });
    const chat = await open();
    assert.deepEqual(notices(chat), []);
    await chat.shown.loadEarlier();
    assert.equal(notices(chat).length, 1);
  });

  it('that another window lost are told in a turn here, whose reopened calls and edits stay its own', async () => {
    const call = { id: 't', callId: 'c', name: 'deploy', input: {} };
    const edit = { path: 'a', realPath: '/work/a', afterHash: 'h' };
    const store = new MemoryChatStore();
    const events: ChatEvent[] = [
      { type: 'userMessageAdded', id: 'u1', text: 'Deploy it' },
      { type: 'answerStarted', id: 'a1', model: 'm' },
      { type: 'toolsCalled', id: 'a1', calls: [call] },
    ];
    for (const event of events) store.append('c', event);
    let isLocked = false;
    store.beginTurn = () => {
      isLocked = true;
      return { release: async () => void (isLocked = false) };
    };
    store.isRunningElsewhere = () => isLocked;
    const { streamModel } = scriptedModel([
      { type: 'textAdded', text: 'Done.' },
      { type: 'modelFinished', reason: 'stop' },
    ]);
    const chat = new ChatController(
      chatDependencies({
        ...{ store, streamModel, newId: () => 'next' },
        tools: { deploy: { run: () => 'deployed' } },
      }),
    );
    await chat.openChat('c');
    const news: ChatEvent[] = [
      { type: 'editBegun', edit, inline: { instruction: 'Shorter', window: gone } },
      { type: 'backgroundCommandStarted', id: 'c0ffee00', line: 'npm run dev', window: gone },
    ];
    store.newsOf = async () => ({ events: news.splice(0), isMixed: false });
    const statuses: string[] = [];
    chat.onDidChange((change) => {
      if (change.type === 'statusChanged') statuses.push(change.status.type);
    });
    await chat.shown.resume();
    const { all, begunEdits } = chat.shown.conversation;
    assert.deepEqual(
      all.flatMap((item) => (item.type === 'tool' ? item.outcome?.state : [])),
      ['done'],
    );
    assert.deepEqual(
      all.flatMap((item) => (item.type === 'notice' ? item.kind : [])),
      ['command-lost'],
    );
    assert.equal(begunEdits.length, 1, 'it is looked at when no turn runs');
    assert.ok(!statuses.includes('runningElsewhere'));
  });

  it('add their end to a conversation that is held open no longer, and bring none back that was deleted', async () => {
    const { store, open } = setUp(thisWindow);
    const chat = await open();
    await chat.startNewChat();
    const end: ChatEvent = { type: 'backgroundCommandEnded', id: 'c0ffee00', report: 'It ended.' };
    chat.record('c', end);
    assert.deepEqual((await store.load('c'))?.at(-1), end);
    await chat.closeChat('c');
    store.lines.delete('c');
    chat.record('c', end);
    assert.equal(await store.load('c'), undefined);
  });
});
