import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../host/paths.ts';

interface Lockfile {
  packages: Record<
    string,
    { version?: string; resolved?: string; optionalDependencies?: Record<string, string> }
  >;
}

describe('package-lock.json', () => {
  let packages: Lockfile['packages'];

  before(async () => {
    const text = await readFile(join(root, 'package-lock.json'), 'utf8');
    ({ packages } = JSON.parse(text) as Lockfile);
  });

  // npm omits packages it could not fetch when it wrote the file, and `npm ci` then refuses the file.
  it('lists the optional packages of every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      ),
    );
    assert.deepEqual(missing, []);
  });

  it('names no registry, so that everyone uses their own', () => {
    assert.deepEqual(
      Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined),
      [],
    );
  });
});
