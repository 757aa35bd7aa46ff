import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import {
  type EntryType,
  type FileAccess,
  type FileEntry,
  fileErrorKind,
  type FileStat,
} from './fileAccess.ts';

// Opening a pipe must not wait for somebody to write into it; Windows has neither flag nor the need.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The disk, for the extension host. */
export const nodeFiles: FileAccess = {
  realPath: async (path) => withSlashes(await realpath(path)),
  stat: async (path) => toStat(await lstat(path, { bigint: true })),
  find: async (path) => {
    try {
      return toStat(await lstat(path, { bigint: true }));
    } catch (error) {
      if (fileErrorKind(error) === 'not-found') return undefined;
      throw error;
    }
  },
  list: async (folder) => (await readdir(folder, { withFileTypes: true })).map(toEntry),
  open: async (path) => {
    const handle = await open(path, openFlags);
    try {
      const stat = toStat(await handle.stat({ bigint: true }));
      return {
        stat,
        ...whereItLies(handle.fd),
        read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
        close: () => handle.close(),
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  },
};

/** The disk, for a worker: its calls block, which over thousands of small files is several times faster. */
export const blockingNodeFiles: FileAccess = {
  realPath: async (path) => withSlashes(realpathSync.native(path)),
  stat: async (path) => toStat(lstatSync(path, { bigint: true })),
  find: async (path) => {
    // An error that is thrown costs more than the question.
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && toStat(stats);
  },
  list: async (folder) => readdirSync(folder, { withFileTypes: true }).map(toEntry),
  open: async (path) => {
    const descriptor = openSync(path, openFlags);
    try {
      const stat = toStat(fstatSync(descriptor, { bigint: true }));
      return {
        stat,
        ...whereItLies(descriptor),
        read: async (into, position) => readSync(descriptor, into, 0, into.length, position),
        close: async () => closeSync(descriptor),
      };
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  },
};

/** Linux tells the path of what a descriptor has open; it blocks no longer than asking memory does. */
function whereItLies(descriptor: number): { realPath?: string } {
  if (process.platform !== 'linux') return {};
  try {
    return { realPath: readlinkSync(`/proc/self/fd/${descriptor}`) };
  } catch {
    return {};
  }
}

function toStat(stats: BigIntStats): FileStat {
  const stat: FileStat = { type: typeOf(stats), size: Number(stats.size), mtimeMs: Number(stats.mtimeMs) };
  // Some network file systems number nothing.
  return stats.ino === 0n
    ? stat
    : { ...stat, identity: `${stats.dev}:${stats.ino}`, links: Number(stats.nlink) };
}

function toEntry(entry: Dirent): FileEntry {
  return { name: entry.name, type: typeOf(entry) };
}

function typeOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryType {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

function withSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/').replace(/^\/\/\?\//, '') : path;
}
