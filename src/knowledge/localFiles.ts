import type { Readable } from 'node:stream';

/** A file that the file policy lets be sent. */
export interface LocalFile {
  /** Absolute, without links; what `open` is asked with. */
  realPath: string;
  /** As people name it: below its workspace folder, led by the folder's name where there are several. */
  path: string;
  size: number;
  mtimeMs: number;
  /** The editor holds changes of it that are not on disk. */
  isUnsaved: boolean;
}

export interface RefusedFile {
  path: string;
  /** For the user. */
  refusal: string;
  /** Blocked by a rule, for certain; otherwise it may be there and only could not be read. */
  isWithheld: boolean;
}

export interface OpenLocalFile {
  size: number;
  mtimeMs: number;
  /** From the first byte; may be asked again. Closing the file ends it. */
  stream(): Readable;
  /** The first bytes, at most `length`. */
  head(length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The workspace's files as sending needs them, behind the same file policy as every tool. Met in `src/host`. */
export interface LocalFiles {
  /** The file, or all files below the folder, in a stable order; linear in their number, streaming. */
  walk(path: string, signal: AbortSignal): AsyncIterable<LocalFile | RefusedFile>;
  /** Judges the file again, opens it, and proves that it is the one that was judged. */
  open(realPath: string): Promise<OpenLocalFile | RefusedFile>;
  /** Judges a file without opening it: for selections, whose text comes from the editor. */
  check(path: string): Promise<LocalFile | RefusedFile>;
  /**
   * The name that makes this workspace's documents its own in a shared knowledge base: the workspace folder's. Empty
   * where there are several folders, since paths then begin with it.
   */
  workspaceName(path: string): string;
  /** An absolute path as people name it; empty for the only workspace folder itself. */
  shownPath(path: string): string;
  /** The bytes of a text file as text; undefined when they are not text. */
  decode(bytes: Uint8Array, realPath: string): string | undefined;
}
