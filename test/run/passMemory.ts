import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

export interface PassMemory {
  /** True if identical tests passed before. */
  isUnchanged: boolean;
  keep(): Promise<void>;
}

/** @param forgets true in CI, where every test runs */
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
