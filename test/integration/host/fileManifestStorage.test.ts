import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileManifestStorage } from '../../../src/host/knowledge/fileManifestStorage.ts';

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
    const replaced = storage.replace('b.jsonl', 'new\n');
    const last = storage.append('b.jsonl', 'after');
    assert.equal(await storage.read('a.jsonl'), numbers.map((number) => `${number}\n`).join(''));
    await Promise.all([...done, replaced, last]);
    assert.equal(await storage.read('b.jsonl'), 'new\nafter\n');
    assert.deepEqual(await storage.list(), ['a.jsonl', 'b.jsonl']);
  });

  it('has a line on the disk when it says so', async () => {
    const storage = new FileManifestStorage(folder);
    await storage.append('a.jsonl', 'one');
    assert.equal(await readFile(join(folder, 'a.jsonl'), 'utf8'), 'one\n');
  });

  it('does not lose a line behind one that a killed process left torn', async () => {
    await appendFile(join(folder, 'a.jsonl'), 'whole\n{"torn');
    const storage = new FileManifestStorage(folder);
    await storage.append('a.jsonl', 'next');
    assert.equal(await storage.read('a.jsonl'), 'whole\n{"torn\nnext\n');
  });

  it('goes on after a failure, and takes no path for a name', async () => {
    const storage = new FileManifestStorage(folder);
    for (const name of ['../a', 'a/b', '', '.', '..', 'a\0']) {
      await assert.rejects(storage.append(name, 'x'), /Not the name/);
    }
    await storage.append('a.jsonl', 'x');
    assert.equal(await storage.read('a.jsonl'), 'x\n');
  });
});
