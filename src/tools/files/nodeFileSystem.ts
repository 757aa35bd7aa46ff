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
  type FileSystem,
  type FileEntry,
  fileErrorKind,
  type FileStat,
} from './fileSystem.ts';

/** macOS `O_NOFOLLOW_ANY`, which Node doesn't define: follows no link in the path. */
const noLinks = process.platform === 'darwin' ? 0x2000_0000 : 0;

// Opening a pipe must not block; Windows has neither flag.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | noLinks;

export const nodeFileSystem: FileSystem = {
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
        realPath: pathOfOpen(handle.fd),
        read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
        close: () => handle.close(),
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  },
};

/** Blocking calls for workers: several times faster for thousands of small files. */
export const blockingNodeFileSystem: FileSystem = {
  realPath: async (path) => withSlashes(realpathSync.native(path)),
  stat: async (path) => toStat(lstatSync(path, { bigint: true })),
  find: async (path) => {
    // Throwing would be slower.
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && toStat(stats);
  },
  list: async (folder) => readdirSync(folder, { withFileTypes: true }).map(toEntry),
  open: async (path) => {
    const descriptor = openSync(path, openFlags);
    // Lazy, because most searched files only need their bytes.
    return {
      get stat() {
        return toStat(fstatSync(descriptor, { bigint: true }));
      },
      get realPath() {
        return pathOfOpen(descriptor);
      },
      read: async (into, position) => readSync(descriptor, into, 0, into.length, position),
      close: async () => closeSync(descriptor),
    };
  },
};

function pathOfOpen(descriptor: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

function toStat(stats: BigIntStats): FileStat {
  const stat: FileStat = { type: typeOf(stats), size: Number(stats.size), mtimeMs: Number(stats.mtimeMs) };
  // Some network file systems have no inode numbers.
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
