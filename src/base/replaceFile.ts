import { randomUUID } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file of which a reader sees the old one or the new one, whole, also after a crash.
 * @param mode its rights; what the system gives new files, if absent
 */
export async function replaceFile(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const partial = partialOf(path);
  try {
    await writeFile(partial, content, { flag: 'wx', flush: true, mode });
    // The system may have taken rights away from a new file.
    if (mode !== undefined) await chmod(partial, mode);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** A name beside a file for what is to become it; no two are the same. */
export function partialOf(path: string): string {
  return `${path}.${randomUUID()}.partial`;
}
