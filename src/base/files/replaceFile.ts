import { randomUUID } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file atomically, even across a crash; without `mode` it gets the default permissions. */
export async function replaceFile(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const partial = partialOf(path);
  try {
    await writeFile(partial, content, { flag: 'wx', flush: true, mode });
    // The umask may have removed permissions.
    if (mode !== undefined) await chmod(partial, mode);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

export function partialOf(path: string): string {
  return `${path}.${randomUUID()}.partial`;
}
