import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { createToolDependencies } from '../../../src/tools/allTools.ts';
import { decodeText, detectEncoding } from '../../../src/tools/files/decodeText.ts';
import { nodeFileSystem } from '../../../src/tools/files/nodeFileSystem.ts';
import type {
  FileQuery,
  FileSearch,
  SearchOptions,
  SearchOutcome,
} from '../../../src/tools/search/fileSearch.ts';
import { LineMatcher } from '../../../src/tools/search/lineMatcher.ts';
import { compilePattern, type PatternRequest } from '../../../src/tools/search/linePattern.ts';
import { ripgrepCandidates } from '../../../src/tools/search/ripgrepCandidates.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';
import { builtWorker, vscodeRipgrep } from '../../support/searchParts.ts';

const never = new AbortController().signal;

const threads = () => (process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0);

const shownOf = ({ files }: SearchOutcome) => files.map(({ shown }) => shown);

/** 1,200 files: a third with the needle, some withheld. */
function manyFiles(): Record<string, string> {
  const files: Record<string, string> = { '.gitignore': '*.log\n' };
  for (let index = 0; index < 1200; index++) {
    const text = index % 3 === 0 ? 'a needle' : 'hay';
    files[`folder${index % 40}/file${Math.floor(index / 40)}.txt`] = `${text}\n`;
    if (index % 100 === 0) files[`folder${index % 40}/hidden${index}.log`] = 'hidden needle';
  }
  return files;
}

/** Writes files into a fresh folder; a value `-> x` makes a link. */
function writeTree(files: Record<string, string | Uint8Array>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-search-')));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string' && content.startsWith('-> ')) symlinkSync(content.slice(3), file);
    else writeFileSync(file, content);
  }
  return folder;
}

describe('tools: searching a real folder', function () {
  this.timeout(120_000);
  let ripgrep: string;
  let workerFile: string;
  const folders: string[] = [];
  /** Kept per workspace, program and time limit: each has a worker, whose start takes longest. */
  const searches = new Map<MemoryWorkspace, Map<string, FileSearch>>();

  before(async function () {
    // VS Code may have to be installed first.
    this.timeout(240_000);
    [ripgrep, workerFile] = await Promise.all([vscodeRipgrep(), builtWorker()]);
  });
  afterEach(() => {
    for (const search of [...searches.values()].flatMap((each) => [...each.values()])) search.dispose();
    searches.clear();
  });
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  function open(files: Record<string, string | Uint8Array>, path = '') {
    const folder = writeTree(files);
    folders.push(folder);
    const workspace = new MemoryWorkspace({}, nodeFileSystem);
    workspace.folderList = [{ name: 'work', path: join(folder, path), isVirtual: false }];
    return { folder: join(folder, path), workspace };
  }

  function searchOf(workspace: MemoryWorkspace, options: SearchOptions): FileSearch {
    const known = searches.get(workspace) ?? new Map<string, FileSearch>();
    searches.set(workspace, known);
    const name = JSON.stringify(options);
    const search = known.get(name) ?? createToolDependencies(workspace, options).search;
    known.set(name, search);
    return search;
  }

  async function find(
    workspace: MemoryWorkspace,
    program: string | undefined,
    pattern: Partial<PatternRequest> & { query: string },
    rest: Partial<FileQuery> = {},
    timeoutMs = 20_000,
  ) {
    const search = searchOf(workspace, { workerFile, ripgrep: program, timeoutMs });
    const compiled = compilePattern({ isRegex: false, ignoreCase: false, ...pattern });
    assert.ok(!('problem' in compiled), JSON.stringify(compiled));
    const outcome = await search.run(
      {
        path: undefined,
        include: [],
        exclude: [],
        search: { pattern: compiled, context: 1 },
        skip: 0,
        limit: 200,
        ...rest,
      },
      never,
    );
    assert.ok('files' in outcome, JSON.stringify(outcome));
    return outcome;
  }

  /** The result of both ways, after asserting that it is the same. */
  async function findBothWays(...args: [MemoryWorkspace, Parameters<typeof find>[2], Partial<FileQuery>?]) {
    const [workspace, pattern, rest] = args;
    const [withRipgrep, without] = await Promise.all([
      find(workspace, ripgrep, pattern, rest),
      find(workspace, undefined, pattern, rest),
    ]);
    assert.deepEqual(withRipgrep.files, without.files);
    assert.equal(withRipgrep.summary?.hasMore, without.summary?.hasMore);
    return withRipgrep.files.flatMap(({ shown, matches }) => matches.map(({ line }) => `${shown}:${line}`));
  }

  it('finds lines, with context, in order of paths', async () => {
    const { workspace } = open({
      'b/two.txt': 'a\nneedle b\r\nc',
      'b.txt': 'needle',
      'a.txt': 'x\n\nneedle needle\n\ny',
    });
    const { files } = await find(workspace, ripgrep, { query: 'needle' });
    assert.deepEqual(
      files.map(({ shown, matches }) => [shown, matches]),
      [
        ['a.txt', [{ line: 3, column: 1, text: 'needle needle', before: [''], after: [''] }]],
        ['b/two.txt', [{ line: 2, column: 1, text: 'needle b', before: ['a'], after: ['c'] }]],
        ['b.txt', [{ line: 1, column: 1, text: 'needle', before: [], after: [] }]],
      ],
    );
    await findBothWays(workspace, { query: 'needle' });
  });

  it('never searches what the policy withholds, nor follows links', async () => {
    const { folder, workspace } = open({
      '.gitignore': 'ignored/\n*.log\n',
      '.switchboardignore': '/own\n',
      'ok.txt': 'needle',
      '.hidden/ok.txt': 'needle',
      'ignored/a': 'needle',
      'a.log': 'needle',
      'own/a': 'needle',
      'sub/own': 'needle',
      '.env': 'needle',
      'sub/.env.example': 'needle',
      id_rsa: 'needle',
      'k/server.pem': 'needle',
      '.git/config': 'needle',
      'sub/.git/config': 'needle',
      '.aws/credentials': 'needle',
      'out/a': 'needle',
      passwd: '-> /etc/passwd',
      etc: '-> /etc',
      twin: '-> ok.txt',
      'draft.txt': 'needle',
    });
    workspace.ruleSet = { ...workspace.ruleSet, filesExclude: ['**/out'], toolsExclude: ['draft.*'] };
    assert.deepEqual(await findBothWays(workspace, { query: 'needle' }), [
      '.hidden/ok.txt:1',
      'ok.txt:1',
      'sub/own:1',
    ]);
    assert.deepEqual(await findBothWays(workspace, { query: 'root:' }), []);
    for (const path of ['.env', 'etc', 'passwd', '../', folder.replace(/\/[^/]*$/, ''), 'ignored']) {
      const { search } = createToolDependencies(workspace, { workerFile, ripgrep, timeoutMs: 20_000 });
      const outcome = await search.run(
        { path, include: [], exclude: [], search: undefined, skip: 0, limit: 9 },
        never,
      );
      assert.ok('reason' in outcome, path);
    }
  });

  it('finds nothing in a hard link to what is refused, also in unsaved text', async () => {
    const { folder, workspace } = open({ '.env': 'needle 1', 'a.txt': 'needle 2', 'b.txt': 'needle 3' });
    linkSync(join(folder, '.env'), join(folder, 'env.txt'));
    linkSync(join(folder, 'a.txt'), join(folder, 'c.txt'));
    assert.deepEqual(await findBothWays(workspace, { query: 'needle' }), ['a.txt:1', 'b.txt:1', 'c.txt:1']);
    workspace.unsavedTexts.set(join(folder, 'env.txt'), 'needle 4');
    assert.deepEqual(await findBothWays(workspace, { query: 'needle 4' }), []);
  });

  it('reads nothing through a folder that becomes a link and a folder again while it searches', async () => {
    const { folder, workspace } = open(
      { 'work/sub/a.txt': 'my needle', 'secret/a.txt': 'hidden needle' },
      'work',
    );
    const swap = `const fs = require('fs');
      for (let round = 0; round < 4000; round++) {
        fs.renameSync('sub', 'away'); fs.symlinkSync('../secret', 'sub'); fs.unlinkSync('sub'); fs.renameSync('away', 'sub');
      }`;
    const swapping = spawn(process.execPath, ['-e', swap], { cwd: folder });
    const ended = new Promise((resolve) => swapping.on('exit', resolve));
    do {
      const found = await Promise.all([
        find(workspace, ripgrep, { query: 'needle' }),
        find(workspace, undefined, { query: 'needle' }),
      ]);
      const lines = found.flatMap(({ files }) =>
        files.flatMap(({ matches }) => matches.map(({ text }) => text)),
      );
      assert.ok(!lines.includes('hidden needle'));
    } while (swapping.exitCode === null);
    assert.equal(await ended, 0);
    assert.deepEqual(await findBothWays(workspace, { query: 'needle' }), ['sub/a.txt:1']);
  });

  it('does not tell a secret by what matches', async () => {
    const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
    const keyLine = 'MIIEpAIBAAKCAQEAy8Dbv8prpJ';
    const key = [
      '-----BEGIN PRIVATE',
      ' KEY-----\n',
      `${keyLine}\n`.repeat(20),
      '-----END PRIVATE',
      ' KEY-----',
    ];
    const { workspace } = open({ 'a.txt': `TOKEN=${token}\nother line`, 'k.txt': key.join('') });
    for (const query of [token.slice(0, 9), token, keyLine.slice(0, 8)]) {
      assert.deepEqual(await findBothWays(workspace, { query }), [], query);
    }
    assert.deepEqual(
      await findBothWays(workspace, { query: `TOKEN=${token.slice(0, 5)}`, isRegex: true }),
      [],
    );
    const { files } = await find(workspace, ripgrep, { query: 'other' });
    assert.deepEqual(files[0]?.matches[0]?.before, ['TOKEN=[redacted secret]']);
  });

  it('refuses in an untrusted workspace', async () => {
    const { workspace } = open({ a: 'needle' });
    workspace.ruleSet = { ...workspace.ruleSet, isTrusted: false };
    const { search } = createToolDependencies(workspace, { workerFile, ripgrep, timeoutMs: 20_000 });
    const outcome = await search.run(
      { path: undefined, include: [], exclude: [], search: undefined, skip: 0, limit: 9 },
      never,
    );
    assert.equal('reason' in outcome && outcome.reason, 'untrusted');
  });

  it('obeys the ignore files of a repository above the folder, and of no other folder above', async () => {
    const files = {
      '.gitignore': '*.gen\nwork/sub/x\n',
      'work/a.gen': 'needle',
      'work/sub/x': 'needle',
      'work/b': 'needle',
    };
    const inside = open({ '.git/HEAD': '', ...files }, 'work');
    assert.deepEqual(await findBothWays(inside.workspace, { query: 'needle' }), ['b:1']);
    const alone = open(files, 'work');
    assert.deepEqual(await findBothWays(alone.workspace, { query: 'needle' }), ['a.gen:1', 'b:1', 'sub/x:1']);
  });

  it('lets unsaved text win over the disk', async () => {
    const { folder, workspace } = open({ 'a.txt': 'needle on disk', 'b.txt': 'nothing', '.env': 'x' });
    workspace.unsavedTexts.set(join(folder, 'a.txt'), 'nothing any more');
    workspace.unsavedTexts.set(join(folder, 'b.txt'), 'one\nneedle unsaved');
    workspace.unsavedTexts.set(join(folder, '.env'), 'needle');
    assert.deepEqual(await findBothWays(workspace, { query: 'needle' }), ['b.txt:2']);
  });

  it('understands encodings and passes over binary files', async () => {
    const { workspace } = open({
      'utf16le.txt': Buffer.from('\uFEFFgrüß needle\n', 'utf16le'),
      'utf16be.txt': Buffer.from('\uFEFFgrüß needle\n', 'utf16le').swap16(),
      'bom.txt': '\uFEFFneedle grüß',
      'latin.txt': Buffer.from('needle gr\xfc\xdf\n', 'latin1'),
      'utf8.txt': 'needle grüß',
      'binary.bin': Buffer.from('needle grüß\n\0\0'),
    });
    const all = ['bom.txt:1', 'latin.txt:1', 'utf16be.txt:1', 'utf16le.txt:1', 'utf8.txt:1'];
    assert.deepEqual(await findBothWays(workspace, { query: 'needle' }), all);
    assert.deepEqual(await findBothWays(workspace, { query: 'grüß' }), all);
    assert.deepEqual(await findBothWays(workspace, { query: 'GRÜSS|gr.ß', isRegex: true }), all);
    assert.deepEqual(await findBothWays(workspace, { query: 'GRÜß', ignoreCase: true }), all);
    assert.deepEqual(await findBothWays(workspace, { query: '^needle', isRegex: true }), [
      'bom.txt:1',
      'latin.txt:1',
      'utf8.txt:1',
    ]);
  });

  it('understands the encoding of the settings, with characters of several bytes', async () => {
    const { folder, workspace } = open({
      // 漢字 in GBK, where the second byte of the first character is an h.
      'gbk.txt': Buffer.from([0x9d, 0x68, 0xd7, 0xd6, ...Buffer.from(' needle')]),
      'utf8.txt': '漢字 needle',
    });
    workspace.encodings[folder] = 'gbk';
    const both = ['gbk.txt:1', 'utf8.txt:1'];
    assert.deepEqual(await findBothWays(workspace, { query: 'needle' }), both);
    assert.deepEqual(await findBothWays(workspace, { query: '漢字' }), both);
    assert.deepEqual(await findBothWays(workspace, { query: '^..\\s\\w+$', isRegex: true }), both);
    assert.deepEqual(await findBothWays(workspace, { query: 'h' }), []);
  });

  it('searches and lists a virtual file system, which no worker can read', async () => {
    const root = 'memfs://host/work';
    const workspace = new MemoryWorkspace({
      [`${root}/a.txt`]: 'one\nneedle',
      [`${root}/sub/b.txt`]: 'needle',
      [`${root}/.env`]: 'needle',
      [`${root}/.gitignore`]: 'ignored',
      [`${root}/ignored/c`]: 'needle',
      [`${root}/image`]: Buffer.from('needle\0'),
      [`${root}/link`]: { linkTo: 'a.txt' },
    });
    workspace.folderList = [{ name: 'work', path: root, isVirtual: true }];
    workspace.unsavedTexts.set(`${root}/a.txt`, 'needle first');
    assert.deepEqual(await findBothWays(workspace, { query: 'needle' }), ['a.txt:1', 'sub/b.txt:1']);
    assert.deepEqual(await findBothWays(workspace, { query: 'n.*e', isRegex: true }, { path: 'sub' }), [
      'sub/b.txt:1',
    ]);
    const { search, texts, policy } = createToolDependencies(workspace, {
      workerFile,
      ripgrep,
      timeoutMs: 20_000,
    });
    const listing = { path: undefined, include: [], exclude: [], search: undefined, skip: 0, limit: 99 };
    const listed = await search.run(listing, never);
    assert.ok('files' in listed);
    assert.deepEqual(
      listed.files.map(({ shown }) => shown),
      ['.gitignore', 'a.txt', 'image', 'sub/b.txt'],
    );
    const file = await policy.check(`${root}/sub/../sub/b.txt`, 'read');
    assert.ok(file.isAllowed);
    assert.equal(await texts.readWhole(file), 'needle');
    search.dispose();
  });

  it('includes, excludes and starts where it is asked to', async () => {
    const { workspace } = open({
      'a.ts': 'x',
      'a.js': 'x',
      'src/b.ts': 'x',
      'src/deep/c.ts': 'x',
      'test/d.ts': 'x',
    });
    const all = { query: 'x' };
    assert.deepEqual(await findBothWays(workspace, all, { include: ['*.ts'], exclude: ['test'] }), [
      'a.ts:1',
      'src/b.ts:1',
      'src/deep/c.ts:1',
    ]);
    assert.deepEqual(await findBothWays(workspace, all, { include: ['src/*.{js,ts}'] }), ['src/b.ts:1']);
    assert.deepEqual(await findBothWays(workspace, all, { path: 'src' }), ['src/b.ts:1', 'src/deep/c.ts:1']);
    assert.deepEqual(await findBothWays(workspace, all, { path: 'src/b.ts' }), ['src/b.ts:1']);
    assert.deepEqual(await findBothWays(workspace, all, { path: 'src/b.ts', exclude: ['src'] }), []);
  });

  it('tells of files too large to be searched, and of no others', async () => {
    const { folder, workspace } = open({ 'a.txt': 'needle', 'large.txt': 'needle' });
    const tell = async () => (await find(workspace, undefined, { query: 'needle' })).summary?.largeFiles;
    truncateSync(join(folder, 'large.txt'), 50_000_000);
    assert.equal(await tell(), 0);
    truncateSync(join(folder, 'large.txt'), 50_000_001);
    assert.equal(await tell(), 1);
  });

  it('searches the other folders where one was removed, but not that one alone', async () => {
    const { folder, workspace } = open({ 'a/one.txt': 'needle' });
    const folderOf = (name: string) => ({ name, path: join(folder, name), isVirtual: false });
    workspace.folderList = [folderOf('gone'), folderOf('a')];
    assert.deepEqual(await findBothWays(workspace, { query: 'needle' }), ['a/one.txt:1']);
    const { policy } = createToolDependencies(workspace, { workerFile, ripgrep, timeoutMs: 20_000 });
    assert.ok((await policy.check('one.txt', 'read')).isAllowed);
    workspace.folderList = [folderOf('gone')];
    await assert.rejects(find(workspace, undefined, { query: 'needle' }), /not-found/);
  });

  it('lists as many files as it is asked for, and tells whether there are more', async () => {
    const { workspace } = open({ a: '', b: '', c: '' });
    const list = async (limit: number, skip = 0) => {
      const outcome = await searchOf(workspace, { workerFile, ripgrep: undefined, timeoutMs: 20_000 }).run(
        { path: undefined, include: [], exclude: [], search: undefined, skip, limit },
        never,
      );
      assert.ok('files' in outcome);
      return [shownOf(outcome), outcome.summary?.hasMore];
    };
    assert.deepEqual(await list(2), [['a', 'b'], true]);
    assert.deepEqual(await list(3), [['a', 'b', 'c'], false]);
    assert.deepEqual(await list(2, 1), [['b', 'c'], false]);
  });

  it('pages', async () => {
    const { workspace } = open({ a: 'x\nx\nx', b: 'x\nx', c: 'y\nx' });
    const pages = [];
    for (let skip = 0; skip < 8; skip += 2) {
      const { files, summary } = await find(workspace, ripgrep, { query: 'x' }, { skip, limit: 2 });
      pages.push([
        files.flatMap(({ shown, matches }) => matches.map(({ line }) => shown + line)),
        summary?.hasMore,
      ]);
    }
    assert.deepEqual(pages, [
      [['a1', 'a2'], true],
      [['a3', 'b1'], true],
      [['b2', 'c2'], false],
      [[], false],
    ]);
    await findBothWays(workspace, { query: 'x' }, { skip: 1, limit: 3 });
  });

  it('ends a regular expression that would never end, and gives what it had', async () => {
    const { workspace } = open({ 'a.txt': 'aab', 'z.txt': `${'a'.repeat(60)}!`, 'b.txt': 'ab' });
    const outcome = await find(workspace, undefined, { query: '^(a+)+b', isRegex: true }, {}, 1500);
    assert.equal(outcome.summary, undefined);
    assert.deepEqual(shownOf(outcome), ['a.txt', 'b.txt']);
  });

  it('finds the same in so many files that several threads search them', async () => {
    const { workspace } = open(manyFiles());
    const all = await findBothWays(workspace, { query: 'needle' }, { limit: 2000 });
    assert.equal(all.length, 400);
    assert.deepEqual(
      await findBothWays(workspace, { query: 'needle' }, { skip: 300, limit: 50 }),
      all.slice(300, 350),
    );
    assert.deepEqual(
      await findBothWays(workspace, { query: 'ne+dle', isRegex: true }, { limit: 399 }),
      all.slice(0, 399),
    );
    assert.deepEqual(await findBothWays(workspace, { query: 'hidden' }), []);
  });

  it('leaves no thread behind when time runs out, a search is aborted or enough is found', async () => {
    const stuck = `${'a'.repeat(60)}!`;
    const { workspace } = open({
      ...manyFiles(),
      'folder39/file9.stuck': stuck,
      'folder38/file8.stuck': stuck,
    });
    const [hasty, patient] = [1500, 60_000].map((timeoutMs) =>
      searchOf(workspace, { workerFile, ripgrep, timeoutMs }),
    );
    const before = threads();
    const run = async (search: FileSearch | undefined, limit: number, signal: AbortSignal) => {
      const pattern = { source: '^(a+)+b|needle', flags: 'u', isPlain: false };
      const outcome = await search?.run(
        { path: undefined, include: [], exclude: [], search: { pattern, context: 0 }, skip: 0, limit },
        signal,
      );
      assert.ok(outcome && 'files' in outcome);
      return outcome;
    };
    const cut = await run(hasty, 2000, never);
    assert.equal(cut.summary, undefined);
    const all = shownOf(await find(workspace, ripgrep, { query: 'needle' }, { limit: 2000 }));
    assert.deepEqual(shownOf(cut), all.slice(0, cut.files.length));
    assert.equal((await run(patient, 10, never)).files.length, 10);
    await assert.rejects(run(patient, 2000, AbortSignal.timeout(500)), { name: 'TimeoutError' });
    patient?.dispose();
    const deadline = performance.now() + 20_000;
    while (threads() > before && performance.now() < deadline) await new Promise(setImmediate);
    assert.equal(threads(), before);
  });

  it('stops at once when it is aborted', async () => {
    const { workspace } = open({ 'z.txt': `${'a'.repeat(60)}!` });
    const { search } = createToolDependencies(workspace, { workerFile, ripgrep, timeoutMs: 20_000 });
    const stop = new AbortController();
    const pattern = { source: '^(a+)+$', flags: 'u', isPlain: false };
    const running = search.run(
      { path: undefined, include: [], exclude: [], search: { pattern, context: 0 }, skip: 0, limit: 9 },
      stop.signal,
    );
    setImmediate(() => stop.abort());
    await assert.rejects(running, { name: 'AbortError' });
  });

  it('says so when the worker cannot run', async () => {
    const { workspace } = open({ a: 'x' });
    const { search } = createToolDependencies(workspace, {
      workerFile: '/no/such/worker.mjs',
      ripgrep,
      timeoutMs: 20_000,
    });
    await assert.rejects(
      search.run({ path: undefined, include: [], exclude: [], search: undefined, skip: 0, limit: 9 }, never),
      /no\/such\/worker/,
    );
  });

  it('goes on without a ripgrep that does not work', async () => {
    const { workspace } = open({ a: 'needle' });
    for (const program of ['/no/such/rg', process.execPath]) {
      const { files } = await find(workspace, program, { query: 'needle' });
      assert.equal(files.length, 1, program);
    }
  });

  it('asks ripgrep so that no file with a match is missed, whatever the expression', async () => {
    const lines = [
      ...['', 'foo', 'Foo bar', ' foo()', 'fo\u00e9 x', '\tbar', 'x1_y', 'foo.bar', '漢字 foo', '😀'],
      ...['a-b', 'K', '\u212a', 's', 'ſ', '\u00a0foo', 'z\u2028y', 'q\rr', 'éfoo', 'a\ufeffb', '٣', '\u0085'],
      ...['GRÜSS', 'grüß', 'ẞ', '[]', '^$', '\\d', '{2}', 'aab', '\v', '--', ':alpha:'],
    ];
    const files = lines.flatMap((line, index): [string, Buffer][] => [
      [`${index}.txt`, Buffer.from(`${line}\n`)],
      [`${index}.crlf`, Buffer.from(`x\r\n${line}\r\n`)],
      [`${index}.latin`, Buffer.from(line, 'latin1')],
      [`${index}.utf16`, Buffer.from(`\uFEFF${line}`, 'utf16le')],
    ]);
    const { folder, workspace } = open(Object.fromEntries(files));
    const texts = files.flatMap(([path, bytes]): [string, string][] => {
      const encoding = detectEncoding(bytes, true);
      return encoding ? [[path, decodeText(bytes, encoding)]] : [];
    });
    const target = { folder: workspace.folderList[0]!, root: folder, start: '', isFile: false };
    const { regex } = fc.letrec((tie) => ({
      atom: fc.constantFrom(
        ...[
          'f',
          'o',
          'x',
          'K',
          's',
          'é',
          'ß',
          '漢',
          '-',
          '_',
          '😀',
          ' ',
          ':',
          '\\.',
          '\\[',
          '\\/',
          '\\t',
          '\\v',
        ],
        ...[
          '.',
          '^',
          '$',
          '\\b',
          '\\B',
          '\\d',
          '\\D',
          '\\w',
          '\\W',
          '\\s',
          '\\S',
          '\\cI',
          '\\0',
          '\\x6f',
          '\\u006f',
        ],
        ...[
          '\\u{1F600}',
          '\\ud83d\\ude00',
          '\\ud83d',
          '[^]',
          '[]',
          '[a-z]',
          '[^a-z]',
          '[\\s\\w-]',
          '[^\\W]',
          '[[:alpha:]',
        ],
        ...[
          '[\\D]',
          '[^\\S]',
          '[-x]',
          '[x-]',
          '[\\b]',
          '[!--]',
          '[à-ü]',
          '[^\\x00-\\x7f]',
          '[\\]\\^]',
          '\\p{L}',
          '(o)\\1',
        ],
      ),
      many: fc
        .tuple(tie('regex'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}?', '*?'))
        .map(([inner, quantifier]) => `(?:${inner as string})${quantifier}`),
      group: fc
        .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!'), tie('regex'))
        .map(([lead, inner]) => `${lead}${inner as string})`),
      either: fc.tuple(tie('regex'), tie('regex')).map((both) => both.join('|')),
      regex: fc
        .array(
          fc.oneof(
            { arbitrary: tie('atom'), weight: 8 },
            { arbitrary: tie('many'), weight: 1 },
            { arbitrary: tie('group'), weight: 2 },
            { arbitrary: tie('either'), weight: 1 },
          ),
          { minLength: 1, maxLength: 3 },
        )
        .map((parts) => parts.join('')),
    }));
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(regex, fc.boolean(), async (query, ignoreCase) => {
        const pattern = compilePattern({ query, isRegex: true, ignoreCase });
        fc.pre(!('problem' in pattern));
        const need = { pattern, rules: workspace.ruleSet, access: nodeFileSystem };
        const candidates = await ripgrepCandidates(ripgrep, target, need, never);
        if (!candidates) return;
        asked++;
        const matcher = new LineMatcher(pattern);
        const missed = texts.filter(
          ([path, text]) => matcher.match(text, 0, 1).length > 0 && !candidates.includes(path),
        );
        assert.deepEqual(missed, []);
      }),
      {
        // Negations must not match too much, either.
        examples: [
          'oo(?!\\s)',
          'bar(?![^x])',
          'oo(?!\\x0a)',
          '(?!\\W).',
          '(?<!\\w)s',
          'o(?!.|$)',
          '(?!\\B)K',
        ].flatMap((query): [string, boolean][] => [
          [query, false],
          [query, true],
        ]),
        numRuns: 150,
        interruptAfterTimeLimit: 60_000,
      },
    );
    assert.ok(asked > 50, `${asked} expressions were said in ripgrep's words`);
  });

  it('finds the same with and without ripgrep, whatever the tree', async () => {
    const name = fc.constantFrom(
      'a',
      'b',
      'c.ts',
      'd.log',
      'e f',
      '.h',
      '.env',
      '.git',
      'ü',
      'node_modules',
      '[x]',
      '!n',
      '#c',
    );
    const line = fc.constantFrom(
      'foo',
      'Foo bar',
      ' foo()',
      'fo\u00e9 x',
      '',
      '\tbar\r',
      'x1_y',
      'foo.bar',
      '漢字 foo',
      '😀',
      'a-b',
      'K',
      'ſ',
      '\u00a0foo',
      'z\u2028y',
      'q\rr',
    );
    const content = fc.oneof(
      fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n')),
      fc.array(line, { maxLength: 3 }).map((lines) => Buffer.from(lines.join('\n'), 'latin1')),
      fc.array(line, { maxLength: 3 }).map((lines) => Buffer.from(`\uFEFF${lines.join('\n')}\n`, 'utf16le')),
      fc.uint8Array({ maxLength: 20 }),
    );
    const rule = fc.constantFrom(
      'a',
      '/a',
      'a/',
      '!a',
      '*.ts',
      '!c.ts',
      'b/c.ts',
      '**/b',
      'b/**',
      '#c',
      '\\#c',
      '\\!n',
      'e\\ f',
      '[ab]',
      '*',
      '!*/',
      'ü',
      'd.log',
      'a/*',
      '!a/b',
      ' ',
      '!/b/',
      'node_modules',
      '[x]',
      '\\[x\\]',
      'b/',
      '?',
    );
    const rules = fc.array(rule, { maxLength: 4 }).map((lines) => lines.join('\n'));
    const tree = fc.record({
      files: fc.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), content), {
        minLength: 1,
        maxLength: 12,
      }),
      ignores: fc.array(
        fc.tuple(
          fc.array(name, { maxLength: 2 }),
          fc.constantFrom('.gitignore', '.switchboardignore'),
          rules,
        ),
        {
          maxLength: 3,
        },
      ),
      isRepository: fc.boolean(),
    });
    const query = fc.oneof(
      fc.record({
        query: fc.constantFrom('foo', 'FOO', 'o b', 'é', '.', '漢', 'k', 's', '(', 'r'),
        isRegex: fc.constant(false),
        ignoreCase: fc.boolean(),
      }),
      fc.record({
        query: fc.constantFrom(
          '^foo',
          'foo$',
          '\\bfoo\\b',
          'f..',
          '[^a-z]oo',
          '\\w+\\(',
          '\\s',
          '\\S\\W',
          '(?<!x)foo',
          'foo(?! )',
          '(o)\\1',
          '[é-ü]',
          '^$',
          '^.$',
          '.{3}',
          '\\bbar$',
          'x\\d',
          '\\u{1F600}',
          '[\\s\\S]r',
          'k|ſ',
          '\\p{L}{3}',
          '(?:fo|ba)[^o]',
          'oo\\.b',
          '^\\s+',
          '\\Bo',
          '[-a]b',
          'é?$',
          'f(?=oo)',
          '(?<n>o)\\k<n>',
          '[^\\x00-\\x7f]',
          'a\\-b',
        ),
        isRegex: fc.constant(true),
        ignoreCase: fc.boolean(),
      }),
    );
    const workspace = new MemoryWorkspace({}, nodeFileSystem);
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.array(query, { minLength: 2, maxLength: 4 }),
        async ({ files, ignores, isRepository }, queries) => {
          const folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-search-')));
          try {
            const put = (path: string[], text: string | Uint8Array) => {
              try {
                const file = join(folder, ...path);
                mkdirSync(dirname(file), { recursive: true });
                writeFileSync(file, text);
              } catch {
                // A file stands where a folder would have to be.
              }
            };
            if (isRepository) put(['.git', 'HEAD'], 'foo');
            for (const [path, text] of files) put(path, text);
            for (const [path, file, text] of ignores) put([...path, file], text);
            workspace.folderList = [{ name: 'work', path: folder, isVirtual: false }];
            for (const each of queries) await findBothWays(workspace, each);
          } finally {
            rmSync(folder, { recursive: true, force: true });
          }
        },
      ),
      {
        examples: [
          [
            { files: [[['a'], Buffer.from('\tbar\r')]], ignores: [], isRepository: false },
            [{ query: '\\bbar$', isRegex: true, ignoreCase: false }],
          ],
        ],
        numRuns: 25,
        interruptAfterTimeLimit: 60_000,
      },
    );
  });
});
