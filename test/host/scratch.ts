import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.ts';
import { onShutdown } from './shutdown.ts';

export interface Scratch {
  folder: string;
  /** A fresh copy of test/workspace. */
  workspace(name?: string): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a folder outside the repository, so that an editor opened in it sees nothing of ours. */
export async function createScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const forget = onShutdown(remove);
  return {
    folder,
    async workspace(name = 'sample') {
      const copy = join(folder, name);
      await mkdir(copy, { recursive: true });
      await cp(join(root, 'test', 'workspace'), copy, { recursive: true });
      return copy;
    },
    async remove() {
      await remove();
      forget();
    },
  };
}
