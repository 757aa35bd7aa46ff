import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.ts';

/** Pinned versions; a changed one is installed beside the old one. */
export const versions = {
  /** `@sparticuz/chromium`, for a machine without a browser. */
  chromium: '153.0.0',
  /** From PyPI, for `npm run interop`. */
  litellm: '1.106.2',
} as const;

/** `install` fills a temporary folder, renamed when complete: an interrupted install is repeated. */
export function cached(
  name: string,
  label: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const known = asked.get(name) ?? findOrInstall(name, label, install);
  asked.set(name, known);
  return known;
}

/** Installations requested by this process, so that it doesn't wait for itself. */
const asked = new Map<string, Promise<string>>();

async function findOrInstall(
  name: string,
  label: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  return withLock(
    join(cacheFolder, `${name}.lock`),
    async () => {
      if (existsSync(folder)) return folder;
      await removeRemains(name);
      const started = performance.now();
      process.stderr.write(`Installing ${label} …\n`);
      const partial = join(cacheFolder, `${name}.partial-${process.pid}`);
      await mkdir(partial, { recursive: true });
      // Without a package.json, npm would use the repository's own.
      await writeFile(join(partial, 'package.json'), '{ "private": true }\n');
      await install(partial);
      await rename(partial, folder);
      process.stderr.write(`Installed ${label} in ${Math.round((performance.now() - started) / 1000)} s\n`);
      return folder;
    },
    (pid) => process.stderr.write(`Waiting for process ${pid}, which is installing ${label} …\n`),
  );
}

async function removeRemains(name: string): Promise<void> {
  for (const entry of await readdir(cacheFolder)) {
    if (entry.startsWith(`${name}.partial-`)) {
      await rm(join(cacheFolder, entry), { recursive: true, force: true });
    }
  }
}
