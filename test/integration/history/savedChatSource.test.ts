import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatController } from '../../../src/chat/chatController.ts';
import { restoreChat } from '../../../src/chat/store/discardedChats.ts';
import { FileChatStore } from '../../../src/chat/store/fileChatStore.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import type { StreamModel } from '../../../src/relay/messages.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { silentLog } from '../../support/silentLog.ts';
import { Deferred } from '../../../src/base/async/promises.ts';
import { unseenParts } from '../../support/unseenParts.ts';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import type { UnseenTurns } from '../../../src/chat/session/unseenTurns.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import type { HistoryEntry } from '../../../src/history/historySource.ts';
import { DetailsFile } from '../../../src/history/conversationDetails.ts';
import { savedChatSource } from '../../../src/history/savedChatSource.ts';
import { askModel } from '../../../src/relay/streamModel.ts';

const { signal } = new AbortController();

describe('the history on this machine', () => {
  let folder: string;
  let store: FileChatStore;
  let chat: ChatController;
  let streamModel: StreamModel;
  let unseen: UnseenTurns;
  const shown: string[] = [];
  const revealed: unknown[] = [];
  const asked: string[] = [];
  let leaves = false;
  const updated: string[][] = [];

  const source = () =>
    savedChatSource({
      folder,
      details: new DetailsFile(join(folder, 'details')),
      chat,
      store,
      unseen,
      nameOf: (id) => `the model ${id}`,
      update: async (open, modelId) => updated.push([open.shown.conversation.id, modelId]),
      leaveVersion: async (itemId) => {
        asked.push(itemId);
        return leaves;
      },
      reveal: async ({ chatId, id, text }) => void revealed.push([chatId, id, text]),
      show: () => Promise.resolve(shown.push(chat.shown.conversation.id)),
    });
  async function entry(title: string): Promise<HistoryEntry> {
    const { entries } = await source().load(signal);
    return entries.find((each) => each.title === title) ?? assert.fail(`${title} is not listed`);
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    store = new FileChatStore(folder, (error) => assert.fail(String(error)), silentLog);
    let ids = 0;
    streamModel = scriptedModel(['wait']).streamModel;
    chat = new ChatController(
      chatDependencies({
        store,
        ask: (...args) => askModel(streamModel)(...args),
        newId: () => `id${++ids}`,
      }),
    );
    const sights = unseenParts(chat);
    unseen = sights.unseen;
    shown.length = 0;
    revealed.length = 0;
    updated.length = 0;
    for (const id of ['open', 'other']) {
      store.append(id, { type: 'userMessageAdded', id: 'u', text: `Hello ${id}` });
      store.append(id, { type: 'answerStarted', id: 'a', model: 'm' });
    }
    asked.length = 0;
    await chat.openChat('open');
  });
  afterEach(async () => {
    // Stopped, as later writes would interfere.
    await chat.shown.stop();
    await store.flush();
    await rm(folder, { recursive: true });
  });

  it('lists what was said a moment ago, with the name of whom it was said to', async () => {
    const { isOpen, by } = await entry('Hello open');
    assert.deepEqual({ isOpen, by }, { isOpen: true, by: 'the model m' });
    assert.equal((await entry('Hello other')).isOpen, false);
  });

  it('brings a conversation with an app up to date as it is opened, and no other', async () => {
    store.append('app', { type: 'userMessageAdded', id: 'u', text: 'Hello app' });
    store.append('app', { type: 'answerStarted', id: 'a', model: 'app:guide' });
    await (await entry('Hello other')).open();
    await (await entry('Hello app')).open();
    assert.deepEqual(updated, [['app', 'app:guide']]);
  });

  it('lists the branches of the open conversation, and goes to one after the question about files', async () => {
    for (const event of [
      { type: 'userMessageAdded', id: 'u', text: 'Hello split' },
      { type: 'answerStarted', id: 'a', model: 'm' },
      { type: 'textAdded', id: 'a', text: 'First' },
      { type: 'versionStarted', ofId: 'a' },
      { type: 'answerStarted', id: 'b', model: 'n' },
      { type: 'textAdded', id: 'b', text: 'Second' },
      { type: 'userMessageAdded', id: 'v', text: 'Then' },
      { type: 'versionStarted', ofId: 'v' },
      { type: 'userMessageAdded', id: 'w', text: 'Or' },
    ] as const)
      store.append('split', event);
    await (await entry('Hello split')).open();
    const split = await entry('Hello split');
    const labels = (id?: string) =>
      split.branches?.(id).map(({ label, by, isShown, isSplit }) => [label, by, isShown, isSplit]);
    assert.deepEqual(labels(), [
      ['First', 'the model m', false, false],
      ['Second', 'the model n', true, true],
    ]);
    assert.deepEqual(labels('b'), [
      ['Then', undefined, false, false],
      ['Or', undefined, true, false],
    ]);
    leaves = false;
    assert.equal(await split.goTo?.('a'), false);
    assert.deepEqual(asked.splice(0), ['b']);
    leaves = true;
    assert.equal(await split.goTo?.('a'), true);
    assert.deepEqual(
      chat.shown.conversation.all.map(({ id }) => id),
      ['u', 'a'],
    );
    await (await entry('Hello other')).open();
    assert.deepEqual(split.branches?.(), []);
    assert.equal(await split.goTo?.('v'), true);
    // A branch that is gone stays chosen, also when the conversation is reloaded.
    assert.deepEqual(
      chat.shown.conversation.all.map(({ id }) => id),
      ['u', 'b', 'v'],
    );
  });

  describe('where a text was found', () => {
    const ways = [
      { type: 'userMessageAdded', id: 'u', text: 'Hello split' },
      { type: 'answerStarted', id: 'a', model: 'm' },
      { type: 'textAdded', id: 'a', text: 'The tide is high' },
      { type: 'toolsCalled', id: 'a', calls: [{ id: 't', callId: 't', name: 'read_file', input: {} }] },
      { type: 'versionStarted', ofId: 'a' },
      { type: 'answerStarted', id: 'b', model: 'n' },
      { type: 'textAdded', id: 'b', text: 'The moon is new' },
      { type: 'answerEnded', id: 'b', end: { reason: 'answered' } },
    ] as const satisfies ChatEvent[];
    const path = () => chat.shown.conversation.all.map(({ id }) => id);
    async function reveal(text: string, itemId: string | undefined, more: readonly ChatEvent[] = []) {
      for (const event of [...ways, ...more]) store.append('split', event);
      const split = await entry('Hello split');
      await split.open();
      await split.reveal?.({ text, itemId });
      return split;
    }

    it('goes to the branch that holds it, after the question about files', async () => {
      leaves = true;
      await reveal('Tide', 'a');
      assert.deepEqual([asked, path(), revealed], [['b'], ['u', 'a', 't'], [['split', 'a', 'Tide']]]);
    });

    it('goes to a call on a branch, too', async () => {
      leaves = true;
      await reveal('tide.md', 't');
      assert.deepEqual([path(), revealed], [['u', 'a', 't'], [['split', 't', 'tide.md']]]);
    });

    it('stays where the user stays with the files', async () => {
      leaves = false;
      await reveal('tide', 'a');
      assert.deepEqual([asked, path(), revealed], [['b'], ['u', 'b'], []]);
    });

    it('leaves nothing for what is said on the path, too', async () => {
      await reveal('THE', 'a');
      assert.deepEqual([asked, path(), revealed], [[], ['u', 'b'], [['split', 'b', 'THE']]]);
    });

    it('brings back nothing that was deleted', async () => {
      leaves = true;
      await reveal('moon', 'b', [{ type: 'branchDeleted', fromId: 'b' }]);
      assert.deepEqual([path(), revealed], [['u', 'a', 't'], []]);
    });

    it('says why it is not shown while an answer runs', async () => {
      const split = await reveal('moon', 'b');
      const ended = chat.shown.submit('Go on');
      await assert.rejects(async () => split.reveal?.({ text: 'tide', itemId: 'a' }), { code: 'conflict' });
      assert.deepEqual(path().slice(0, 2), ['u', 'b']);
      await chat.shown.stop();
      await ended;
    });
  });

  it('opens another chat, and only shows the open one', async () => {
    await (await entry('Hello open')).open();
    await (await entry('Hello other')).open();
    assert.deepEqual(shown, ['open', 'other']);
  });

  it('tells that a chat was deleted meanwhile, and goes on showing the open one', async () => {
    const listed = await entry('Hello other');
    await rm(join(folder, 'other.jsonl'));
    assert.equal(await listed.open(), false);
    assert.deepEqual([shown, chat.shown.conversation.id], [[], 'open']);
  });

  it('lists what runs in the background first', async () => {
    const ended = chat.shown.submit('Go on');
    await chat.openChat('other');
    const { entries } = await source().load(signal);
    assert.deepEqual(
      entries.map(({ id, activity, isOpen }) => [id, activity, isOpen]),
      [
        ['open', 'running', false],
        ['other', undefined, true],
      ],
    );
    chat.dispose();
    await ended;
  });

  it('tells when what it listed has ended, and what it does by then', async () => {
    const { onDidChange } = source();
    const ended = chat.shown.submit('Go on');
    const running = await entry('Hello open');
    assert.equal(running.activity, 'running');
    let changes = 0;
    onDidChange?.(() => changes++);
    await chat.shown.stop();
    await ended;
    assert.equal(running.activity, undefined);
    assert.ok(changes > 0);
  });

  for (const [script, outcome] of [
    [[{ type: 'modelFinished', reason: 'stop' }], 'done'],
    [[new SwitchboardError('transient', 'Down.')], 'failed'],
  ] as const) {
    it(`lists what ${outcome === 'done' ? 'was answered' : 'failed'} in the background first, until it is opened`, async () => {
      const left = new Deferred();
      const scripted = scriptedModel([...script]).streamModel;
      streamModel = async function* (request, stop) {
        await left.promise;
        yield* scripted(request, stop);
      };
      const listed = await entry('Hello open');
      let changes = 0;
      source().onDidChange?.(() => changes++);
      const ended = chat.shown.submit('Go on');
      await chat.openChat('other');
      left.resolve();
      await ended;
      assert.ok(changes > 0);
      assert.equal(listed.activity, outcome);
      const { entries } = await source().load(signal);
      assert.deepEqual(
        entries.map(({ id, activity }) => [id, activity]),
        [
          ['open', outcome],
          ['other', undefined],
        ],
      );
      await listed.open();
      assert.equal(listed.activity, undefined);
    });
  }

  it('forgets what was not seen of a chat that is deleted, here or in another window', async () => {
    for (const isElsewhere of [false, true]) {
      const id = isElsewhere ? 'other' : 'open';
      streamModel = scriptedModel([{ type: 'modelFinished', reason: 'stop' }]).streamModel;
      await chat.openChat(id);
      const ended = chat.shown.submit('Go on');
      await chat.startNewChat();
      await ended;
      assert.deepEqual(Object.keys(unseen.all), [id]);
      const listed = await entry(`Hello ${id}`);
      if (isElsewhere) await rm(join(folder, `${id}.jsonl`));
      else await listed.delete();
      await source().load(signal);
      assert.deepEqual(unseen.all, {});
    }
  });

  it('deletes the open chat for good: its answer is stopped, a new one is begun, and nothing is written after it', async () => {
    const ended = chat.shown.submit('Go on');
    await (await entry('Hello open')).delete();
    assert.equal((await ended)?.reason, 'stopped');
    assert.notEqual(chat.shown.conversation.id, 'open');
    await store.flush();
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.jsonl')),
      ['other.jsonl'],
    );
  });

  it('deletes a chat that runs in the background, and leaves the shown one alone', async () => {
    const ended = chat.shown.submit('Go on');
    await chat.openChat('other');
    await (await entry('Hello open')).delete();
    assert.equal((await ended)?.reason, 'stopped');
    assert.equal(chat.shown.conversation.id, 'other');
    await store.flush();
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.jsonl')),
      ['other.jsonl'],
    );
  });

  it('renames and pins a chat for all windows, and brings a deleted one back as it was', async () => {
    await (await entry('Hello other')).rename?.('Tides');
    await (await entry('Tides')).pin?.(true);
    await (await entry('Tides')).delete();
    const titles = async () => (await source().load(signal)).entries.map(({ title }) => title);
    assert.deepEqual(await titles(), ['Hello open']);
    await restoreChat(folder, 'other');
    const back = await entry('Tides');
    assert.deepEqual([back.isPinned, await back.open()], [true, true]);
    await back.rename?.('');
    assert.deepEqual((await titles()).toSorted(), ['Hello open', 'Hello other']);
  });

  it('finds what was said in the order of the list', async () => {
    const listed = source();
    await listed.load(signal);
    const found: string[] = [];
    for await (const { id } of listed.search?.('hello', signal) ?? []) found.push(id);
    assert.deepEqual(found.toSorted(), ['open', 'other']);
  });
});
