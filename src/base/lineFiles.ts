import { link, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { partialOf, replaceFile } from './replaceFile.ts';
import { isMissing, systemCode } from './systemCode.ts';

/**
 * Files with a record a line, to which several windows write at once. None of them waits for another: each adds whole
 * lines, and who rewrites a file loses none that others add meanwhile.
 */

/** A rewriting takes far less; what is older was left behind by a process that was killed. */
const staleLockMs = 60_000;

/**
 * Adds a line. What a crash or a full disk has left of the line before does not swallow it. Rejects when it is not on its way
 * to the disk.
 * @returns the size of the file with it, and whatever another process has added since
 */
export async function appendLine(path: string, line: string): Promise<number> {
  // Once more where the file was rewritten meanwhile: then the line may be in one that is not read any more.
  return (await writeLine(path, line)) ?? (await writeLine(path, line)) ?? 0;
}

/** What `appendLine` adds to a file, in bytes. */
export function lineBytes(line: string): number {
  return Buffer.byteLength(line) + 2;
}

/** Undefined when another file has taken the place of the one that was written to. */
async function writeLine(path: string, line: string): Promise<number | undefined> {
  // The line break before it ends a torn line. Readers pass over empty ones.
  const bytes = Buffer.from(`\n${line}\n`);
  const file = await openToAppend(path);
  try {
    // In one write, between which nothing of another process comes. A short one has torn the line, so it comes whole again.
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

/**
 * Puts another text in the place of a file's: readers see the old or the new one. Lines that are added meanwhile come
 * after it. Nothing happens when the file is not there, while another process rewrites it, or when `edit` returns undefined.
 */
export async function rewriteLines(path: string, edit: (text: string) => string | undefined): Promise<void> {
  const lock = `${path}.lock`;
  if (!(await take(lock))) return;
  const before = partialOf(path);
  try {
    await removePartials(path);
    // A second name for the old file, by which it can be read when the first stands for the new one.
    await link(path, before);
    const bytes = await readFile(before);
    const end = bytes.lastIndexOf('\n') + 1;
    const text = edit(bytes.toString('utf8', 0, end));
    if (text === undefined) return;
    await replaceFile(path, text);
    // A writer that adds a line from here on notices that it went to the old file, and adds it again.
    const late = (await readFile(before)).toString('utf8', end).split('\n');
    for (const line of late) if (line !== '') await appendLine(path, line);
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    await Promise.all([before, lock].map((each) => rm(each, { force: true })));
  }
}

/** False while another process has it. One that was left behind is removed, for the next time. */
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

/** What a process has left behind that was killed while it rewrote the file. */
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
