import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputFiles } from '../../../src/tools/command/outputFiles.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('the outputs of commands that are kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-outputs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are there for a week, for the user of the machine alone', async () => {
    const now = Date.now();
    const files = new OutputFiles(folder, () => now);
    for (const [id, days] of [
      ['0000000a', 7.1],
      ['0000000b', 6.9],
    ] as const) {
      await files.write(id, 'printed');
      const time = (now - days * dayMs) / 1000;
      await utimes(join(folder, `${id}.txt`), time, time);
    }
    await files.write('0000000c', 'printed');
    const read = ['0000000a', '0000000b', '0000000c'].map((id) => files.read(id));
    assert.deepEqual(await Promise.all(read), [undefined, 'printed', 'printed']);
    if (process.platform !== 'win32')
      assert.equal((await stat(join(folder, '0000000c.txt'))).mode & 0o777, 0o600);
  });
});
