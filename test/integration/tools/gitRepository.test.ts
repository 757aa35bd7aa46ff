import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createToolDependencies } from '../../../src/tools/allTools.ts';
import { getChangesTool } from '../../../src/tools/editor/getChangesTool.ts';
import { GitRepository } from '../../../src/tools/git/gitRepository.ts';
import { runGit } from '../../../src/tools/git/runGit.ts';
import { nodeFileSystem } from '../../../src/tools/files/nodeFileSystem.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';
import { gitIn } from '../../support/git.ts';

const { signal } = new AbortController();
const never = () => false;

describe('tools: a Git repository that names programs', function () {
  this.timeout(60_000);
  let folder: string;
  let marker: string;
  let temporary: string | undefined;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-git-test-')));
    marker = join(folder, 'ran');
    temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = join(folder, 'temporary');
    mkdirSync(process.env['TMPDIR']);
  });
  afterEach(() => {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    rmSync(folder, { recursive: true, force: true });
  });

  function repository(name: string, files: Record<string, string>): string {
    const root = join(folder, name);
    mkdirSync(root);
    gitIn(root, 'init', '-q', '-b', 'main');
    write(root, files);
    gitIn(root, 'add', '-A');
    gitIn(root, 'commit', '-qm', 'first');
    return root;
  }

  function write(root: string, files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  }

  /** Makes every program that Git may run by a repository's settings leave a marker. */
  function poison(root: string): void {
    const run = `sh -c 'echo $0 >> ${marker}; cat'`;
    const common = join(root, gitIn(root, 'rev-parse', '--git-common-dir'));
    const config: [string, string][] = [
      ['core.fsmonitor', `${run} fsmonitor`],
      ['core.pager', `${run} pager`],
      ['core.sshCommand', `${run} ssh`],
      ['credential.helper', `!${run} credential`],
      ['diff.external', `${run} external`],
      ['diff.evil.command', `${run} driver`],
      ['diff.evil.textconv', `${run} textconv`],
      ['filter.evil.clean', `${run} clean`],
      ['filter.evil.smudge', `${run} smudge`],
      ['gpg.program', `${run} gpg`],
      ['log.showSignature', 'true'],
      ['alias.status', `!${run} alias`],
      ['core.hooksPath', join(common, 'hooks')],
      ['remote.origin.url', 'ssh://x.invalid/y'],
      ['remote.origin.promisor', 'true'],
      ['extensions.partialClone', 'origin'],
    ];
    for (const [key, value] of config) gitIn(root, 'config', key, value);
    const hooks = join(common, 'hooks');
    mkdirSync(hooks, { recursive: true });
    const names =
      'post-index-change post-checkout pre-commit fsmonitor-watchman pre-auto-gc reference-transaction';
    for (const name of names.split(' ')) {
      writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> ${marker}\n`);
      chmodSync(join(hooks, name), 0o755);
    }
    mkdirSync(join(common, 'info'), { recursive: true });
    appendFileSync(join(common, 'info', 'attributes'), '* filter=evil diff=evil\n');
    writeFileSync(join(root, '.gitattributes'), '* filter=evil diff=evil\n');
    rmSync(marker, { force: true });
  }

  /** `get_changes` over the repository, with the editor's source control as given. */
  async function changesIn(root: string, isKnown: (path: string) => boolean = () => true): Promise<string> {
    const workspace = new MemoryWorkspace({}, nodeFileSystem);
    workspace.folderList = [{ name: 'work', path: root, isVirtual: false }];
    workspace.changeList = await new GitRepository('git', root).changes(isKnown, signal);
    const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
    const call = getChangesTool(deps).bind({});
    assert.ok(!('problem' in call));
    return (await call.run({ signal })).content;
  }

  const listed = (content: string) => content.split(/\n<diff/)[0]?.split('\n');

  it('runs none of them, and tells what is changed', async () => {
    const root = repository('work', {
      'a.txt': 'one\ntwo\n',
      'gone.txt': 'gone\n',
      'old name.txt': 'a\nb\nc\nd\n',
      'both.txt': '1\n',
      'same.txt': 'same\n',
      '.gitignore': '*.log\n',
    });
    write(root, { 'a.txt': 'one\n2\n', 'both.txt': '2\n', 'ä new.txt': 'new\n', 'x.log': '' });
    gitIn(root, 'mv', 'old name.txt', 'new name.txt');
    gitIn(root, 'add', 'both.txt');
    write(root, { 'both.txt': '3\n', 'staged.txt': 's\n' });
    gitIn(root, 'add', 'staged.txt');
    rmSync(join(root, 'gone.txt'));
    // Unchanged, but only the filter could tell.
    write(root, { '.git/info/attributes': 'same.txt filter=upper\n', 'same.txt': 'same\n' });
    gitIn(root, '-c', 'filter.upper.clean=tr a-z A-Z', 'commit', '-qm', 'second', 'same.txt');
    write(root, { '.git/info/exclude': '/.gitattributes\n' });
    poison(root);
    // Plain Git would run them.
    for (const args of [
      ['status'],
      ['diff', 'HEAD'],
      ['-c', 'diff.external=', 'diff', '--no-ext-diff', 'HEAD'],
    ]) {
      spawnSync('git', args, { cwd: root });
    }
    const ran = readFileSync(marker, 'utf8');
    for (const program of ['fsmonitor', 'clean', 'driver', 'textconv'])
      assert.match(ran, new RegExp(program));
    rmSync(marker);

    const content = await changesIn(root, (path) => path !== 'same.txt');
    assert.deepEqual(listed(content)?.toSorted(), [
      'added, staged: staged.txt',
      'deleted: gone.txt',
      'modified, staged: both.txt',
      'modified: a.txt',
      'modified: both.txt',
      'renamed, was "old name.txt", staged: new name.txt',
      'untracked: ä new.txt',
    ]);
    assert.match(content, /--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1,2 \+1,2 @@\n one\n-two\n\+2\n/);
    assert.match(content, /-1\n\+3\n/);
    assert.match(content, /--- a\/gone\.txt\n\+\+\+ \/dev\/null\n@@ -1,1 \+0,0 @@\n-gone\n/);
    assert.match(content, /--- \/dev\/null\n\+\+\+ b\/staged\.txt\n@@ -0,0 \+1,1 @@\n\+s\n/);
    assert.ok(!content.includes('new.txt\n@@'));
    const reader = new GitRepository('git', root);
    assert.deepEqual(await reader.subjects(9, signal), ['second', 'first']);
    const all = await reader.changes(() => true, signal);
    assert.ok(!all.some(({ path }) => path.endsWith('.gitattributes')), 'excluded by the repository');
    const both = all.filter(({ path }) => path.endsWith('both.txt'));
    assert.deepEqual(
      await Promise.all([both[0]?.before, both[0]?.staged].map(async (read) => String(await read?.(signal)))),
      ['1\n', '2\n'],
    );
    assert.equal(existsSync(marker), false);
    assert.deepEqual(readdirSync(tmpdir()), []);
  });

  it('runs nothing by settings with fixed names, also where those of the repository are read', async () => {
    const root = repository('work', { 'a.txt': 'one\n' });
    write(root, { 'a.txt': 'two\n', 'b.txt': 'b\n' });
    poison(root);
    for (const file of ['.gitattributes', '.git/info/attributes']) rmSync(join(root, file));
    const id = gitIn(root, 'rev-parse', 'HEAD:a.txt');
    for (const args of [
      ['status'],
      ['diff', 'HEAD'],
      ['update-index', '--refresh'],
      ['add', 'b.txt'],
      ['gc', '--auto'],
    ]) {
      await runGit('git', args, { cwd: root }).catch(() => undefined);
    }
    rmSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
    await assert.rejects(runGit('git', ['cat-file', 'blob', id], { cwd: root }));
    assert.equal(existsSync(marker), false);
  });

  it('reads the folder that it is asked for, whatever the environment says', async () => {
    const root = repository('work', { 'a.txt': 'one\n' });
    process.env['GIT_DIR'] = join(folder, 'elsewhere');
    try {
      assert.deepEqual(await new GitRepository('git', root).changes(never, signal), []);
    } finally {
      delete process.env['GIT_DIR'];
    }
  });

  it('fetches nothing that is missing', async () => {
    const root = repository('work', { 'a.txt': 'one\n' });
    poison(root);
    const id = gitIn(root, 'rev-parse', 'HEAD:a.txt');
    rmSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
    write(root, { 'a.txt': 'two\n' });
    assert.match(await changesIn(root), /modified: a\.txt[^]*Not a text, or too large to compare/);
    assert.equal(existsSync(marker), false);
  });

  it('reads what is not committed yet, conflicts, worktrees, submodules and line ends as Git does', async () => {
    const fresh = join(folder, 'fresh');
    mkdirSync(fresh);
    gitIn(fresh, 'init', '-q');
    write(fresh, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    gitIn(fresh, 'add', 'a.txt');
    poison(fresh);
    assert.deepEqual(listed(await changesIn(fresh)), [
      'added, staged: a.txt',
      'untracked: .gitattributes',
      'untracked: b.txt',
    ]);
    assert.deepEqual(await new GitRepository('git', fresh).subjects(9, signal), []);

    const root = repository('work', { 'a.txt': 'one\n', 'crlf.txt': 'x\ny\n' });
    gitIn(root, 'config', 'core.autocrlf', 'true');
    write(root, { 'crlf.txt': 'x\r\ny\r\n' });
    const tree = join(folder, 'tree');
    gitIn(root, 'worktree', 'add', '-q', tree, '-b', 'other');
    write(tree, { 'a.txt': 'theirs\n' });
    gitIn(tree, 'commit', '-qam', 'theirs');
    write(root, { 'a.txt': 'ours\n' });
    gitIn(root, 'commit', '-qam', 'ours');
    assert.throws(() => gitIn(root, 'merge', 'other'));
    write(tree, { 'sub/b.txt': 'b\n' });
    poison(root);
    const merging = await changesIn(root);
    assert.deepEqual(listed(merging), ['conflicting: a.txt', 'untracked: .gitattributes']);
    assert.match(merging, /\+<<<<<<< HEAD\n ours\n/);
    assert.deepEqual(listed(await changesIn(tree)), ['untracked: sub/b.txt']);
    assert.equal(existsSync(marker), false);
  });

  it('knows what the last commit has, and what files were in others', async () => {
    const large = 'x'.repeat(3_000_000);
    const root = repository('work', {
      'a.txt': 'one\ntwo\n',
      'ä b.txt': 'b',
      'sub/c.txt': large,
      'd.txt': `${large}d`,
      'huge.txt': large + large,
    });
    const first = gitIn(root, 'rev-parse', 'HEAD');
    write(root, { 'a.txt': 'edited\n', 'new.txt': 'new\n' });
    poison(root);
    const paths = ['a.txt', 'ä b.txt', 'new.txt', 'sub', 'sub/c.txt', 'd.txt', 'huge.txt', 'no\nname'];
    const found = await new GitRepository('git', root).committed(paths, signal);
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    assert.deepEqual(Object.fromEntries(found), {
      'a.txt': { commit: first, hashes: [hashOf('one\ntwo\n'), hashOf('one\r\ntwo\r\n')] },
      'ä b.txt': { commit: first, hashes: [hashOf('b')] },
      'sub/c.txt': { commit: first, hashes: [hashOf(large)] },
      'd.txt': { commit: first, hashes: [hashOf(`${large}d`)] },
    });
    assert.equal(existsSync(marker), false);
    rmSync(join(root, '.gitattributes'), { force: true });
    // This one runs what the repository names.
    gitIn(root, '-c', 'filter.evil.clean=cat', 'commit', '-qam', 'second');
    rmSync(marker, { force: true });
    const { readAt } = GitRepository.prototype;
    const read = (...args: [string, string]) => readAt.call(new GitRepository('git', root), ...args, signal);
    assert.equal(Buffer.from(await read('a.txt', first)).toString(), 'one\ntwo\n');
    await assert.rejects(read('new.txt', first));
    await assert.rejects(read('a.txt', 'f'.repeat(40)));
    await assert.rejects(read('a.txt', 'HEAD'), 'a name is no commit');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    gitIn(empty, 'init', '-q');
    assert.equal((await new GitRepository('git', empty).committed(['a.txt'], signal)).size, 0);
    assert.equal(existsSync(marker), false);
  });

  it('tells a submodule apart from its own changes', async () => {
    const lib = repository('lib', { 'l.txt': 'l\n' });
    const root = repository('work', { 'a.txt': 'one\n' });
    gitIn(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', lib, 'lib');
    gitIn(root, 'commit', '-qm', 'second');
    const inner = join(root, 'lib');
    write(inner, { 'l.txt': 'changed\n' });
    assert.deepEqual(listed(await changesIn(root)), ['Nothing is changed since the last commit.']);
    assert.deepEqual(listed(await changesIn(inner)), ['modified: l.txt']);
    gitIn(inner, 'commit', '-qam', 'inner');
    assert.equal(await changesIn(root), 'modified: lib');
    assert.deepEqual(await new GitRepository('git', inner).changes(never, signal), []);
  });
});
