import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFolderRepository } from '../../../src/knowledge/autoSync/folderRepository.ts';
import { gitIn } from '../../support/git.ts';

const { signal } = new AbortController();

describe('the repository of a folder in step', function () {
  this.timeout(60_000);
  let root: string;
  const git = (...args: string[]) => gitIn(root, ...args);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const commit = () => {
    git('add', '-A');
    git('commit', '-qm', 'next');
    return git('rev-parse', 'HEAD');
  };
  const open = (folder = join(root, 'docs')) =>
    createFolderRepository(folder, async () => ({ program: 'git', root }));
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-step-')));
    git('init', '-q', '-b', 'main');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('knows HEAD before and after the first commit, detached and in a merge', async () => {
    write('docs/a.md', 'one');
    assert.deepEqual(await open().head(signal), { branch: 'main', isMerging: false });
    const first = commit();
    assert.deepEqual(await open().head(signal), { commit: first, branch: 'main', isMerging: false });
    git('checkout', '-q', '-b', 'other');
    write('docs/a.md', 'theirs');
    const theirs = commit();
    git('checkout', '-q', 'main');
    write('docs/a.md', 'ours');
    const ours = commit();
    assert.throws(() => git('merge', 'other'));
    assert.deepEqual(await open().head(signal), { commit: ours, branch: 'main', isMerging: true });
    git('merge', '--abort');
    git('checkout', '-q', '--detach', theirs);
    assert.deepEqual(await open().head(signal), { commit: theirs, isMerging: false });
  });

  it('lists what commits changed below the folder, without pairing renames', async () => {
    write('docs/a.md', 'one\ntwo\nthree\n');
    write('docs/sub/ä b.md', 'two');
    write('other/c.md', 'three');
    const first = commit();
    git('mv', 'docs/a.md', 'docs/z.md');
    write('docs/sub/ä b.md', 'changed');
    write('other/c.md', 'changed');
    const second = commit();
    const paths = ['docs/a.md', 'docs/sub/ä b.md', 'docs/z.md'].map((path) => join(root, path));
    assert.deepEqual((await open().changedBetween(first, second, signal))?.toSorted(), paths);
    assert.deepEqual(await open().changedBetween(second, second, signal), []);
    assert.equal((await open(root).changedBetween(first, second, signal))?.length, 4);
    await assert.rejects(open().changedBetween(first, second, AbortSignal.abort()));
    for (const unknown of ['f'.repeat(40), '--output=x', '']) {
      assert.equal(await open().changedBetween(unknown, second, signal), undefined);
    }
  });

  it('tells what is not as in the last commit', async () => {
    for (const name of ['kept', 'edited', 'gone', 'staged']) write(`docs/${name}.md`, name);
    write('other/edited.md', 'out of the folder');
    commit();
    write('docs/edited.md', 'now');
    write('docs/new.md', 'new');
    write('docs/staged.md', 'now');
    git('add', 'docs/staged.md');
    rmSync(join(root, 'docs/gone.md'));
    write('other/edited.md', 'now');
    const all = await open().uncommitted(undefined, signal);
    const inDocs = (...names: string[]) => names.map((name) => join(root, 'docs', name));
    assert.deepEqual([...all.changed].toSorted(), inDocs('edited.md', 'new.md', 'staged.md'));
    assert.deepEqual(all.deleted, inDocs('gone.md'));
    const some = await open().uncommitted(inDocs('kept.md', 'new.md', '*.md'), signal);
    assert.deepEqual([[...some.changed], some.deleted], [inDocs('new.md'), []]);
  });

  it('is asked by real paths where the folder lies behind a link', async () => {
    write('docs/a.md', 'one');
    const first = commit();
    write('docs/a.md', 'two');
    const second = commit();
    write('docs/a.md', 'three');
    const link = join(root, 'link');
    symlinkSync(join(root, 'docs'), link);
    const repository = open(link);
    assert.deepEqual(await repository.changedBetween(first, second, signal), [join(link, 'a.md')]);
    const { changed } = await repository.uncommitted([join(link, 'a.md')], signal);
    assert.deepEqual([...changed], [join(root, 'docs/a.md')]);
  });

  it('is asked about all of it where the folder is its root', async () => {
    write('a.md', 'one');
    write('sub/b.md', 'two');
    commit();
    write('a.md', 'edited');
    rmSync(join(root, 'sub/b.md'));
    for (const paths of [undefined, [root], [root, join(root, 'a.md')]]) {
      const { changed, deleted } = await open(root).uncommitted(paths, signal);
      assert.deepEqual([[...changed], deleted], [[join(root, 'a.md')], [join(root, 'sub/b.md')]]);
    }
  });

  it('tells what is staged, also a deletion and a rename', async () => {
    write('docs/a.md', 'one\ntwo\nthree\n');
    write('docs/b.md', 'two');
    commit();
    git('mv', 'docs/a.md', 'docs/z.md');
    git('rm', '-q', 'docs/b.md');
    const { changed, deleted } = await open().uncommitted(undefined, signal);
    const inDocs = (...names: string[]) => names.map((name) => join(root, 'docs', name));
    assert.deepEqual([[...changed], deleted.toSorted()], [inDocs('z.md'), inDocs('a.md', 'b.md')]);
  });

  it('passes over what a filter writes, which cannot be compared', async () => {
    write('.gitattributes', '*.bin filter=lfs\n');
    write('docs/a.bin', 'one');
    write('docs/b.md', 'two');
    commit();
    write('docs/a.bin', 'written by the filter');
    write('docs/b.md', 'edited');
    const { changed } = await open().uncommitted(undefined, signal);
    assert.deepEqual([...changed], [join(root, 'docs/b.md')]);
  });

  it('is in a merge, too, while a commit is picked or reverted', async () => {
    write('docs/a.md', 'one');
    commit();
    write('docs/a.md', 'two');
    const second = commit();
    write('docs/a.md', 'three');
    commit();
    for (const command of ['cherry-pick', 'revert']) {
      assert.throws(() => git(command, second));
      assert.equal((await open().head(signal))?.isMerging, true, command);
      git(command, '--abort');
      assert.equal((await open().head(signal))?.isMerging, false, command);
    }
  });

  it('is found once the editor has found it, also behind a link, and is none for a folder beside it', async () => {
    write('docs/a.md', 'one');
    commit();
    write('docs/a.md', 'two');
    const link = join(root, 'link');
    symlinkSync(root, link);
    let place: { program: string; root: string } | undefined;
    const repository = createFolderRepository(join(root, 'docs'), async () => place);
    assert.equal(await repository.head(signal), undefined);
    place = { program: 'git', root: link };
    assert.equal((await repository.head(signal))?.branch, 'main');
    const { changed } = await repository.uncommitted(undefined, signal);
    assert.deepEqual([...changed], [join(root, 'docs/a.md')]);
    const beside = createFolderRepository(tmpdir(), async () => place);
    assert.equal(await beside.head(signal), undefined);
  });

  it('is none without Git', async () => {
    const repository = createFolderRepository(root, async () => undefined);
    assert.equal(await repository.head(signal), undefined);
    assert.equal(await repository.changedBetween('a', 'b', signal), undefined);
    assert.deepEqual(await repository.uncommitted(undefined, signal), { changed: new Set(), deleted: [] });
  });
});
