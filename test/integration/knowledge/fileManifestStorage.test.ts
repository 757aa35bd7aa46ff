import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileManifestStorage } from '../../../src/knowledge/manifest/manifestStorage.ts';
import { FolderLinks } from '../../../src/knowledge/files/folderLinks.ts';
import { Manifest } from '../../../src/knowledge/manifest/manifest.ts';
import { silentLog } from '../../support/silentLog.ts';
import { inLittleRoom, twoWindows } from '../../support/twoWindows.ts';

describe('FileManifestStorage', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-manifests-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is empty before anything was written', async () => {
    const storage = new FileManifestStorage(join(folder, 'not', 'yet'));
    assert.deepEqual(await storage.list(), []);
    assert.equal(await storage.read('a.jsonl'), undefined);
  });

  it('keeps the order of what was asked at once', async () => {
    const storage = new FileManifestStorage(join(folder, 'deep', 'down'));
    const numbers = Array.from({ length: 50 }, (_, index) => String(index));
    const done = numbers.map((number) => storage.append('a.jsonl', number));
    const before = storage.append('b.jsonl', 'before');
    const rewritten = storage.rewrite('b.jsonl', (text) => text.replace('before', 'new'));
    const last = storage.append('b.jsonl', 'after');
    assert.deepEqual(linesOf(await storage.read('a.jsonl')), numbers);
    await Promise.all([...done, before, rewritten, last]);
    assert.deepEqual(linesOf(await storage.read('b.jsonl')), ['new', 'after']);
    assert.deepEqual(await storage.list(), ['a.jsonl', 'b.jsonl']);
  });

  it('has a line on the disk when it says so', async () => {
    const storage = new FileManifestStorage(folder);
    await storage.append('a.jsonl', 'one');
    assert.deepEqual(linesOf(await readFile(join(folder, 'a.jsonl'), 'utf8')), ['one']);
  });

  it('does not lose a line behind one that a killed process left torn', async () => {
    await appendFile(join(folder, 'a.jsonl'), 'whole\n{"torn');
    const storage = new FileManifestStorage(folder);
    await storage.append('a.jsonl', 'next');
    assert.deepEqual(linesOf(await storage.read('a.jsonl')), ['whole', '{"torn', 'next']);
  });

  it('leaves a file as it is while another window rewrites it, and takes over from one that was killed', async () => {
    const storage = new FileManifestStorage(folder);
    await storage.append('a.jsonl', 'old');
    await writeFile(join(folder, 'a.jsonl.lock'), '');
    await writeFile(join(folder, 'a.jsonl.1.partial'), 'half');
    assert.deepEqual(await storage.list(), ['a.jsonl']);
    await storage.rewrite('a.jsonl', () => 'new\n');
    assert.deepEqual(linesOf(await storage.read('a.jsonl')), ['old']);

    const longAgo = Date.now() / 1000 - 3600;
    await utimes(join(folder, 'a.jsonl.lock'), longAgo, longAgo);
    await storage.rewrite('a.jsonl', () => 'new\n');
    await storage.rewrite('a.jsonl', () => 'new\n');
    assert.deepEqual(linesOf(await storage.read('a.jsonl')), ['new']);
    assert.deepEqual(await readdir(folder), ['a.jsonl']);
  });

  it('keeps a line that is added while the file is rewritten', async () => {
    const storage = new FileManifestStorage(folder);
    await storage.append('a.jsonl', 'old');
    await storage.rewrite('a.jsonl', () => {
      appendFileSync(join(folder, 'a.jsonl'), 'meanwhile\n');
      return 'new\n';
    });
    assert.deepEqual(linesOf(await storage.read('a.jsonl')), ['new', 'meanwhile']);
  });

  it('keeps a line that is still being written when the file has been rewritten', async () => {
    const storage = new FileManifestStorage(folder);
    await storage.append('a.jsonl', 'old');
    const anyFile = await open(join(folder, 'a.jsonl'));
    await anyFile.close();
    const handles = Object.getPrototypeOf(anyFile) as typeof anyFile;
    const { write } = handles;
    handles.write = async function (this: typeof anyFile, ...args: Parameters<typeof write>) {
      handles.write = write;
      await new FileManifestStorage(folder).rewrite('a.jsonl', () => 'new\n');
      return write.apply(this, args);
    } as typeof write;
    await storage.append('a.jsonl', 'slow');
    assert.deepEqual(linesOf(await storage.read('a.jsonl')), ['new', 'slow']);
  });

  it('leaves the old file when the disk has no room for the new one', async function () {
    const storage = new FileManifestStorage(folder);
    await storage.append('a.jsonl', 'old');
    await assert.rejects(inLittleRoom('rewrite', folder), /EFBIG/);
    assert.deepEqual(linesOf(await storage.read('a.jsonl')), ['old']);
    assert.deepEqual(await readdir(folder), ['a.jsonl']);
  });

  it('loses none of the links that two windows make and take back', async () => {
    await twoWindows('links', folder);
    const links = await new FolderLinks(new FileManifestStorage(folder), 'https://platform.example').all();
    assert.equal(links.length, 100);
    assert.ok(links.every(({ folder: name }) => Number(name.slice(1)) % 2 === 0));
  });

  it('loses none of the records that two windows write while both rewrite the file', async () => {
    await twoWindows('manifest', folder);
    const manifest = new Manifest(new FileManifestStorage(folder), 'manifest.jsonl', silentLog);
    await manifest.reload();
    assert.equal(manifest.state.documents.size, 200);
    assert.ok(manifest.state.records < 200 * 16, 'it was never rewritten');
  });

  it('goes on after a failure, and takes no path for a name', async () => {
    const storage = new FileManifestStorage(folder);
    for (const name of ['../a', 'a/b', '', '.', '..', 'a\0']) {
      await assert.rejects(storage.append(name, 'x'), /Not the name/);
    }
    await mkdir(join(folder, 'a.jsonl'));
    await assert.rejects(storage.append('a.jsonl', 'lost'));
    await rm(join(folder, 'a.jsonl'), { recursive: true });
    await storage.append('a.jsonl', 'x');
    assert.deepEqual(linesOf(await storage.read('a.jsonl')), ['x']);
  });
});

const linesOf = (text: string | undefined) => text?.split('\n').filter(Boolean);
