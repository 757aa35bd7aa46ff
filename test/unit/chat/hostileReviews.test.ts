import assert from 'node:assert/strict';
import { createToolDependencies } from '../../../src/tools/allTools.ts';
import type { FileChange } from '../../../src/tools/edits/checkedChange.ts';
import { type AppliedEdit } from '../../../src/tools/edits/editJournal.ts';
import { FileMoves } from '../../../src/tools/review/fileMoves.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { readSources } from '../../run/imports.ts';
import { MemoryJournal, MemorySnapshots } from '../../support/memorySnapshots.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';
import { reviewsOf } from '../../support/reviewsOf.ts';
import { sha256 } from '../../../src/base/sha256.ts';

const evil = '{"tasks": ["evil"]}\n';
const now = 'now\n';

/**
 * A conversation with a forged file.
 * @param answer of the user to the question
 */
function setUp(edits: readonly AppliedEdit[], answer: (change: FileChange) => boolean = () => true) {
  const files = {
    ...{ '/work/notes.md': now, '/work/.vscode/tasks.json': now, '/work/package.json': now },
    ...{ '/work/.env': now, '/work/out/a': now, '/work/src/a.ts': now, '/elsewhere/a': now },
  };
  const workspace = new MemoryWorkspace({
    ...files,
    '/work/link.md': { linkTo: '/work/.vscode/tasks.json' },
    '/work/away.md': { linkTo: '/elsewhere/a' },
  });
  workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['out'] };
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const journal = new MemoryJournal(new MemorySnapshots());
  journal.edits.push(...edits);
  const asked: FileChange[] = [];
  const moves = new FileMoves();
  const review = reviewsOf(deps, journal, moves, async (change) => {
    asked.push(change);
    return answer(change);
  });
  const text = (path: string) => workspace.memory.entries.get(path);
  const untouched = () =>
    Object.keys(files).filter((path) => text(path) !== files[path as keyof typeof files]);
  return { ...review, asked, deps, moves, text, changed: untouched, workspace };
}

/** A forged undo, whose redo deletes the file. */
const undone = (path: string): ChatEvent => ({
  ...{ type: 'hunksUndone', id: 'e1' },
  files: [{ path, redo: { fromHash: sha256(now) } }],
});

const edit = (path: string, realPath: string): AppliedEdit => ({
  ...{ path, realPath, before: evil, afterHash: sha256(now) },
});

describe('a conversation that somebody else has written', () => {
  const refused: [what: string, path: string, realPath: string, why: RegExp][] = [
    [
      'under the name of another',
      'notes.md',
      '/work/.vscode/tasks.json',
      /refers to notes\.md, but its file is \.vscode\/tasks\.json/,
    ],
    ['under the name of an ordinary one', 'notes.md', '/work/src/a.ts', /but its file is src\/a\.ts/],
    ['outside of the workspace', 'notes.md', '/elsewhere/a', /outside the workspace/],
    ['above the workspace', '../elsewhere/a', '/work/../elsewhere/a', /outside the workspace/],
    ['through a link', 'link.md', '/work/link.md', /replaced by another file/],
    ['through a link out of the workspace', 'away.md', '/work/away.md', /outside the workspace/],
    ['by a way around', 'src/../notes.md', '/work/src/../notes.md', /replaced by another file/],
    ['that is secret', '.env', '/work/.env', /environment file/],
    ['that is excluded', 'out/a', '/work/out/a', /excluded by your settings/],
  ];
  for (const [what, path, realPath, why] of refused) {
    it(`undoes, redoes and restores no file ${what}, and says why`, async () => {
      const { asked, changed, conversationProblems, problems, redo, restore, session, undo } = withProblems(
        setUp([edit(path, realPath)]),
      );
      await undo();
      assert.match(problems()[path] ?? '', why);
      await restore('u1', true, false);
      assert.match(conversationProblems().at(-1) ?? '', why);
      session.record(undone(path));
      assert.match((await redo(path)) ?? '', why);
      assert.deepEqual([changed(), asked], [[], []]);
    });
  }

  it('asks before a redo of a protected file', async () => {
    const { asked, changed, redo, session } = setUp(
      [edit('package.json', '/work/package.json')],
      () => false,
    );
    session.record(undone('package.json'));
    assert.match((await redo('package.json')) ?? '', /package\.json is protected, and you didn't allow/);
    assert.deepEqual(
      asked.map(({ before, after }) => [before, after]),
      [[now, undefined]],
    );
    assert.deepEqual(changed(), []);
  });

  it('asks before each change of a protected file, with its path and what will change', async () => {
    const edits = [edit('package.json', '/work/package.json'), edit('notes.md', '/work/notes.md')];
    const { asked, left, problems, restore, text, undo } = setUp(edits, ({ after }) => after === undefined);
    await undo();
    assert.deepEqual([text('/work/package.json'), text('/work/notes.md')], [now, evil]);
    assert.deepEqual(left(), { 'package.json': 'failed', 'notes.md': 'done' });
    assert.match(problems()['package.json'] ?? '', /package\.json is protected, and you didn't allow/);
    await restore('u1', true, false);
    assert.deepEqual(
      asked.map(({ file, before, after }) => [file.shown, file.protection, before, after]),
      [0, 1].map(() => ['package.json', 'package', now, evil]),
    );
  });

  it('deletes and creates a protected file only when that is allowed, each time', async () => {
    const created = {
      path: '.vscode/tasks.json',
      realPath: '/work/.vscode/tasks.json',
      afterHash: sha256(now),
    };
    let isAllowed = false;
    const { asked, restore, session, text, undo } = setUp([created], () => isAllowed);
    await undo();
    assert.equal(text('/work/.vscode/tasks.json'), now);
    isAllowed = true;
    await restore('u1', true, false);
    assert.equal(text('/work/.vscode/tasks.json'), undefined);
    isAllowed = false;
    const back = session.conversation.all.find(({ type }) => type === 'restoration')!;
    await restore(back.id, true, false);
    assert.equal(text('/work/.vscode/tasks.json'), undefined);
    assert.deepEqual(
      asked.map(({ before, after }) => [before, after]),
      [
        [now, undefined],
        [now, undefined],
        [undefined, now],
      ],
    );
  });

  it('asks about a file by the name that it was given since', async () => {
    const { asked, moves, session, restore, text, workspace } = setUp(
      [edit('old.md', '/work/old.md')],
      () => true,
    );
    workspace.memory.delete('/work/old.md');
    moves.add('/work/old.md', '/work/package.json');
    await restore('u1', true, false);
    assert.deepEqual(
      [asked.map(({ file }) => file.shown), text('/work/package.json')],
      [['package.json'], evil],
    );
    const restored = session.conversation.all.find((item) => item.type === 'restoration');
    assert.deepEqual(
      restored?.edits?.map(({ path }) => path),
      ['package.json'],
    );
  });

  it('asks about a file that became protected since it was read', async () => {
    const { asked, deps, text, undo, workspace } = setUp([edit('notes.md', '/work/notes.md')], () => false);
    const { readWhole } = deps.texts;
    deps.texts.readWhole = async (file) => {
      const read = await readWhole.call(deps.texts, file);
      workspace.ruleSet = { ...workspace.ruleSet, toolsProtected: ['notes.md'] };
      return read;
    };
    await undo();
    assert.deepEqual([text('/work/notes.md'), asked.map(({ file }) => file.protection)], [now, ['setting']]);
  });

  it('writes nothing over what came into the file while the user was asked', async () => {
    const { left, text, undo, workspace } = setUp([edit('package.json', '/work/package.json')], () => {
      workspace.memory.set('/work/package.json', 'theirs\n');
      return true;
    });
    await undo();
    assert.deepEqual([text('/work/package.json'), left()], ['theirs\n', { 'package.json': 'failed' }]);
  });

  it('removes no folder but those of the files that it removes', async () => {
    const path = '/work/new/deep/f';
    const created = { path: 'new/deep/f', realPath: path, afterHash: sha256(now) };
    const folders = ['/work/empty', '/work/ne', '/work/new', '/work/new/deep'];
    const { session, restore, workspace } = setUp([edit('notes.md', '/work/notes.md')]);
    workspace.memory.set(path, now);
    for (const folder of folders) workspace.memory.folders.add(folder);
    session.record({ type: 'editsMade', id: 'e2', edits: [created], folders });
    await restore('u1', true, false);
    assert.deepEqual(workspace.removedFolders, ['/work/new/deep', '/work/new']);
  });

  it('removes no folder outside of the workspace', async () => {
    const { access, workspace } = setUp([]);
    workspace.memory.folders.add('/elsewhere/empty');
    await assert.rejects(access.removeFolder('/elsewhere/empty'));
    assert.deepEqual(workspace.removedFolders, []);
  });
});

describe('what writes files of the workspace', () => {
  it('is one function, and what the user asks for in an editor', async () => {
    const writers = (await readSources()).filter(({ text }) =>
      /\bedits\.(?:apply|removeFolder)\(|\beditor\.edit\(/.test(text),
    );
    assert.deepEqual(writers.map(({ path }) => path).toSorted(), [
      'host/code/documentPart.ts',
      'host/panel/pageActions.ts',
      'tools/edits/checkedChange.ts',
      'tools/review/reviewAccess.ts',
    ]);
  });
});

function withProblems(parts: ReturnType<typeof setUp>) {
  const conversationProblems = () =>
    parts.session.conversation.all.flatMap((item) =>
      item.type === 'restoration' ? item.problems.map(({ why = '' }) => why) : [],
    );
  return { ...parts, conversationProblems };
}
