// Plain JavaScript, because test/main.mjs needs it before anything is built.
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const patienceMs = 10 * 60_000;

/**
 * Waits while a living process holds the lock file, and takes over the lock of a dead one.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} [onWait] called once if another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait = () => {}) {
  await mkdir(dirname(file), { recursive: true });
  const deadline = Date.now() + patienceMs;
  let told = false;
  while (!(await take(file))) {
    const holder = Number(await readFile(file, 'utf8').catch(() => '')) || undefined;
    if (holder !== undefined && !isAlive(holder)) {
      await rm(file, { force: true });
      continue;
    }
    if (Date.now() > deadline) throw new Error(`Process ${holder} has held ${file} for ten minutes.`);
    if (!told && holder !== undefined) onWait(holder);
    told = true;
    await delay(200);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** @param {string} file */
async function take(file) {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
