// Paths are found from this file upwards, so they hold for the sources and for the bundles in out/.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(from: string): string {
  if (existsSync(join(from, 'package-lock.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('This is not run from inside the repository.');
  return findRoot(parent);
}

export const root = findRoot(import.meta.dirname);
export const outFolder = join(root, 'out');
/** Downloads that outlive a run; git-ignored. */
export const cacheFolder = join(root, '.cache');
