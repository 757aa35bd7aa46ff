/** `other`: sockets, pipes and devices. */
export type EntryType = 'file' | 'folder' | 'link' | 'other';

export interface FileStat {
  type: EntryType;
  size: number;
  mtimeMs: number;
  /** Identifies a file independently of its names; absent if the file system doesn't support it. */
  identity?: string;
  /** The number of names; absent if the file system doesn't count. */
  links?: number;
}

export interface FileEntry {
  name: string;
  type: EntryType;
}

/** An open file; it stays the same even if its name gets another meaning. */
export interface OpenFile {
  readonly stat: FileStat;
  /** The real path of the open file, if the system reports it; it can't be faked. */
  readonly realPath?: string | undefined;
  /** Fills `into` from byte `position`; resolves with the bytes read, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** Paths are absolute with slashes. Rejects with system errors (`fileErrorKind`). Only `realPath` follows links. */
export interface FileSystem {
  realPath(path: string): Promise<string>;
  stat(path: string): Promise<FileStat>;
  find(path: string): Promise<FileStat | undefined>;
  list(folder: string): Promise<FileEntry[]>;
  /** Never blocks on a pipe and doesn't follow a link at the end of the path. */
  open(path: string): Promise<OpenFile>;
}

export type FileErrorKind = 'not-found' | 'loop' | 'not-permitted' | 'other';

const kinds: Record<string, FileErrorKind> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  ENAMETOOLONG: 'not-found',
  FileNotFound: 'not-found',
  FileNotADirectory: 'not-found',
  ELOOP: 'loop',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  NoPermissions: 'not-permitted',
};

export function fileErrorKind(error: unknown): FileErrorKind {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return kinds[code] ?? 'other';
}

export function joinPath(folder: string, relative: string): string {
  if (relative === '') return folder;
  if (folder === '') return relative;
  return folder.endsWith('/') ? folder + relative : `${folder}/${relative}`;
}

/** The path relative to `folder` (`''` for the folder itself); undefined if it is outside. */
export function relativeInside(folder: string, path: string, ignoreCase: boolean): string | undefined {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  if (fold(folder) === fold(path)) return '';
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return fold(path).startsWith(fold(prefix)) ? path.slice(prefix.length) : undefined;
}

/**
 * True if an open file is the one judged by its real path, since parent folders may have become links. Uses the
 * system's path of the open file; otherwise the path must have no links and the same identity before and after.
 * Never throws.
 */
export async function isJudgedFile(open: OpenFile, realPath: string, access: FileSystem): Promise<boolean> {
  const liesAt = open.realPath;
  if (liesAt !== undefined) return liesAt === realPath;
  try {
    const before = await access.realPath(realPath);
    const { type, identity } = await access.stat(realPath);
    const after = await access.realPath(realPath);
    return before === realPath && after === realPath && type === 'file' && identity === open.stat.identity;
  } catch {
    return false;
  }
}
