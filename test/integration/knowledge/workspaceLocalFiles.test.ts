import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { LocalFiles, OpenLocalFile } from '../../../src/knowledge/files/localFiles.ts';
import { createLocalFiles } from '../../../src/knowledge/files/workspaceLocalFiles.ts';
import { createToolDependencies } from '../../../src/tools/allTools.ts';
import type { FileSystem } from '../../../src/tools/files/fileSystem.ts';
import { nodeFileSystem } from '../../../src/tools/files/nodeFileSystem.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';

const { signal } = new AbortController();

describe('the workspace as files to send', () => {
  let base: string;
  let workspace: MemoryWorkspace;
  let files: LocalFiles;

  const at = (...names: string[]) => join(base, 'work', ...names);
  function write(path: string, content: string | Uint8Array = 'text'): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  }

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-local-')));
    write('docs/a.md');
    openWorkspace(nodeFileSystem);
  });
  afterEach(() => rmSync(base, { recursive: true }));

  function openWorkspace(access: FileSystem): void {
    workspace = new MemoryWorkspace({}, access);
    workspace.folderList = [{ name: 'work', path: at(), isVirtual: false }];
    files = createLocalFiles(
      createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 }),
    );
  }

  async function walk(path: string): Promise<{ given: string[]; refused: Record<string, string> }> {
    const given: string[] = [];
    const refused: Record<string, string> = {};
    for await (const file of files.walk(path, signal)) {
      if ('refusal' in file) refused[file.path] = file.refusal;
      else given.push(file.path);
    }
    return { given, refused };
  }

  async function opened(path: string): Promise<OpenLocalFile> {
    const file = await files.open(path);
    assert.ok(!('refusal' in file));
    return file;
  }

  it('gives files in order, and tells a folder that is kept back once', async () => {
    for (const path of ['b.txt', 'docs/deep/c.md', 'node_modules/x/index.js', 'node_modules/y/index.js'])
      write(path);
    write('.gitignore', 'node_modules\n*.log\n');
    write('docs/run.log');
    write('docs/.env');
    write('z-last/.env');
    symlinkSync(at('b.txt'), at('docs/link.txt'));
    const { given, refused } = await walk(at());
    assert.deepEqual(given, ['.gitignore', 'b.txt', 'docs/a.md', 'docs/deep/c.md']);
    assert.deepEqual(Object.keys(refused).toSorted(), [
      'docs/.env',
      'docs/link.txt',
      'docs/run.log',
      'node_modules',
      'z-last/.env',
    ]);
    assert.match(refused['docs/.env'] ?? '', /may contain secrets/);
    assert.match(refused['docs/link.txt'] ?? '', /links are not followed/);
  });

  it('gives a file that was chosen by itself, also in a workspace that is not trusted', async () => {
    workspace.ruleSet = { ...workspace.ruleSet, isTrusted: false };
    assert.deepEqual((await walk(at('docs', 'a.md'))).given, ['docs/a.md']);
    await (await opened(at('docs', 'a.md'))).close();
    assert.deepEqual((await walk(at('docs'))).given, []);
  });

  it('says what to do when no folder is open, or the file is in none', async () => {
    write('../elsewhere.md');
    assert.match(Object.values((await walk(join(base, 'elsewhere.md'))).refused)[0] ?? '', /outside/);
    workspace.folderList = [];
    assert.match(Object.values((await walk(at('docs', 'a.md'))).refused)[0] ?? '', /Open the folder/);
  });

  it('names files by their folder where there are several', async () => {
    write('../other/b.md');
    workspace.folderList = [
      ...workspace.folderList,
      { name: 'other', path: join(base, 'other'), isVirtual: false },
    ];
    assert.deepEqual((await walk(join(base, 'other'))).given, ['other/b.md']);
    assert.equal(files.workspaceName(join(base, 'other', 'b.md')), '');
    assert.equal(files.shownPath(join(base, 'other', 'deep', 'b.md')), 'other/deep/b.md');
    workspace.folderList = workspace.folderList.slice(0, 1);
    assert.equal(files.shownPath(at('docs', 'a.md')), 'docs/a.md');
    assert.equal(files.shownPath(at()), '');
  });

  it('names a file in nested folders by the inner one', () => {
    const outer = { name: 'work', path: at(), isVirtual: false };
    const inner = { name: 'guide', path: at('docs'), isVirtual: false };
    for (const folders of [
      [outer, inner],
      [inner, outer],
    ]) {
      workspace.folderList = folders;
      assert.equal(files.shownPath(at('docs', 'a.md')), 'guide/a.md');
      assert.equal(files.shownPath(at('b.txt')), 'work/b.txt');
    }
  });

  it('knows no commit of a file where Git fails', async () => {
    workspace.sourceControl.committed = () => Promise.reject(new Error('Git is not installed'));
    assert.equal((await files.committed([at('docs', 'a.md')], signal)).size, 0);
    await assert.rejects(files.committed([at('docs', 'a.md')], AbortSignal.abort()), { name: 'AbortError' });
  });

  it('knows which files have unsaved changes', async () => {
    workspace.unsavedTexts.set(at('docs', 'a.md'), 'changed');
    const file = await files.check(at('docs', 'a.md'));
    assert.ok(!('refusal' in file));
    assert.deepEqual([file.isUnsaved, file.size], [true, 4]);
  });

  it('streams all of a file, as often as asked, from what it opened', async () => {
    const content = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
    write('large.bin', content);
    const file = await opened(at('large.bin'));
    renameSync(at('large.bin'), at('moved.bin'));
    write('large.bin', 'another');
    assert.equal(file.size, content.length);
    assert.deepEqual(Buffer.from(await file.head(10)), content.subarray(0, 10));
    assert.ok(content.equals(await buffer(file.stream())));
    assert.ok(content.equals(await buffer(file.stream())));
    await file.close();
  });

  it('sends as many bytes as it announced, or fails', async () => {
    const file = await opened(at('docs', 'a.md'));
    writeFileSync(at('docs', 'a.md'), 'text and more');
    assert.equal((await buffer(file.stream())).toString(), 'text');
    writeFileSync(at('docs', 'a.md'), 'te');
    await assert.rejects(buffer(file.stream()), /changed while it was being uploaded/);
    await file.close();
  });

  it('opens nothing that has become a link', async () => {
    write('.env', 'KEY=1');
    rmSync(at('docs', 'a.md'));
    symlinkSync(at('.env'), at('docs', 'a.md'));
    const refused = await files.open(at('docs', 'a.md'));
    assert.ok('refusal' in refused && refused.isWithheld, 'it leads to what is kept back');
    write('b.txt');
    rmSync(at('docs', 'a.md'));
    symlinkSync(at('b.txt'), at('docs', 'a.md'));
    assert.ok('refusal' in (await files.open(at('docs', 'a.md'))), 'it is not the file that was chosen');
    const gone = await files.open(at('gone.md'));
    assert.ok('refusal' in gone && !gone.isWithheld, 'it may be there again');
  });

  it('opens nothing whose folder becomes a link once it was judged', async () => {
    write('../elsewhere/a.md');
    openWorkspace({
      ...nodeFileSystem,
      open(path) {
        renameSync(at('docs'), at('before'));
        symlinkSync(join(base, 'elsewhere'), at('docs'), 'junction');
        return nodeFileSystem.open(path);
      },
    });
    const refused = await files.open(at('docs', 'a.md'));
    assert.ok('refusal' in refused);
    assert.equal(refused.path, 'docs/a.md');
  });

  it('decodes text, and knows what is none', () => {
    assert.equal(files.decode(Buffer.from('Grüße'), at('a.md')), 'Grüße');
    assert.equal(files.decode(Buffer.from([0xff, 0xfe, 0x61, 0]), at('a.md')), 'a');
    assert.equal(files.decode(Buffer.from([1, 0, 0, 2, 0, 3]), at('a.md')), undefined);
  });
});
