import type { Readable } from 'node:stream';
import type { CommittedFile } from '../../tools/files/workspace.ts';

export interface LocalFile {
  /** Absolute, with links resolved; the argument of `open`. */
  realPath: string;
  path: string;
  size: number;
  mtimeMs: number;
  isUnsaved: boolean;
}

export interface RefusedFile {
  path: string;
  refusal: string;
  /** Blocked by a rule; otherwise it only couldn't be read. */
  isWithheld: boolean;
  isMissing?: boolean;
}

export interface OpenLocalFile {
  size: number;
  mtimeMs: number;
  /** From the first byte; may be called again. Closing the file ends it. */
  stream(): Readable;
  head(length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Files to upload, behind the file policy of the tools. Implemented for the editor in `src/host`. */
export interface LocalFiles {
  /** The file, or all files below the folder, streamed in a stable order. Linear in their number. */
  walk(path: string, signal: AbortSignal): AsyncIterable<LocalFile | RefusedFile>;
  /** Checks the file again, opens it, and verifies that it is the checked one. */
  open(realPath: string): Promise<OpenLocalFile | RefusedFile>;
  check(path: string): Promise<LocalFile | RefusedFile>;
  /** The workspace folder's name; empty if there are several folders, since paths then begin with it. */
  workspaceName(path: string): string;
  shownPath(path: string): string;
  /** By real path. Never rejects unless it is aborted. */
  committed(realPaths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, CommittedFile>>;
  decode(bytes: Uint8Array, realPath: string): string | undefined;
}
