import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { readObject } from '../base/json.ts';
import { isMissing, systemCode } from '../base/systemCode.ts';
import { isAlive } from './windowMark.ts';

/** Who holds a lock says so at least this often. */
const signMs = 5000;
/** One of which nothing was heard for so long was left behind by a process that ended. */
const staleMs = 30_000;

/** A file that is there while one window works on something: the others leave it alone. */
export interface Lock {
  release(): Promise<void>;
}

/** Undefined while another window holds it. */
export async function takeLock(path: string): Promise<Lock | undefined> {
  const content = JSON.stringify({ pid: process.pid, host: hostname() });
  try {
    await writeFile(path, content, { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    if (await isLocked(path)) return undefined;
    // Of two that find it stale at the same time, the one that writes it last has it.
    await rm(path, { force: true });
    return takeLock(path);
  }
  const sign = setInterval(() => {
    const now = new Date();
    // The sign of life that is missed is given with the next one.
    utimes(path, now, now).catch(() => undefined);
  }, signMs).unref();
  return {
    async release() {
      clearInterval(sign);
      await rm(path, { force: true });
    },
  };
}

/** Whether a window that is still there holds it. */
export async function isLocked(path: string): Promise<boolean> {
  try {
    const [{ mtimeMs }, text] = await Promise.all([stat(path), readFile(path, 'utf8')]);
    if (Date.now() - mtimeMs > staleMs) return false;
    const { pid, host } = readObject(text) ?? {};
    return host !== hostname() || typeof pid !== 'number' || isAlive(pid);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
