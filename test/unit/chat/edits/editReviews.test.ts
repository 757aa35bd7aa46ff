import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async/promises.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { EditReviews, keyOf } from '../../../../src/chat/edits/editReviews.ts';
import { thisWindow } from '../../../../src/chat/session/windowMark.ts';
import { editsFrom, pathsToReview, rollback } from '../../../../src/chat/conversation/rollback.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { parseEvents } from '../../../../src/chat/store/parseEvents.ts';
import { toEditsEntry } from '../../../../src/panel/present/presentTool.ts';
import { type ChangedPaths, EditJournal } from '../../../../src/tools/edits/editJournal.ts';
import { createToolDependencies, workspaceTools } from '../../../../src/tools/allTools.ts';
import { createReviewAccess } from '../../../../src/tools/review/reviewAccess.ts';
import { findMade } from '../../../../src/tools/review/findMade.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { eventually } from '../../../support/eventually.ts';
import type { MemoryEntry } from '../../../support/memoryFiles.ts';
import { MemoryJournal, MemorySnapshots } from '../../../support/memorySnapshots.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';
import { reviewsOf } from '../../../support/reviewsOf.ts';
import { sha256 } from '../../../../src/base/sha256.ts';

const { signal } = new AbortController();

function setUp(entries: Record<string, MemoryEntry>) {
  const workspace = new MemoryWorkspace(entries);
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const tools = new ToolSet(workspaceTools(deps));
  const snapshots = new MemorySnapshots();
  const journal = new MemoryJournal(snapshots);
  const run = async (name: string, input: object) => {
    const call = tools.prepare({ name, input: { ...input } });
    assert.ok(!('problem' in call), JSON.stringify(call));
    const result = await call.run({ signal, journal });
    assert.equal(result.isError, false, result.content);
  };
  return {
    ...{ workspace, dependencies: deps, journal, snapshots },
    change: (path: string, oldText: string, newText: string) =>
      run('edit_file', { path, replacements: [{ oldText, newText }] }),
    create: (path: string, content: string) => run('create_file', { path, content }),
    text: (path: string) => workspace.memory.entries.get(`/work/${path}`),
    set: (path: string, text: string) => workspace.memory.set(`/work/${path}`, text),
  };
}

describe('review of a turn', () => {
  it('changes nothing while a turn runs', async () => {
    const { change, journal, dependencies, text } = setUp({ '/work/a': '1' });
    await change('a', '1', '2');
    const { keep, left, redo, restore, session, undo } = reviewsOf(dependencies, journal);
    const ended = session.submit('And now?');
    assert.deepEqual([await undo(), await keep(), await restore('u1', true, false)], [false, false, false]);
    assert.deepEqual([text('a'), left()], ['2', {}]);
    await ended;
    assert.equal(await undo(), true);
    assert.equal(text('a'), '1');
    const next = session.submit('And now?');
    await redo('a');
    assert.equal(text('a'), '1');
    await next;
    await redo('a');
    assert.equal(text('a'), '2');
  });

  it('decides one after the other what is decided at once', async () => {
    const { change, journal, dependencies, text } = setUp({ '/work/a': '1\n\n\n2\n' });
    await change('a', '1', 'one');
    await change('a', '2', 'two');
    const { file, left, undo } = reviewsOf(dependencies, journal);
    const { hunks } = await file('a');
    const keys = hunks.map((hunk) => keyOf(hunks, hunk));
    assert.equal(keys.length, 2);
    await Promise.all(keys.map((key) => undo({ path: 'a', keys: [key] })));
    assert.deepEqual([text('a'), left()], ['1\n\n\n2\n', { a: 'done' }]);
  });

  it('redoes and restores after what is decided at once', async () => {
    const { change, journal, dependencies, text } = setUp({ '/work/a': '1' });
    await change('a', '1', '2');
    const { left, redo, restore, session, undo } = reviewsOf(dependencies, journal);
    await Promise.all([undo(), redo('a')]);
    assert.deepEqual([text('a'), left()], ['2', { a: 'open' }]);
    await Promise.all([undo(), restore('u1', true, false)]);
    assert.equal(text('a'), '1');
    const restoration = session.conversation.all.findLast((item) => item.type === 'restoration');
    assert.deepEqual([restoration?.edits, restoration?.problems], [[], []]);
  });

  it('decides on one of two hunks that are alike', async () => {
    const { change, journal, dependencies, text } = setUp({ '/work/a': 'x\n\n\nx\n' });
    await change('a', 'x\n\n\nx', 'y\n\n\ny');
    const { file, undo } = reviewsOf(dependencies, journal);
    const { hunks } = await file('a');
    await undo({ path: 'a', keys: [keyOf(hunks, hunks[1]!)] });
    assert.equal(text('a'), 'y\n\n\nx\n');
  });

  it('leaves files that Git reverted, unless they are named', async () => {
    const { change, journal, dependencies, set, text } = setUp({ '/work/a': '1' });
    await change('a', '1', '2');
    set('a', '1');
    const { item, left, undo } = reviewsOf(dependencies, journal);
    item().reverted = new Set(['a']);
    assert.deepEqual([await undo(), left()], [false, {}]);
    set('a', '2');
    assert.equal(await undo({ path: 'a' }), true);
    assert.equal(text('a'), '1');
  });

  it('takes back no edits that went to two files under one name', async () => {
    const { change, journal, dependencies, text } = setUp({ '/work/a': '1' });
    await change('a', '1', '2');
    const hash = sha256('2');
    journal.edits.push({ path: 'a', realPath: '/elsewhere/a', beforeHash: hash, afterHash: hash });
    const { left, undo } = reviewsOf(dependencies, journal);
    await undo();
    assert.deepEqual([text('a'), left()], ['2', { a: 'changed' }]);
  });

  it('takes the edits of all files back together, and says what it cannot', async () => {
    const { change, create, journal, dependencies, set, text, workspace } = setUp({
      '/work/a': '1',
      '/work/b': '1',
      '/work/c': '1',
      '/work/d': '1',
      '/work/e': '1',
    });
    await change('a', '1', '2');
    await change('a', '2', '3');
    await change('b', '1', '2');
    await change('c', '1', '2');
    set('c', '2 by hand');
    await change('c', '2 by hand', '3');
    await change('d', '1', '2');
    await change('e', '1', '2');
    await create('f', 'new');
    set('b', 'by hand');
    workspace.memory.delete('/work/d');
    workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['e'] };
    const { left, undo } = reviewsOf(dependencies, journal);
    assert.equal(await undo(), true);
    assert.deepEqual(left(), { a: 'done', b: 'changed', c: 'changed', d: 'gone', e: 'failed', f: 'done' });
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'f'].map((path) => text(path)),
      ['1', 'by hand', '3', undefined, undefined],
    );
    set('b', '2');
    await undo({ path: 'b' });
    assert.equal(text('b'), '1');
    assert.equal(left()['b'], 'done');
  });

  it('counts the lines of what was kept or is still to be reviewed, not of what was undone', async () => {
    const { change, journal, dependencies } = setUp({ '/work/a': '1\n\n\n2\n', '/work/b': 'b\n' });
    await change('a', '1', 'one\nand more');
    await change('a', '2', 'two');
    await change('b', 'b', 'B');
    const { file, item, keep, undo } = reviewsOf(dependencies, journal);
    const counts = () => toEditsEntry(item()).files.map(({ path, added, removed }) => [path, added, removed]);
    assert.deepEqual(counts(), [
      ['a', 3, 2],
      ['b', 1, 1],
    ]);
    const keys = async () => {
      const { hunks } = await file('a');
      return hunks.map((hunk) => keyOf(hunks, hunk));
    };
    await undo({ path: 'a', keys: (await keys()).slice(0, 1) });
    await undo({ path: 'b' });
    const left = [
      ['a', 1, 1],
      ['b', undefined, undefined],
    ];
    assert.deepEqual(counts(), left);
    await keep({ path: 'a' });
    assert.deepEqual(counts(), left);
  });

  it('keeps and undoes hunk by hunk, past a reload, and leaves what the user writes meanwhile', async () => {
    const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
    const { change, journal, dependencies, set, text } = setUp({
      '/work/a.ts': lines('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    });
    await change('a.ts', 'a', 'A');
    await change('a.ts', 'd', 'D');
    await change('a.ts', 'g', 'G');
    const { file, item, keep, left, undo } = reviewsOf(dependencies, journal);
    const keyAt = async (index: number) => {
      const { hunks } = await file('a.ts');
      return keyOf(hunks, hunks[index]!);
    };
    const middle = await keyAt(1);
    set('a.ts', lines('mine', 'A', 'b', 'c', 'D', 'e', 'f', 'G'));
    await undo({ path: 'a.ts', keys: [middle] });
    assert.equal(text('a.ts'), lines('mine', 'A', 'b', 'c', 'd', 'e', 'f', 'G'));
    assert.deepEqual([left(), (await file('a.ts')).hunks.length], [{ 'a.ts': 'open' }, 2]);
    await keep({ path: 'a.ts', keys: [await keyAt(0)] });
    assert.deepEqual(
      (await file('a.ts')).hunks.map(({ now }) => now),
      ['G\n'],
    );
    const again = new Conversation('c', [
      { type: 'editsMade', id: 'e1', edits: journal.edits },
      ...parseEvents(
        [middle]
          .map(() => JSON.stringify({ type: 'hunksKept', id: 'e1', files: [reviewedFile()] }))
          .join('\n'),
      ),
    ]);
    assert.deepEqual(
      again.all[0]?.type === 'edits' && again.all[0].reviews?.['a.ts']?.open,
      item().reviews?.['a.ts']?.open,
    );
    set('a.ts', lines('mine', 'A', 'b', 'c', 'd', 'e', 'f', 'G', 'mine, too'));
    await undo();
    assert.equal(text('a.ts'), lines('mine', 'A', 'b', 'c', 'd', 'e', 'f', 'g', 'mine, too'));
    assert.deepEqual(left(), { 'a.ts': 'done' });
    assert.equal(await undo(), false);
    function reviewedFile() {
      return { path: 'a.ts', open: item().reviews?.['a.ts']?.open };
    }
  });

  it('makes undone changes of a file again, all that were undone in a row, and reviews them again', async () => {
    const { change, create, journal, dependencies, set, text } = setUp({ '/work/a': 'a\n\n\nb\n' });
    await change('a', 'a', 'A');
    await change('a', 'b', 'B');
    await create('new/c', 'c');
    set('a', 'A\n\n\nB\nmine\n');
    const { file, item, keep, left, redo, undo } = reviewsOf(dependencies, journal);
    const rows = () => toEditsEntry(item()).files.map(({ path, state, canRedo }) => [path, state, canRedo]);
    for (let hunk = 0; hunk < 2; hunk++) {
      const { hunks } = await file('a');
      await undo({ path: 'a', keys: [keyOf(hunks, hunks[0]!)] });
    }
    await undo({ path: 'new/c' });
    assert.deepEqual([text('a'), text('new/c')], ['a\n\n\nb\nmine\n', undefined]);
    assert.deepEqual(rows(), [
      ['a', 'undone', true],
      ['new/c', 'undone', true],
    ]);
    assert.deepEqual([await redo('a'), await redo('new/c')], [undefined, undefined]);
    assert.deepEqual([text('a'), text('new/c')], ['A\n\n\nB\nmine\n', 'c']);
    assert.deepEqual(left(), { a: 'open', 'new/c': 'open' });
    assert.deepEqual(
      (await file('a')).hunks.map(({ now }) => now),
      ['A\n', 'B\n'],
    );
    assert.deepEqual(toEditsEntry(item()).files[0], { path: 'a', added: 2, removed: 2 });
    await undo({ path: 'a' });
    await keep({ path: 'new/c' });
    assert.deepEqual(rows(), [
      ['a', 'undone', true],
      ['new/c', 'kept', undefined],
    ]);
    assert.equal(text('a'), 'a\n\n\nb\nmine\n');
  });

  it('reviews again what was undone, and nothing that was kept before', async () => {
    const { change, journal, dependencies, text } = setUp({ '/work/a': 'a\n\n\nb\n' });
    await change('a', 'a', 'A');
    await change('a', 'b', 'B');
    const { file, item, redo, keep, undo } = reviewsOf(dependencies, journal);
    const state = () => toEditsEntry(item()).files[0]?.state;
    const { hunks } = await file('a');
    await keep({ path: 'a', keys: [keyOf(hunks, hunks[0]!)] });
    await undo();
    assert.deepEqual([text('a'), state()], ['A\n\n\nb\n', 'reviewed']);
    item().reverted = new Set(['a', 'other']);
    assert.equal(await redo('a'), undefined);
    assert.deepEqual([...(item().reverted ?? [])], ['other']);
    assert.deepEqual([text('a'), state()], ['A\n\n\nB\n', undefined]);
    assert.deepEqual(
      (await file('a')).hunks.map(({ now }) => now),
      ['B\n'],
    );
    await undo();
    assert.deepEqual([text('a'), state()], ['A\n\n\nb\n', 'reviewed']);
  });

  it('offers after a redo what was undone, with what was still open, and nothing that was kept since', async () => {
    const { change, create, journal, dependencies, text } = setUp({ '/work/a': 'a\n\n\nb\n\n\nc\n' });
    for (const [from, to] of [
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ] as const)
      await change('a', from, to);
    await create('new', 'n\n');
    const { file, item, redo, keep, undo } = reviewsOf(dependencies, journal);
    const open = async () => (await file('a')).hunks.map(({ before, now }) => [before, now]);
    const key = async (at: number) => {
      const { hunks } = await file('a');
      return [keyOf(hunks, hunks[at]!)];
    };
    await undo({ path: 'a', keys: await key(0) });
    await keep({ path: 'a', keys: await key(0) });
    assert.deepEqual(await open(), [['c\n', 'C\n']]);
    assert.equal(await redo('a'), undefined);
    assert.equal(text('a'), 'A\n\n\nB\n\n\nC\n');
    assert.deepEqual(await open(), [
      ['a\n', 'A\n'],
      ['c\n', 'C\n'],
    ]);
    await undo({ path: 'a', keys: await key(0) });
    await keep({ path: 'a' });
    assert.deepEqual([text('a'), toEditsEntry(item()).files[0]?.canRedo], ['a\n\n\nB\n\n\nC\n', true]);
    assert.equal(await redo('a'), undefined);
    assert.deepEqual(await open(), [['a\n', 'A\n']], 'the whole file was kept');
    await undo({ path: 'new' });
    assert.equal(await redo('new'), undefined);
    await undo({ path: 'new' });
    assert.equal(text('new'), undefined, 'a new file that was redone can be undone again');
  });

  it('does not redo over what came since, nor without the text, and says so', async () => {
    const { change, journal, dependencies, set, text } = setUp({ '/work/a': '1', '/work/b': '1' });
    await change('a', '1', '2');
    await change('b', '1', '2');
    const { left, redo, undo } = reviewsOf(dependencies, journal);
    assert.equal(await redo('a'), undefined, 'nothing was undone');
    await undo();
    set('a', 'by hand');
    assert.equal(await redo('a'), "a has changed since it was undone, so it can't be redone.");
    assert.equal(text('a'), 'by hand');
    set('a', '1');
    journal.snapshotsKept.get = async () => undefined;
    assert.equal(await redo('b'), "The text of b is no longer stored, so it can't be redone.");
    assert.deepEqual([text('a'), text('b'), left()], ['1', '1', { a: 'done', b: 'done' }]);
  });

  it('says that a hunk was changed since, keeps it open, and undoes the others', async () => {
    const { change, journal, dependencies, set, text } = setUp({ '/work/a': 'a\nb\nc\n' });
    await change('a', 'a', 'A');
    await change('a', 'c', 'C');
    set('a', 'A, mine\nb\nC\n');
    const { file, keep, left, undo } = reviewsOf(dependencies, journal);
    await undo();
    assert.equal(text('a'), 'A, mine\nb\nc\n');
    assert.deepEqual(left(), { a: 'changed' });
    const [hunk, ...others] = (await file('a')).hunks;
    assert.deepEqual([hunk?.isEdited, hunk?.before, others], [true, 'a\n', []]);
    await keep({ path: 'a' });
    assert.deepEqual(left(), { a: 'done' });
  });

  it('writes nothing that the file policy withholds, nor over what came in between', async () => {
    const { change, journal, dependencies, text, workspace } = setUp({ '/work/a': 'a\nb\n' });
    await change('a', 'a', 'A');
    const { left, undo } = reviewsOf(dependencies, journal);
    const { apply } = workspace.edits;
    workspace.edits.apply = async (edit) => {
      workspace.memory.set('/work/a', 'in between\n');
      return apply(edit);
    };
    await undo();
    assert.deepEqual([text('a'), left()], ['in between\n', { a: 'failed' }]);
  });

  it('knows of texts that are not kept any more that it cannot undo them', async () => {
    const { change, journal, dependencies, snapshots, text } = setUp({ '/work/a': 'a\n' });
    await change('a', 'a', 'A');
    snapshots.texts.clear();
    const { left, undo } = reviewsOf(dependencies, journal);
    await undo();
    assert.deepEqual([text('a'), left()], ['A\n', { a: 'lost' }]);
  });

  it('makes no edit whose text before cannot be kept', async () => {
    const { change, snapshots, text } = setUp({ '/work/a': 'a\n' });
    snapshots.put = async () => {
      throw new Error('the disk is full');
    };
    await assert.rejects(change('a', 'a', 'A'), /the disk is full/);
    assert.equal(text('a'), 'a\n');
  });

  it('goes on with conversations of 0.1.0, whose edits have the text before in them', async () => {
    const { journal, dependencies, set, text } = setUp({ '/work/a': 'b\n', '/work/c': 'c\n' });
    journal.edits.push(
      { path: 'a', realPath: '/work/a', before: 'a\n', afterHash: sha256('b\n') },
      { path: 'c', realPath: '/work/c', afterHash: sha256('c\n') },
    );
    const { left, undo } = reviewsOf(dependencies, journal);
    set('a', 'changed\n');
    await undo();
    assert.deepEqual(left(), { a: 'changed', c: 'done' });
    set('a', 'b\n');
    await undo();
    assert.deepEqual([left()['a'], text('a'), text('c')], ['done', 'a\n', undefined]);
    const outcome = { reverted: ['a'], kept: [{ path: 'c', reason: 'failed', why: 'read-only' }] };
    const [event] = parseEvents(JSON.stringify({ type: 'editsReverted', id: 'e', outcome }));
    assert.deepEqual(event, {
      ...{ type: 'hunksUndone', id: 'e' },
      files: [{ path: 'a' }, { path: 'c', problem: { reason: 'failed', why: 'read-only' } }],
    });
  });
});

describe('checkpoints', () => {
  async function edited() {
    const parts = setUp({ '/work/a': 'a\nb\nc\n' });
    const { change, create, journal, dependencies } = parts;
    await change('a', 'a', 'A');
    await create('new/f', 'new\n');
    const reviewed = reviewsOf(dependencies, journal);
    const { conversation } = reviewed.session;
    const texts = () => conversation.all.flatMap((item) => (item.type === 'user' ? [item.text] : []));
    const restoration = () => conversation.all.findLast((item) => item.type === 'restoration');
    const say = (id: string, text: string) => reviewed.session.record({ type: 'userMessageAdded', id, text });
    const reloaded = async () => new Conversation('c', (await reviewed.store.load('c')) ?? []);
    return { ...parts, ...reviewed, conversation, reloaded, restoration, say, texts };
  }

  it('restore files, and restore them back, byte for byte and past a reload', async () => {
    const { conversation, reloaded, restoration, restore, text, texts, workspace } = await edited();
    assert.equal(await restore('u1', true, false), true);
    assert.deepEqual([text('a'), text('new/f'), texts()], ['a\nb\nc\n', undefined, ['Edit them']]);
    assert.deepEqual(workspace.removedFolders, ['/work/new']);
    const { id, edits, problems } = restoration()!;
    assert.deepEqual([edits?.map(({ path }) => path), problems], [['a', 'new/f'], []]);
    assert.equal(await restore(id, true, false), true);
    assert.deepEqual([text('a'), text('new/f')], ['A\nb\nc\n', 'new\n']);
    assert.deepEqual((await reloaded()).all, conversation.all);
    assert.deepEqual(
      conversation.all.map((item) => item.type === 'restoration' && item.isTakenBack),
      [false, false, false, true, false],
    );
    assert.equal(await restore('u1', true, false), true);
    assert.deepEqual([text('a'), text('new/f')], ['a\nb\nc\n', undefined]);
  });

  for (const writes of [0, 1]) {
    it(`say what was put back when the window was killed after ${writes} of 2 files`, async () => {
      const { dependencies, journal, restore, store, text, workspace } = await edited();
      const { apply } = workspace.edits;
      const dead = new Deferred();
      let written = 0;
      workspace.edits.apply = async (edit) => {
        if (written++ < writes) return apply(edit);
        dead.resolve();
        return new Promise(() => {});
      };
      void restore('u1', true, true);
      await dead.promise;
      workspace.edits.apply = apply;
      // Edits begun by this window are not interrupted ones.
      const saved = (store.lines.get('c') ?? []).map((line) => line.replace(thisWindow.id, 'gone'));
      store.lines.set('c', saved);
      const snapshots = async () => journal.snapshotsKept;
      const files = { tools: async () => ({ dependencies }), snapshots, memory: { fileMoves: [] } };
      const next = new ChatController(
        chatDependencies({ store, snapshots, findMade: (_, edit) => findMade(edit, files) }),
      );
      await next.openChat('c');
      await eventually(async () => assert.equal(next.shown.conversation.begunRestoration, undefined));
      const restoration = next.shown.conversation.all.find((item) => item.type === 'restoration');
      assert.deepEqual([text('a'), text('new/f')], [writes ? 'a\nb\nc\n' : 'A\nb\nc\n', 'new\n']);
      assert.deepEqual(
        restoration?.edits?.map(({ path }) => path),
        writes ? ['a'] : undefined,
      );
      assert.deepEqual(
        restoration?.problems.map(({ path }) => path),
        writes ? ['new/f'] : undefined,
      );
      // Changes that were not reverted still await a decision.
      const toReview = next.shown.conversation.all.flatMap((item) =>
        item.type === 'edits' ? pathsToReview(item) : [],
      );
      assert.deepEqual(toReview, writes ? ['new/f'] : ['a', 'new/f']);
      const [session] = next.sessions;
      assert.ok(session);
      const access = async () => createReviewAccess(dependencies);
      const reviews = new EditReviews({ access, snapshots, newId: () => 'back' });
      await reviews.restore(session, restoration?.id ?? 'u1', { files: true, conversation: false });
      assert.deepEqual(
        [text('a'), text('new/f')],
        writes ? ['A\nb\nc\n', 'new\n'] : ['a\nb\nc\n', undefined],
      );
    });
  }

  it('restore the conversation, whose old way stays a version, and restore it back', async () => {
    const { conversation, reloaded, restoration, restore, say, text, texts } = await edited();
    say('u2', 'Go on');
    await restore('u1', false, true);
    assert.deepEqual([texts(), text('a')], [[], 'A\nb\nc\n']);
    // Nothing is reverted by itself when the window is opened again.
    const again = await reloaded();
    assert.deepEqual([again.all, again.abandonedId], [conversation.all, undefined]);
    await restore(restoration()!.id, false, true);
    assert.deepEqual(texts(), ['Edit them', 'Go on']);
    await restore('u2', false, true);
    say('u3', 'Another way');
    assert.deepEqual(texts(), ['Edit them', 'Another way']);
    assert.deepEqual(conversation.versionOf('u3'), { number: 2, count: 2 });
    assert.deepEqual((await reloaded()).all, conversation.all);
  });

  it('leave what was restored out of the version that is asked for next, until it is restored back', async () => {
    const { conversation, restoration, restore, say } = await edited();
    const carried = () =>
      rollback(conversation, 'a1').flatMap((event) => (event.type === 'editsMade' ? [event.id] : []));
    assert.deepEqual([editsFrom(conversation, 'a1').length, carried()], [2, ['e1']]);
    await restore('a1', true, false);
    assert.deepEqual(carried(), []);
    await restore(restoration()!.id, true, false);
    assert.deepEqual(carried(), ['e1']);
    // Earlier items aren't removed with the answer.
    say('u2', 'Go on');
    assert.deepEqual(editsFrom(conversation, 'u2'), []);
    await restore('u2', true, false);
    assert.deepEqual(carried(), ['e1']);
  });

  it('offer no review of what they restored, until it is restored back', async () => {
    const { conversation, keep, reloaded, restoration, restore, session, set } = await edited();
    const states = ({ all }: Conversation) =>
      all.flatMap((item) =>
        item.type === 'edits' ? toEditsEntry(item).files.map(({ state }) => state) : [],
      );
    await restore('u1', true, false);
    assert.deepEqual(states(conversation), ['restored', 'restored']);
    assert.equal(await keep(), false);
    await restore(restoration()!.id, true, false);
    assert.deepEqual(states(conversation), [undefined, undefined]);
    await restore(restoration()!.id, true, false);
    assert.deepEqual(states(conversation), ['restored', 'restored']);
    await restore(restoration()!.id, true, false);
    // A file changed by others since isn't restored, and can still be reviewed.
    set('a', 'A, mine\nb\nc\n');
    await restore('u1', true, true);
    session.record({ type: 'versionChosen', id: 'u1' });
    assert.deepEqual(states(conversation), [undefined, 'restored']);
    assert.deepEqual((await reloaded()).all, conversation.all);
  });

  it('find files that were renamed or moved since, and no other ones in their place', async () => {
    const { file, moves, restore, restoration, set, text, undo, workspace } = await edited();
    workspace.memory.delete('/work/a');
    set('moved/b', 'A\nb\nc\n');
    moves.add('/work/a', '/work/old/b');
    moves.add('/work/old', '/work/moved');
    assert.equal(moves.follow('/work/older/b'), '/work/older/b');
    assert.equal((await file('a')).hunks.length, 1);
    assert.equal(await restore('u1', true, false), true);
    assert.deepEqual([text('moved/b'), text('a')], ['a\nb\nc\n', undefined]);
    await restore(restoration()!.id, true, false);
    assert.equal(text('moved/b'), 'A\nb\nc\n');
    await undo({ path: 'a' });
    assert.deepEqual([text('moved/b'), text('a')], ['a\nb\nc\n', undefined]);
    set('a', 'A\nanother\n');
    await restore('u1', true, false);
    assert.deepEqual([text('moved/b'), text('a')], ['a\nb\nc\n', 'a\nanother\n']);
  });

  it('leave what others wrote, and say where that kept them from restoring all', async () => {
    const { change, restoration, restore, set, text } = await edited();
    set('a', 'A, mine\nb\nc\nmine\n');
    set('new/f', 'new\nmine, too\n');
    await restore('u1', true, true);
    assert.deepEqual([text('a'), text('new/f')], ['A, mine\nb\nc\nmine\n', 'mine, too\n']);
    assert.deepEqual(restoration()?.problems, [{ path: 'a', reason: 'changed' }]);
    await change('a', 'b', 'B');
    await restore(restoration()!.id, true, true);
    assert.deepEqual([text('a'), text('new/f')], ['A, mine\nB\nc\nmine\n', 'new\nmine, too\n']);
  });

  it('know what was undone before, and what turns of left versions did', async () => {
    const { conversation, journal, reviews, restore, say, session, snapshots, text, undo, workspace } =
      await edited();
    await undo({ path: 'a' });
    await restore('u1', false, true);
    say('u2', 'Another way');
    const edit = { path: 'b', realPath: '/work/b', afterHash: await snapshots.put('b\n') };
    workspace.memory.set('/work/b', 'b\n');
    session.record({ type: 'editMade', edit });
    session.record({ type: 'editsMade', id: 'e2' });
    assert.equal(conversation.fileHistory.editsSince('u2')?.length, 1);
    assert.deepEqual(
      (await reviews.restorable(session, conversation.fileHistory.editsSince('u1') ?? [])).map(
        ({ path }) => path,
      ),
      ['new/f', 'b'],
    );
    await restore('u2', true, false);
    assert.deepEqual([text('b'), text('new/f')], [undefined, 'new\n']);
    assert.equal(journal.edits.length, 2);
    assert.equal(await restore('unknown', true, true), false);
  });

  it('know what commands changed since, by name', async () => {
    const { conversation, reloaded, say, session } = await edited();
    const changed = (...paths: string[]) =>
      session.record({ type: 'commandChangedFiles', paths, more: paths.length - 1 });
    changed('/work/dist/a', '/work/dist/b');
    say('u2', 'Go on');
    changed('/work/dist/b');
    assert.deepEqual(conversation.fileHistory.commandChangesSince('u2'), {
      paths: ['/work/dist/b'],
      more: 0,
    });
    assert.deepEqual((await reloaded()).fileHistory.commandChangesSince('u1'), {
      ...{ paths: ['/work/dist/a', '/work/dist/b'], more: 1 },
    });
  });

  it('take no edit of tools for the change of a command', async () => {
    const told: ChangedPaths[] = [];
    const journal = new EditJournal(new MemorySnapshots(), {
      made() {},
      foreign: (changed) => void told.push(changed),
    });
    await journal.record({ path: 'a', realPath: '/work/a', before: 'a', after: 'b' });
    journal.recordForeign({ paths: ['/work/a'], more: 0 });
    journal.recordForeign({ paths: ['/work/a', '/work/b'], more: 0 });
    assert.deepEqual(told, [{ paths: ['/work/b'], more: 0 }]);
  });
});
