import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async/promises.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import { EditReviews } from '../../../src/chat/edits/editReviews.ts';
import { recordInterruptions } from '../../../src/chat/conversation/recordInterruptions.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { thisWindow, type WindowMark } from '../../../src/chat/session/windowMark.ts';
import type { AppliedEdit } from '../../../src/tools/edits/editJournal.ts';
import { FileMoves } from '../../../src/tools/review/fileMoves.ts';
import { findMade, type FindMadeDependencies } from '../../../src/tools/review/findMade.ts';
import type { ToolDependencies } from '../../../src/tools/toolDependencies.ts';
import { eventually } from '../../support/eventually.ts';
import { createReviewAccess } from '../../../src/tools/review/reviewAccess.ts';
import { toToolEntry } from '../../../src/panel/present/presentTool.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { MemorySnapshots } from '../../support/memorySnapshots.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { toolsUnderTest } from '../../support/toolsUnderTest.ts';

function filesOf(dependencies: ToolDependencies, snapshots: MemorySnapshots): FindMadeDependencies {
  return {
    tools: async () => ({ dependencies }),
    snapshots: async () => snapshots,
    memory: { fileMoves: [] },
  };
}

async function killed(when: 'before' | 'after') {
  const { workspace, dependencies, tools } = toolsUnderTest(
    { '/work/a': 'one\n' },
    { rules: { edit_file: 'allow' } },
  );
  const { apply } = workspace.edits;
  const dead = new Deferred();
  workspace.edits.apply = async (edit) => {
    if (when === 'after') await apply(edit);
    dead.resolve();
    return new Promise(() => {});
  };
  const edit = JSON.stringify({ path: 'a', replacements: [{ oldText: 'one', newText: 'ONE' }] });
  const call: ModelEvent = {
    type: 'toolCallsCompleted',
    calls: [{ id: 'c', name: 'edit_file', arguments: edit }],
  };
  const { streamModel } = scriptedModel([call, { type: 'modelFinished', reason: 'tool_calls' }]);
  const store = new MemoryChatStore();
  const snapshots = new MemorySnapshots();
  const parts: Parameters<typeof chatDependencies>[0] = {
    ...{ store, streamModel, snapshots: async () => snapshots },
    findMade: (_, begun) => findMade(begun, filesOf(dependencies, snapshots)),
  };
  const chat = new ChatController({ ...chatDependencies(parts), tools });
  chat.shown.choices.selectMode('agent');
  void chat.shown.submit('Edit it');
  await dead.promise;
  const next = new ChatController({ ...chatDependencies(parts), tools, newId: () => 'next' });
  // All of its events are in the file, and no more come.
  await next.openChat(chat.shown.conversation.id);
  await eventually(async () => assert.deepEqual(next.shown.conversation.unended, []));
  workspace.edits.apply = apply;
  const reviews = new EditReviews({
    access: async () => createReviewAccess(dependencies, new FileMoves()),
    snapshots: async () => snapshots,
    newId: () => 'restored',
  });
  return { chat: next, reviews, store, text: () => workspace.memory.entries.get('/work/a') };
}

describe('a window that is killed while it edits a file', () => {
  it('lets the edit be taken back that is in the file', async () => {
    const { chat, reviews, text } = await killed('after');
    assert.equal(text(), 'ONE\n');
    const [session] = chat.sessions;
    const item = chat.shown.conversation.all.find(({ type }) => type === 'edits');
    assert.ok(session && item?.type === 'edits');
    assert.deepEqual(
      item.edits.map(({ path, added, removed }) => [path, added, removed]),
      [['a', 1, 1]],
    );
    assert.equal(await reviews.decide(session, item.id, 'undo'), true);
    assert.equal(text(), 'one\n');
    assert.deepEqual(item.reviews?.['a']?.problem, undefined);
  });

  it('lists no edit that did not come into the file, whatever the file is later', async () => {
    const { chat, store, text } = await killed('before');
    assert.equal(text(), 'one\n');
    const saved = new Conversation('again', await store.load(chat.shown.conversation.id));
    for (const { all, begunEdits } of [chat.shown.conversation, saved]) {
      assert.equal(
        all.some(({ type }) => type === 'edits'),
        false,
      );
      assert.deepEqual(begunEdits, []);
    }
  });

  it('tells an edit that was made from one that was not, as far as anybody can', async () => {
    const { dependencies, workspace } = toolsUnderTest({ '/work/a': 'one\n\nmine\n', '/work/empty': '' });
    const snapshots = new MemorySnapshots();
    const files = filesOf(dependencies, snapshots);
    const [one, two] = [await snapshots.put('one\n\n'), await snapshots.put('two\n\n')];
    const a = { path: 'a', realPath: '/work/a' };
    const is = async (edit: AppliedEdit) => (await findMade(edit, files)) !== undefined;
    // Text written by others isn't the edit.
    assert.equal(await is({ ...a, beforeHash: one, afterHash: two }), false);
    assert.equal(await is({ ...a, beforeHash: two, afterHash: one }), true);
    const empty = { path: 'empty', realPath: '/work/empty', afterHash: await snapshots.put('') };
    assert.equal(await is(empty), true);
    workspace.memory.entries.delete('/work/empty');
    assert.equal(await is(empty), false);
    assert.equal(await is({ ...a, beforeHash: 'gone', afterHash: two }), true);
    assert.equal(await is({ path: 'b', realPath: '/elsewhere/b', beforeHash: one, afterHash: two }), true);
  });

  describe('by Edit Inline', () => {
    const edit = { path: 'a', realPath: '/work/a', afterHash: 'h', isInline: true } as const;
    const begun = (window: WindowMark): ChatEvent => ({
      ...{ type: 'editBegun', edit, inline: { instruction: 'Shorter', window } },
    });
    const gone = { ...thisWindow, id: 'gone' };
    const listed = ({ shown: { conversation } }: ChatController) =>
      conversation.all.map((item) => (item.type === 'notice' ? item.detail : item.type));

    it('lists it with what was asked for, once', async () => {
      const store = new MemoryChatStore();
      store.append('c', begun(gone));
      for (let opened = 0; opened < 2; opened++) {
        const chat = new ChatController(chatDependencies({ store }));
        await chat.openChat('c');
        await eventually(async () => assert.deepEqual(listed(chat), ['Shorter', 'edits']));
      }
    });

    it('lists it also where all of the conversation is loaded while its file is looked at', async () => {
      const store = new MemoryChatStore();
      store.append('c', begun(gone));
      const end = await store.load('c');
      store.loadEnd = async () => ({
        events: end ?? [],
        earlier: async () => [{ type: 'userMessageAdded', id: 'u', text: 'Hello' }],
        isEarlierWanted: true,
      });
      const looked = new Deferred();
      const chat = new ChatController(
        chatDependencies({ store, findMade: (_, each) => looked.promise.then(() => each) }),
      );
      await chat.openChat('c');
      await chat.shown.loadEarlier();
      looked.resolve();
      await eventually(async () => assert.deepEqual(listed(chat), ['user', 'Shorter', 'edits']));
    });

    it('looks for one that was not made no more', async () => {
      const store = new MemoryChatStore();
      store.append('c', begun(gone));
      const chat = new ChatController(chatDependencies({ store, findMade: async () => undefined }));
      await chat.openChat('c');
      await eventually(async () => assert.deepEqual(chat.shown.conversation.begunEdits, []));
      assert.deepEqual(listed(chat), []);
    });

    it('is looked for before a model is asked', async () => {
      const store = new MemoryChatStore();
      store.append('c', begun(gone));
      const looked = new Deferred();
      const { streamModel, requests } = scriptedModel([{ type: 'modelFinished', reason: 'stop' }]);
      const chat = new ChatController(
        chatDependencies({ store, streamModel, findMade: (_, each) => looked.promise.then(() => each) }),
      );
      await chat.openChat('c');
      const ended = chat.shown.submit('Go');
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
      assert.equal(requests.length, 0);
      looked.resolve();
      await ended;
      assert.equal(requests.length, 1);
      assert.ok(listed(chat).includes('edits'));
    });

    it('lists that of a window that is killed later, too', async () => {
      const store = new MemoryChatStore();
      store.append('c', begun(gone));
      const chat = new ChatController(chatDependencies({ store }));
      await chat.openChat('c');
      const { conversation, windows } = chat.shown;
      await eventually(async () => assert.deepEqual(conversation.begunEdits, []));
      store.isRunningElsewhere = () => true;
      const later = { ...begun(gone), edit: { ...edit, realPath: '/work/b', path: 'b' } } as ChatEvent;
      store.newsOf = async () => ({ events: [later], isMixed: false });
      await windows.update();
      assert.equal(conversation.begunEdits.length, 1);
      store.newsOf = async () => ({ events: [], isMixed: false });
      store.isRunningElsewhere = () => false;
      await windows.update();
      await eventually(async () => assert.deepEqual(conversation.begunEdits, []));
      const edits = conversation.all.flatMap((item) => (item.type === 'edits' ? item.edits : []));
      assert.deepEqual(
        edits.map(({ path }) => path),
        ['a', 'b'],
      );
    });

    it('leaves one alone that a window is making', async () => {
      const store = new MemoryChatStore();
      store.append('c', begun(thisWindow));
      store.append('c', { type: 'restorationBegun', id: 'r', toId: 'u', edits: [edit], window: thisWindow });
      for (const state of ['done', 'failed'] as const) {
        store.append('c', {
          type: 'toolFinished',
          id: state,
          outcome: { state, content: '', durationMs: 1 },
        });
      }
      const chat = new ChatController(chatDependencies({ store }));
      await chat.openChat('c');
      // A turn waits for the check before it asks a model.
      await chat.shown.submit('Go');
      assert.deepEqual(listed(chat), ['user', 'answer']);
      assert.equal(chat.shown.conversation.begunEdits.length, 1);
      assert.equal(chat.shown.conversation.begunRestoration?.id, 'r');
    });
  });

  describe('that is written step by step', () => {
    const asked = { instruction: 'Shorter', window: { ...thisWindow, id: 'gone' } };

    async function opened(now: string | undefined) {
      const { dependencies } = toolsUnderTest(now === undefined ? {} : { '/work/a': now });
      const snapshots = new MemorySnapshots();
      const beforeHash = await snapshots.put('one\ntwo\n');
      const store = new MemoryChatStore();
      const edit = {
        path: 'a',
        realPath: '/work/a',
        beforeHash,
        isInline: true,
        isUnfinished: true,
      } as const;
      store.append('c', { type: 'editBegun', edit, inline: asked });
      const chat = new ChatController(
        chatDependencies({
          ...{ store, snapshots: async () => snapshots },
          findMade: (_, begun) => findMade(begun, filesOf(dependencies, snapshots)),
        }),
      );
      await chat.openChat('c');
      return { chat, snapshots, conversation: chat.shown.conversation };
    }

    it('lists what it came to, so that it can be taken back', async () => {
      const { conversation, snapshots } = await opened('ONE\ntwo\n');
      await eventually(async () => assert.equal(conversation.all.length, 2));
      const [notice, item] = conversation.all;
      assert.ok(notice?.type === 'notice' && notice.detail === 'Shorter' && item?.type === 'edits');
      const [edit] = item.edits;
      assert.deepEqual([edit?.added, edit?.removed, edit && 'isUnfinished' in edit], [1, 1, false]);
      assert.equal(await snapshots.get(edit?.afterHash ?? ''), 'ONE\ntwo\n');
      assert.deepEqual(conversation.begunEdits, []);
    });

    it('lists nothing where the old text is in the file, or the file is gone', async () => {
      for (const now of ['one\ntwo\n', 'one\r\ntwo\r\n', undefined]) {
        const { conversation } = await opened(now);
        await eventually(async () => assert.deepEqual(conversation.begunEdits, []));
        assert.deepEqual(conversation.all, []);
      }
    });

    it('is looked for again as long as its file cannot be read', async () => {
      const edit = { path: 'a', realPath: '/work/a', beforeHash: 'h', isUnfinished: true } as const;
      const conversation = new Conversation('c', [{ type: 'editBegun', edit, inline: asked }]);
      const types: string[] = [];
      recordInterruptions(conversation, ({ type }) => types.push(type), [edit]);
      assert.deepEqual(types, []);
    });
  });

  it('tells of no edit that was refused before', () => {
    const call = { id: 't', callId: 'c', name: 'edit_file', input: {} };
    const conversation = new Conversation('chat', [
      { type: 'answerStarted', id: 'a', model: 'm' },
      { type: 'toolsCalled', id: 'a', calls: [call] },
      { type: 'editBegun', edit: { path: 'a', realPath: '/work/a' } },
      {
        type: 'toolFinished',
        id: 't',
        outcome: { state: 'failed', content: 'It is read-only.', durationMs: 1 },
      },
    ]);
    const types: string[] = [];
    recordInterruptions(conversation, ({ type }) => types.push(type));
    assert.deepEqual(types, ['answerEnded']);
  });

  it('looks for an edit that was begun before the call of an earlier one ended', () => {
    const conversation = new Conversation('chat', [
      { type: 'answerStarted', id: 'a', model: 'm' },
      {
        type: 'toolsCalled',
        id: 'a',
        calls: ['one', 'two'].map((id) => ({ id, callId: id, name: 'edit_file', input: {} })),
      },
      { type: 'editBegun', edit: { path: 'a', realPath: '/work/a' } },
      { type: 'toolFinished', id: 'one', outcome: { state: 'done', content: '', durationMs: 1 } },
    ]);
    assert.deepEqual(
      conversation.begunEdits.map(({ edit }) => edit.path),
      ['a'],
    );
  });

  it('says so at the call, and goes on from there', async () => {
    const { chat } = await killed('after');
    const call = chat.shown.conversation.all.find(({ type }) => type === 'tool');
    assert.ok(call?.type === 'tool');
    const { note, remedy } = toToolEntry(call, undefined);
    assert.deepEqual(
      [note, remedy?.type],
      ['The window was closed while this ran. Check whether it took effect.', 'continue'],
    );
  });
});
