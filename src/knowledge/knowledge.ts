import type { Disposable } from '../base/disposable.ts';
import type { SwitchboardError } from '../base/errors.ts';
import type { Event } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import type { IndexingSettings, NewDataset, PlatformClient } from '../platform/platformClient.ts';
import type { Dataset, DocumentRecord, ProcessRule } from '../platform/records.ts';
import type { LocalFiles } from './localFiles.ts';
import type { ManifestStorage } from './manifestStorage.ts';

/**
 * The knowledge bases of the connected platform as screens see them: what there is, what is being sent, how far
 * indexing is. All state lives here; screens read it and are told by `onDidChange` when to read again.
 */
export interface Knowledge extends Disposable {
  /** `datasetId` is absent when the list of knowledge bases itself changed. */
  readonly onDidChange: Event<{ datasetId?: string }>;

  readonly bases: BasesState;
  /** Reads the list anew; resolves with it. Throws a `SwitchboardError`, which `bases` then also holds. */
  loadBases(signal: AbortSignal): Promise<readonly Dataset[]>;
  createBase(dataset: NewDataset, signal: AbortSignal): Promise<Dataset>;
  renameBase(datasetId: string, name: string, signal: AbortSignal): Promise<void>;
  deleteBase(datasetId: string, signal: AbortSignal): Promise<void>;

  /** What was loaded of a knowledge base's documents, and what is on its way there, newest news first known. */
  documents(datasetId: string): DocumentsState;
  /** Loads the next page, or the first one anew when there is no next. */
  loadDocuments(datasetId: string, signal: AbortSignal): Promise<void>;
  /** Shows only documents whose name holds the keyword (the server filters); undefined shows all. Forgets the pages. */
  filterDocuments(datasetId: string, keyword: string | undefined): void;
  setEnabled(datasetId: string, documentId: string, isEnabled: boolean, signal: AbortSignal): Promise<void>;
  deleteDocuments(datasetId: string, documentIds: readonly string[], signal: AbortSignal): Promise<void>;

  /** Looks at everything and sends nothing: what would go, how, what is left out, what would be removed. */
  plan(request: AddRequest, signal: AbortSignal, onProgress?: (looked: number) => void): Promise<UploadPlan>;
  /** Does what was confirmed. One failure never stops the rest. Cancelling leaves what was sent. Never throws. */
  run(
    plan: UploadPlan,
    confirmed: Confirmed,
    signal: AbortSignal,
    onProgress?: (progress: RunProgress) => void,
  ): Promise<UploadReport>;
  /** Whether something failed in this window and was not sent since. */
  readonly hasFailed: boolean;
  /**
   * What failed in runs of this window and can be tried again, as plans of nothing else. A knowledge base that cannot be
   * asked is named and does not keep the others; of one that was deleted nothing is remembered any more.
   */
  planRetry(signal: AbortSignal): Promise<RetryPlans>;
  /** Runs that a closed window or a killed process left unfinished. */
  interrupted(): Promise<readonly InterruptedRun[]>;
  /**
   * Finishes one: finds out what had arrived, then sends the rest. Throws a `SwitchboardError` when that cannot be
   * found out; the run is then still there.
   */
  resume(
    run: InterruptedRun,
    signal: AbortSignal,
    onProgress?: (progress: RunProgress) => void,
  ): Promise<UploadReport>;
  /** Forgets it; what was sent stays. */
  discard(run: InterruptedRun): Promise<void>;

  /** Folders of this workspace that are kept in step with a knowledge base. */
  links(): Promise<readonly FolderLink[]>;
  link(link: FolderLink): Promise<void>;
  unlink(link: FolderLink): Promise<void>;

  /** Where a document came from, if this workspace sent it. */
  originOf(datasetId: string, documentId: string): Promise<DocumentOrigin | undefined>;

  /** Asks several knowledge bases and merges what they find, best first. A base that fails is named, not fatal. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome>;

  /** Watches what is being indexed until nothing is pending; also what an earlier window left pending. */
  watchIndexing(): void;
}

export interface KnowledgeDependencies {
  client: PlatformClient;
  /** Of the platform; manifests are kept apart by it. */
  origin: string;
  files: LocalFiles;
  storage: ManifestStorage;
  options(): KnowledgeOptions;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** A run belongs to the process that began it; another window of the same workspace leaves it alone. */
  processes: Processes;
  log: Log;
  /** Calls back once after so many milliseconds; for the growing pauses of watching. Returns how to take it back. */
  later(ms: number, callback: () => void): Disposable;
}

export interface Processes {
  /** Names this one. */
  own: string;
  /** Whether another one is still there. */
  isRunning(process: string): boolean;
}

/** Settings `switchboard.knowledge.*`. */
export interface KnowledgeOptions {
  processRule: ProcessRule;
  technique: IndexingSettings['technique'];
  /** How many documents are sent at a time. */
  concurrency: number;
  maxFileSizeBytes: number;
  /** Globs. */
  exclude: readonly string[];
}

export interface BasesState {
  type: 'notLoaded' | 'loading' | 'ready' | 'failed';
  datasets: readonly Dataset[];
  error?: SwitchboardError;
}

export interface DocumentsState {
  type: 'notLoaded' | 'loading' | 'ready' | 'failed';
  /** Those on their way first, then as the server orders them; a document is listed once. */
  documents: readonly KnowledgeDocument[];
  hasMore: boolean;
  /** Those this workspace sent whose indexing does not move, whatever is filtered. */
  stuck: readonly KnowledgeDocument[];
  total?: number;
  keyword?: string;
  error?: SwitchboardError;
}

/** A document as a screen shows it, from before it is sent until it is indexed. */
export interface KnowledgeDocument {
  /** The platform's id, or for one that is not there yet a name of our own. */
  id: string;
  name: string;
  /** Undefined as long as the platform does not have it. */
  record?: DocumentRecord;
  status: DocumentStatus;
  origin?: DocumentOrigin;
}

export type DocumentStatus =
  | { type: 'toSend' }
  | { type: 'sending'; sentBytes: number; totalBytes: number }
  | { type: 'notSent'; error: SwitchboardError }
  | { type: 'waiting' }
  /** Parsing, cleaning, splitting. */
  | { type: 'preparing' }
  | { type: 'indexing'; done?: number; of?: number }
  | { type: 'indexed'; segments?: number }
  /** The platform says it is available, yet no segment came of it. */
  | { type: 'empty' }
  | { type: 'failed'; reason?: string }
  /** Nothing has moved for minutes; `waiting` when no worker took it up, `indexing` when it stopped midway. */
  | {
      type: 'stuck';
      at: 'waiting' | 'indexing';
      /** For how long nothing has moved. */
      sinceMs: number;
    }
  | { type: 'paused' }
  | { type: 'disabled' }
  | { type: 'archived' };

/** A file, or lines of it, in this workspace. */
export interface DocumentOrigin {
  /** As people name it: below its workspace folder, led by the folder's name where there are several. */
  path: string;
  /** 1-based and inclusive, for a selection. */
  lines?: { start: number; end: number };
}

export interface AddRequest {
  datasetId: string;
  /** Absolute paths of files and folders, or text that was selected. */
  targets: readonly AddTarget[];
  /** A sync looks for what is gone, too; `targets` is then the one linked folder. */
  isSync: boolean;
}

export type AddTarget =
  | { type: 'path'; path: string }
  /** `path` is absolute; `text` is what the editor shows. */
  | { type: 'selection'; path: string; startLine: number; endLine: number; text: string };

export interface UploadPlan {
  dataset: Dataset;
  documents: readonly PlannedDocument[];
  leftOut: readonly LeftOut[];
  /** Documents whose files are gone; only in a sync. */
  removals: readonly PlannedRemoval[];
  /** Documents of this manifest that the sync keeps. */
  keeps: number;
  settings: IndexingSettings;
  isSync: boolean;
}

export interface PlannedDocument {
  /** Unique in the plan, and the same in the next one. */
  id: string;
  origin: DocumentOrigin;
  /** Its name on the platform. */
  name: string;
  /** Source code goes as text, what the platform can read goes as the file itself. */
  how: 'file' | 'text';
  bytes: number;
  change: 'new' | 'changed' | 'unchanged' | 'conflict';
  /**
   * `taken`: the knowledge base has a document of this name that this workspace did not send; sending replaces it.
   * `changed-there`: somebody replaced the document since. `deleted-there`: somebody deleted it since.
   */
  conflict?: 'taken' | 'changed-there' | 'deleted-there';
  /** The path it had when it was sent. */
  renamedFrom?: string;
  source: PlannedSource;
  /** The document that would be replaced, as it was when the plan was made. */
  replaces?: DocumentRecord;
  /** A sentence for the user: `Unsaved changes are not sent.` */
  note?: string;
  /** Whether it goes unless the user says otherwise. */
  isSelected: boolean;
}

/** What is read when a document is sent, and what it was when the plan was made. */
export type PlannedSource =
  | { type: 'file'; realPath: string; size: number; mtimeMs: number; hash: string }
  | { type: 'selection'; realPath: string; size: number; text: string; hash: string };

export interface LeftOut {
  path: string;
  reason: 'policy' | 'excluded' | 'too-large' | 'type' | 'empty' | 'binary' | 'secret' | 'unreadable';
  /** For the user. */
  sentence: string;
}

export interface PlannedRemoval {
  documentId: string;
  name: string;
  path: string;
  /** `renamed`: its content is sent under another name. */
  reason: 'removed' | 'renamed' | 'left-out';
}

export interface Confirmed {
  /** Ids of the planned documents to send. */
  send: readonly string[];
  /** Ids of the platform's documents to delete. */
  remove: readonly string[];
}

export interface RunProgress {
  done: number;
  total: number;
  /** The name of a document on its way. */
  current?: string;
  /** Nothing is sent for so long. */
  pause?: SendingPause;
}

/** `limit`: the platform takes no more requests for now. `offline`: it cannot be reached. `failing`: it has internal errors. */
export interface SendingPause {
  reason: 'limit' | 'offline' | 'failing';
  ms: number;
}

export interface UploadReport {
  dataset: Dataset;
  /** Names. */
  added: readonly string[];
  updated: readonly string[];
  removed: readonly string[];
  failed: readonly { name: string; error: SwitchboardError; isRemoval: boolean }[];
  /** How many were not begun because the user stopped. */
  notSent: number;
  isCancelled: boolean;
}

export interface RetryPlans {
  plans: readonly UploadPlan[];
  problems: readonly { datasetName: string; error: SwitchboardError }[];
}

export interface InterruptedRun {
  id: string;
  datasetId: string;
  datasetName: string;
  sent: number;
  left: number;
  startedAtMs: number;
}

export interface FolderLink {
  /** As people name it; empty for the only workspace folder. */
  folder: string;
  /** Absolute. */
  path: string;
  datasetId: string;
  datasetName: string;
}

export interface SearchRequest {
  datasetIds: readonly string[];
  query: string;
  /** How many segments in all. */
  topK: number;
}

export interface SearchOutcome {
  results: readonly SearchResult[];
  failures: readonly { datasetId: string; error: SwitchboardError }[];
  /** The query was longer than the server takes and was cut to this. */
  cutQuery?: string;
}

export interface SearchResult {
  datasetId: string;
  datasetName: string;
  documentId: string;
  documentName: string;
  segmentId: string;
  /** 1-based place in the document. */
  position?: number;
  content: string;
  score?: number;
  origin?: DocumentOrigin;
}
