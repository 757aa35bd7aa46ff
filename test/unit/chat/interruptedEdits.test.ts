import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/deferred.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import { EditReviews } from '../../../src/chat/editReviews.ts';
import { interruptions } from '../../../src/chat/interrupted.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';
import { FileMoves } from '../../../src/tools/review/fileMoves.ts';
import { createReviewAccess } from '../../../src/tools/review/reviewAccess.ts';
import { toToolEntry } from '../../../src/panel/presentTool.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { MemorySnapshots } from '../../support/memorySnapshots.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { toolsUnderTest } from '../../support/toolsUnderTest.ts';

/** A window that is killed while it edits a file. */
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
  const parts = { store, streamModel, snapshots: async () => snapshots };
  const chat = new ChatController({ ...chatDependencies(parts), tools });
  chat.selectMode('agent');
  void chat.submit('Edit it');
  await dead.promise;
  const next = new ChatController({ ...chatDependencies(parts), tools, newId: () => 'next' });
  // All that it had said is in the file, and no more comes.
  await next.openChat(chat.conversation.id);
  workspace.edits.apply = apply;
  const reviews = new EditReviews({
    access: async () => createReviewAccess(dependencies, new FileMoves()),
    snapshots: async () => snapshots,
    newId: () => 'restored',
  });
  return { chat: next, reviews, text: () => workspace.memory.entries.get('/work/a') };
}

describe('a window that is killed while it edits a file', () => {
  for (const when of ['before', 'after'] as const) {
    it(`lets the edit be taken back, ${when} the file is written`, async () => {
      const { chat, reviews, text } = await killed(when);
      assert.equal(text(), when === 'after' ? 'ONE\n' : 'one\n');
      const [session] = chat.sessions;
      const item = chat.conversation.all.find(({ type }) => type === 'edits');
      assert.ok(session && item?.type === 'edits');
      assert.deepEqual(
        item.edits.map(({ path, added, removed }) => [path, added, removed]),
        [['a', 1, 1]],
      );
      assert.equal(await reviews.decide(session, item.id, 'undo'), true);
      assert.equal(text(), 'one\n');
      assert.deepEqual(item.reviews?.['a']?.problem, undefined);
    });
  }

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
    const types = [...interruptions(conversation)].map(({ type }) => type);
    assert.deepEqual(types, ['answerEnded']);
  });

  it('says so at the call, and goes on from there', async () => {
    const { chat } = await killed('after');
    const call = chat.conversation.all.find(({ type }) => type === 'tool');
    assert.ok(call?.type === 'tool');
    const { note, remedy } = toToolEntry(call, undefined);
    assert.deepEqual(
      [note, remedy?.type],
      ['The window was closed while this ran. Check whether it took effect.', 'continue'],
    );
  });
});
