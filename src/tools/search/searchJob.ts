import type { RefusalReason } from '../policy/verdict.ts';
import type { PolicyRules, WorkspaceFolder } from '../files/workspace.ts';
import type { LineMatch } from './lineMatcher.ts';
import type { LinePattern } from './linePattern.ts';

export interface SearchTarget {
  folder: WorkspaceFolder;
  root: string;
  start: string;
  isFile: boolean;
  /** Relative to the root and sorted; undefined to walk the folder. */
  candidates?: readonly string[];
  encoding?: string;
}

export interface WorkerJob {
  folders: readonly WorkspaceFolder[];
  rules: PolicyRules;
  platform: NodeJS.Platform;
  targets: readonly SearchTarget[];
  include: readonly string[];
  exclude: readonly string[];
  search: { pattern: LinePattern; context: number } | undefined;
  /** Number of matches, or files when listing. */
  skip: number;
  limit: number;
  maxFileBytes: number;
  /** Texts that aren't on disk, by real path. */
  texts: ReadonlyMap<string, string>;
}

export interface FoundFile {
  shown: string;
  realPath: string;
  matches: LineMatch[];
}

export interface WorkerSummary {
  hasMore: boolean;
  withheld: ReadonlyMap<RefusalReason, number>;
  links: number;
  unreadableFolders: number;
  largeFiles: number;
}
