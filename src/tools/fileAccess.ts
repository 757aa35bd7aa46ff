/** What lies at a path. `other` is everything that is neither file, folder nor link: sockets, pipes, devices. */
export type EntryType = 'file' | 'folder' | 'link' | 'other';

export interface FileStat {
  type: EntryType;
  /** Bytes. */
  size: number;
  /** Epoch milliseconds. */
  mtimeMs: number;
  /** Tells one file from another however they are named; absent where the file system has no such thing. */
  identity?: string;
  /** How many names it has; absent where the file system does not count. */
  links?: number;
}

export interface FileEntry {
  name: string;
  /** Of the entry itself: a link is a link, whatever it leads to. */
  type: EntryType;
}

/** An open file; what it reads is what was opened, also when the name has come to mean another file since. */
export interface OpenFile {
  stat: FileStat;
  /** Where it really lies, if the system tells that of an open file; nobody can swap that. */
  realPath?: string;
  /** Fills `into` from byte `position` on; resolves with the bytes read, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/**
 * The disk, or a virtual file system, as the tools need it. Paths are absolute, with forward slashes. Methods
 * reject with the system's own error, whose kind `fileErrorKind` tells.
 */
export interface FileAccess {
  /** The one path without links, for something that exists. */
  realPath(path: string): Promise<string>;
  /** Of the entry itself, not of what a link leads to. */
  stat(path: string): Promise<FileStat>;
  /** As `stat`, undefined if nothing is there: for the many look-ups that usually find nothing. */
  find(path: string): Promise<FileStat | undefined>;
  list(folder: string): Promise<FileEntry[]>;
  /** Never waits (a pipe opens at once) and does not follow a link at the end of the path. */
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

/** The kind of an error of Node's file system or of the editor's. */
export function fileErrorKind(error: unknown): FileErrorKind {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return kinds[code] ?? 'other';
}

/** `a/b` for a folder `a` and a relative path `b`; either may be empty. */
export function joinPath(folder: string, relative: string): string {
  if (relative === '') return folder;
  if (folder === '') return relative;
  return folder.endsWith('/') ? folder + relative : `${folder}/${relative}`;
}

/** What `path` is called inside `folder` (`''` for the folder itself), or undefined if it is not in it. */
export function relativeInside(folder: string, path: string, ignoreCase: boolean): string | undefined {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  if (fold(folder) === fold(path)) return '';
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return fold(path).startsWith(fold(prefix)) ? path.slice(prefix.length) : undefined;
}
