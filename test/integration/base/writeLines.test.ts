import assert from 'node:assert/strict';
import {
  appendFile,
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { replaceFile } from '../../../src/base/files/replaceFile.ts';
import { appendLine, rewriteLines } from '../../../src/base/files/writeLines.ts';

describe('a file of lines', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
    path = join(folder, 'lines');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const lines = async () => (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');

  /** Writes the next line this way. */
  async function writeNext(write: (file: FileHandle, bytes: Buffer) => Promise<object>): Promise<void> {
    const file = await open(path, 'a');
    const handles = Object.getPrototypeOf(file) as FileHandle;
    await file.close();
    const mocked = mock.method(handles, 'write', function (this: FileHandle, bytes: Buffer) {
      mocked.mock.restore();
      return write(this, bytes);
    });
  }

  it('gets a line that went to the file which was replaced meanwhile', async () => {
    await writeNext(async (file, bytes) => {
      const written = await file.write(bytes);
      await replaceFile(path, 'new\n');
      return written;
    });
    await appendLine(path, 'second');
    assert.deepEqual(await lines(), ['new', 'second']);
  });

  it('does not come back with a line that was written while it was deleted', async () => {
    await writeNext(async (file, bytes) => {
      const written = await file.write(bytes);
      await rm(path);
      return written;
    });
    await appendLine(path, 'second');
    assert.deepEqual(await readdir(folder), []);
  });

  it('gets a line whole that was written in part', async () => {
    await writeNext((file, bytes) => file.write(bytes.subarray(0, 4)));
    await appendLine(path, 'second');
    assert.deepEqual(await lines(), ['sec', 'second']);
  });

  it('is rewritten without what killed rewrites left, and leaves that of other files', async () => {
    await appendLine(path, 'first');
    await writeFile(`${path}.killed.partial`, '');
    await writeFile(`${path}2.going.partial`, '');
    await rewriteLines(path, () => 'one\n');
    assert.deepEqual((await readdir(folder)).toSorted(), ['lines', 'lines2.going.partial']);
    await rewriteLines(join(folder, 'none', 'lines'), () => 'one\n');
  });

  it('is rewritten from its whole lines, and keeps the one that is not whole yet', async () => {
    await appendLine(path, 'first');
    await appendFile(path, 'half a l');
    let seen = '';
    await rewriteLines(path, (text) => {
      seen = text;
      return 'one\n';
    });
    assert.equal(seen, '\nfirst\n');
    assert.deepEqual(await lines(), ['one', 'half a l']);
    assert.deepEqual(await readdir(folder), ['lines']);
  });

  it('is left alone where nothing is to be changed, and where it is missing', async () => {
    await rewriteLines(path, () => 'one\n');
    assert.deepEqual(await readdir(folder), []);
    await appendLine(path, 'first');
    await rewriteLines(path, () => undefined);
    assert.deepEqual(await lines(), ['first']);
  });

  it('is left alone while another window rewrites it, until that has been gone for a minute', async () => {
    const lock = `${path}.lock`;
    await appendLine(path, 'first');
    await writeFile(lock, '');
    await rewriteLines(path, () => 'one\n');
    await rewriteLines(path, () => 'one\n');
    assert.deepEqual(await lines(), ['first']);
    const then = new Date(Date.now() - 120_000);
    await utimes(lock, then, then);
    await rewriteLines(path, () => 'one\n');
    await rewriteLines(path, () => 'one\n');
    assert.deepEqual(await lines(), ['one']);
  });

  it('gets no line while it is rewritten, as an earlier one of that writer may still come', async () => {
    const lock = `${path}.lock`;
    await appendLine(path, 'first');
    await writeFile(lock, '');
    let isWritten = false;
    const second = appendLine(path, 'second').then(() => (isWritten = true));
    for (let turn = 0; turn < 5; turn++) await readFile(path);
    assert.deepEqual([isWritten, await lines()], [false, ['first']]);
    await rm(lock);
    await second;
    assert.deepEqual(await lines(), ['first', 'second']);
  });

  it('gets lines all the same once the window that rewrote it seems to be gone, or has another clock', async () => {
    for (const awayMs of [-10_000, 3_600_000]) {
      const then = new Date(Date.now() + awayMs);
      await writeFile(`${path}.lock`, '');
      await utimes(`${path}.lock`, then, then);
      await appendLine(path, String(awayMs));
    }
    assert.deepEqual(await lines(), ['-10000', '3600000']);
  });
});
