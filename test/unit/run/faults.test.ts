import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../host/paths.ts';

interface Fault {
  fault: string;
  file: string;
  before: string;
}

describe('the seeded faults', () => {
  it('each stand where the code can be broken, so that the probe does not pass over any', async () => {
    const folder = join(root, 'test', 'mutation');
    const lost: string[] = [];
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8');
      const faults = JSON.parse(text) as Fault[];
      // A merge may run two together, of which a parser drops the first.
      assert.equal(text.match(/^ {4}"fault": /gm)?.length, faults.length, name);
      for (const { fault, file, before } of faults) {
        const places = (await readFile(join(root, file), 'utf8').catch(() => '')).split(before).length - 1;
        if (places !== 1) lost.push(`${name}: ${fault}: ${places} places in ${file}`);
      }
    }
    assert.deepEqual(lost, []);
  });
});
