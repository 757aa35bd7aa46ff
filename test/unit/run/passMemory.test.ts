import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passMemory } from '../../run/passMemory.ts';

describe('passMemory', () => {
  it('knows tests that passed, until anything they are made of changes, and nothing in CI', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-memory-'));
    try {
      const [memory = '', ...sources] = ['memory', 'a', 'b'].map((name) => join(folder, name));
      const write = (...texts: string[]) =>
        Promise.all(texts.map((text, index) => writeFile(sources[index]!, text)));
      const isUnchanged = async (forgets = false) => (await passMemory(memory, sources, forgets)).isUnchanged;
      await write('1', '2');
      assert.equal(await isUnchanged(), false);
      await (await passMemory(memory, sources, false)).keep();
      assert.deepEqual([await isUnchanged(), await isUnchanged(true)], [true, false]);
      for (const texts of [
        ['1', '3'],
        ['12', ''],
      ]) {
        await write(...texts);
        assert.equal(await isUnchanged(), false, texts.join());
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
