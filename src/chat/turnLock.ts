import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { readObject } from '../base/json.ts';
import { isMissing, systemCode } from '../base/systemCode.ts';
import { isAlive, thisWindow } from './windowMark.ts';

/** Who holds a lock says so at least this often. */
const signMs = 5000;
/** One of which nothing was heard for so long was left behind by a process that ended. */
const staleMs = 30_000;

/** A file that is there while one window works on something: the others leave it alone. */
export interface Lock {
  release(): Promise<void>;
}

/**
 * Undefined while another window holds it. At once, so that what is done under it follows the user's click with nothing in
 * between: the file has some forty bytes.
 */
export function takeLock(path: string): Lock | undefined {
  const content = JSON.stringify({ pid: process.pid, host: hostname() });
  try {
    writeFileSync(path, content, { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    if (isLocked(path)) return undefined;
    removeStale(path);
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

/** Of two windows that find it stale at the same time, the second does not remove what the first has put in its place. */
function removeStale(path: string): void {
  const aside = `${path}.${thisWindow.id}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if (isLocked(aside)) renameSync(aside, path);
  else rmSync(aside, { force: true });
}

/** Whether a window that is still there holds it. */
export function isLocked(path: string): boolean {
  try {
    const { mtimeMs } = statSync(path);
    if (Date.now() - mtimeMs > staleMs) return false;
    const { pid, host } = readObject(readFileSync(path, 'utf8')) ?? {};
    return host !== hostname() || typeof pid !== 'number' || isAlive(pid);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
