import assert from 'node:assert/strict';
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../../src/base/files/replaceFile.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';

describe('a file that is replaced', () => {
  const { stops } = stopsOfTest();

  it('is the old one to its readers to the end, and the new one to those that come', async () => {
    const path = await temporaryFile('old', stops);
    const reader = await open(path);
    stops.push(() => reader.close());
    const umask = process.umask(0o077);
    stops.push(() => void process.umask(umask));
    await replaceFile(path, 'new', 0o640);
    assert.deepEqual([await reader.readFile('utf8'), await readFile(path, 'utf8')], ['old', 'new']);
    if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o640);
  });

  it('leaves nothing behind where it cannot be', async () => {
    const path = join(dirname(await temporaryFile('beside', stops)), 'folder');
    await mkdir(path);
    await assert.rejects(replaceFile(path, 'new'));
    assert.deepEqual((await readdir(dirname(path))).toSorted(), ['file.pem', 'folder']);
  });
});
