import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { readObject } from '../../base/json.ts';
import { isMissing, systemCode } from '../../base/errors/errors.ts';
import { isAlive, thisWindow } from './windowMark.ts';

const heartbeatMs = 5000;
/** Age without a heartbeat after which a lock counts as abandoned. */
const staleMs = 30_000;

export interface Lock {
  release(): Promise<void>;
}

/** Undefined if another window holds the lock. Synchronous, so nothing runs between the click and the turn. */
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
    // The next heartbeat makes up for a missed one.
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs).unref();
  return {
    async release() {
      clearInterval(sign);
      // Another window may have taken over the lock while this one hung or its computer slept.
      if ((await readFile(path, 'utf8').catch(unlessMissing)) === content) await rm(path, { force: true });
    },
  };
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Removes a stale lock, but not a new one that another window has just put in its place. */
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
