// Where things lie. Found from this file upwards, so it holds for the sources as for the bundles in out/.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(from: string): string {
  if (existsSync(join(from, 'package-lock.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('This is not run from inside the repository.');
  return findRoot(parent);
}

/** The repository. */
export const root = findRoot(import.meta.dirname);
/** What tests leave behind and bundles are written to; git-ignored. */
export const outFolder = join(root, 'out');
/** Downloads that outlive a run; git-ignored. */
export const cacheFolder = join(root, '.cache');
