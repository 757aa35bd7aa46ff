import type { RefusalReason } from '../policy/refusal.ts';
import type { PolicyRules, WorkspaceFolder } from '../workspace.ts';
import type { LineMatch } from './matchText.ts';
import type { LinePattern } from './pattern.ts';
import type { FileResult } from './searchFile.ts';
import type { FileBatch } from './sharedSearch.ts';

/** Where to look: a file or folder below a workspace folder, already judged. */
export interface SearchTarget {
  folder: WorkspaceFolder;
  /** Real path of the folder. */
  root: string;
  start: string;
  isFile: boolean;
  /** Files that may match, relative to the root and in order; undefined: find them. */
  candidates?: readonly string[];
  /** The encoding the settings give for files that are not UTF-8. */
  encoding?: string;
}

/** All a worker needs to know; it shares nothing else with us. */
export interface WorkerJob {
  folders: readonly WorkspaceFolder[];
  rules: PolicyRules;
  platform: NodeJS.Platform;
  targets: readonly SearchTarget[];
  include: readonly string[];
  exclude: readonly string[];
  /** Undefined to list files. */
  search: { pattern: LinePattern; context: number } | undefined;
  /** Matches, or files when listing, to pass over and then to give. */
  skip: number;
  limit: number;
  maxFileBytes: number;
  /** Real path → text, of what is not on the disk as the user sees it. */
  texts: ReadonlyMap<string, string>;
}

export interface FoundFile {
  /** As models and people name it. */
  shown: string;
  realPath: string;
  /** Empty when listing. */
  matches: LineMatch[];
}

export interface WorkerSummary {
  /** There is more than `skip` and `limit` gave. */
  hasMore: boolean;
  withheld: ReadonlyMap<RefusalReason, number>;
  links: number;
  unreadableFolders: number;
  /** Too large to be searched. */
  largeFiles: number;
}

/** What a worker says: files as it finds them, and `done` once, last. */
export type WorkerMessage =
  | { type: 'found'; files: FoundFile[] }
  | { type: 'done'; summary: WorkerSummary }
  | { type: 'failed'; message: string };

/** What a worker says to a helper: the job before the first batch of it. */
export type HelperRequest = { type: 'job'; job: WorkerJob } | { type: 'batch'; id: number; batch: FileBatch };

/** What a helper says: once that it is ready, then what each batch holds. */
export type HelperMessage = { type: 'ready' } | { type: 'results'; id: number; results: FileResult[] };
