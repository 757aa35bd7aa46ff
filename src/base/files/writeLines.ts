import { link, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { partialOf, replaceFile } from './replaceFile.ts';
import { isMissing, systemCode } from '../errors/errors.ts';

/** Line-based files that several windows write without waiting: appended lines survive a rewrite. */

/** In ms. A rewrite is much faster; an older lock belongs to a killed process. */
const staleLockMs = 60_000;
/** In ms. The longest that a line waits for a rewrite, which takes some. */
const longestWaitMs = 2000;
const waitStepMs = 2;

/**
 * Appends a line, also after a torn one; returns the size of the file. Rejects if it isn't written. A line waits for a
 * rewrite to end, which may still have to append the writer's previous one.
 */
export async function appendLine(path: string, line: string): Promise<number> {
  while (await isBeingRewritten(path)) await setTimeout(waitStepMs);
  return appendNow(path, line);
}

async function isBeingRewritten(path: string): Promise<boolean> {
  const taken = await find(lockOf(path));
  return taken !== undefined && Math.abs(Date.now() - Number(taken.mtimeMs)) < longestWaitMs;
}

async function appendNow(path: string, line: string): Promise<number> {
  // If the file was replaced meanwhile, the line may have gone to the old one.
  return (await writeLine(path, line)) ?? (await writeLine(path, line)) ?? 0;
}

export function lineBytes(line: string): number {
  return Buffer.byteLength(line) + 2;
}

async function writeLine(path: string, line: string): Promise<number | undefined> {
  // The leading line break ends a torn line; readers skip empty lines.
  const bytes = Buffer.from(`\n${line}\n`);
  const file = await openToAppend(path);
  try {
    // A single write isn't interleaved with other processes. After a short write the whole line is repeated.
    while ((await file.write(bytes)).bytesWritten < bytes.length - 1);
    const [written, there] = await Promise.all([file.stat({ bigint: true }), find(path)]);
    return !there || there.ino === written.ino ? Number(written.size) : undefined;
  } finally {
    await file.close();
  }
}

async function openToAppend(path: string) {
  try {
    return await open(path, 'a');
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(path), { recursive: true });
    return open(path, 'a');
  }
}

/** Is atomic; lines appended meanwhile follow the new text. Does nothing if the file is missing, locked or unedited. */
export async function rewriteLines(path: string, edit: (text: string) => string | undefined): Promise<void> {
  const lock = lockOf(path);
  if (!(await take(lock))) return;
  const before = partialOf(path);
  try {
    await removePartials(path);
    // A hard link keeps the old file readable after the replacement.
    await link(path, before);
    const bytes = await readFile(before);
    const end = bytes.lastIndexOf('\n') + 1;
    const text = edit(bytes.toString('utf8', 0, end));
    if (text === undefined) return;
    await replaceFile(path, text);
    // From here on, appending writers notice the replacement and append again.
    const late = (await readFile(before)).toString('utf8', end).split('\n');
    for (const line of late) if (line !== '') await appendNow(path, line);
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    await Promise.all([before, lock].map((each) => rm(each, { force: true })));
  }
}

function lockOf(path: string): string {
  return `${path}.lock`;
}

/** False while another process holds the lock. A stale lock is removed for the next attempt. */
async function take(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (systemCode(error) !== 'EEXIST') throw error;
    const taken = await find(lock);
    if (taken && Date.now() - Number(taken.mtimeMs) > staleLockMs) await rm(lock, { force: true });
    return false;
  }
}

async function removePartials(path: string): Promise<void> {
  const folder = dirname(path);
  const left = (await readdir(folder)).filter(
    (name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.partial'),
  );
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

async function find(path: string) {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
