import type { Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A window that listens, as its file in the folder of windows says. Only the user can read that file. */
export interface WindowRecord {
  /** Real paths of its workspace folders. */
  folders: readonly string[];
  pid: number;
  /** In ms since 1970. */
  openedAt: number;
  socket: string;
  /** Secret of the window: a connection that doesn't begin with it is closed. */
  token: string;
}

export interface FoundWindow extends WindowRecord {
  file: string;
  holdsFolder: boolean;
}

export const windowsFolderName = 'windows';
const recordEnding = '.json';
const largestRecord = 100_000;

export function recordFile(folder: string, name: string): string {
  return join(folder, name + recordEnding);
}

export function readRecord(text: string): WindowRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Half a file, or none of ours.
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { folders, pid, openedAt, socket, token } = value as Record<keyof WindowRecord, unknown>;
  if (!Array.isArray(folders) || !folders.every((folder) => typeof folder === 'string')) return undefined;
  if (!Number.isSafeInteger(pid) || typeof openedAt !== 'number' || !Number.isFinite(openedAt))
    return undefined;
  if (typeof socket !== 'string' || typeof token !== 'string' || socket === '' || token === '')
    return undefined;
  return { folders, pid: pid as number, openedAt, socket, token };
}

/** Windows that listen: first those that hold the folder, the newest first. */
export async function findWindows(folder: string, programFolder: string): Promise<FoundWindow[]> {
  if ((await privacyProblem(folder)) !== undefined) return [];
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith(recordEnding))
      .map(async (name): Promise<FoundWindow[]> => {
        const file = join(folder, name);
        const record = await readRecordFile(file);
        return record ? [{ ...record, file, holdsFolder: holdsFolder(record.folders, programFolder) }] : [];
      }),
  );
  return inOrder(found.flat());
}

export function inOrder(windows: readonly FoundWindow[]): FoundWindow[] {
  return [...windows].toSorted(
    (a, b) => Number(b.holdsFolder) - Number(a.holdsFolder) || b.openedAt - a.openedAt,
  );
}

export function holdsFolder(folders: readonly string[], path: string, system = process.platform): boolean {
  const compared = (each: string) => (system === 'win32' ? each.toLowerCase() : each);
  const separator = system === 'win32' ? '\\' : sep;
  return folders.some((folder) => {
    const inside = folder.endsWith(separator) ? folder : folder + separator;
    return compared(path) === compared(folder) || compared(path).startsWith(compared(inside));
  });
}

async function readRecordFile(file: string): Promise<WindowRecord | undefined> {
  try {
    const found = await lstat(file);
    const isReadable = found.isFile() && found.size <= largestRecord && isOurs(found);
    return isReadable ? readRecord(await readFile(file, 'utf8')) : undefined;
  } catch {
    // The window closed meanwhile.
    return undefined;
  }
}

/** The reason why someone else could have written to a folder, in English for the log. */
export async function privacyProblem(folder: string): Promise<string | undefined> {
  try {
    const found = await lstat(folder);
    if (!found.isDirectory()) return 'it is no folder';
    return isOurs(found) ? undefined : 'other users can open it';
  } catch (error) {
    return `it can't be read: ${String(error)}`;
  }
}

/** Windows keeps a user's folders from others by itself and has neither. */
function isOurs({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const self = process.getuid?.();
  return self === undefined || (uid === self && (mode & 0o077) === 0);
}
