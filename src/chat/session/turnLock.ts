import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
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
  const content = JSON.stringify(thisWindow);
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
      if (unlessMissing(() => readFileSync(path, 'utf8')) === content) rmSync(path, { force: true });
    },
  };
}

function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Removes a stale lock, but not a new one that another window has just put in its place. */
function removeStale(path: string): void {
  const aside = `${path}.${thisWindow.id}`;
  unlessMissing(() => {
    renameSync(path, aside);
    if (isLocked(aside)) renameSync(aside, path);
    else rmSync(aside, { force: true });
  });
}

export function isLocked(path: string): boolean {
  return (
    unlessMissing(() => {
      if (Date.now() - statSync(path).mtimeMs > staleMs) return false;
      const { pid, host } = readObject(readFileSync(path, 'utf8')) ?? {};
      return host !== thisWindow.host || typeof pid !== 'number' || isAlive(pid);
    }) ?? false
  );
}
