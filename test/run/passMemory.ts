import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

export interface PassMemory {
  /** Whether tests made of the very same passed before. */
  isUnchanged: boolean;
  /** To be called when they have passed. */
  keep(): Promise<void>;
}

/**
 * @param file where the memory is kept
 * @param sources everything the tests are made of
 * @param forgets in CI, where every test runs whatever was there before
 */
export async function passMemory(
  file: string,
  sources: readonly string[],
  forgets = Boolean(process.env['CI']),
): Promise<PassMemory> {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(await readFile(source)).update('\0');
  const now = hash.digest('hex');
  const before = forgets ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  return { isUnchanged: before === now, keep: () => writeFile(file, now) };
}
