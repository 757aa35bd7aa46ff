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
      for (const { fault, file, before } of JSON.parse(
        await readFile(join(folder, name), 'utf8'),
      ) as Fault[]) {
        const places = (await readFile(join(root, file), 'utf8').catch(() => '')).split(before).length - 1;
        if (places !== 1) lost.push(`${name}: ${fault}: ${places} places in ${file}`);
      }
    }
    assert.deepEqual(lost, []);
  });
});
