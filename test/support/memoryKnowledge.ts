// `Knowledge`'s dependencies in memory: files, manifests and a manual clock.
import { Readable } from 'node:stream';
import { Knowledge, type KnowledgeDependencies } from '../../src/knowledge/knowledge.ts';
import type { KnowledgeOptions } from '../../src/knowledge/indexing/indexingSettings.ts';
import type {
  LocalFile,
  LocalFiles,
  OpenLocalFile,
  RefusedFile,
} from '../../src/knowledge/files/localFiles.ts';
import type { ManifestStorage } from '../../src/knowledge/manifest/manifestStorage.ts';
import type { UploadPlan } from '../../src/knowledge/upload/uploadPlan.ts';
import type { UploadReport } from '../../src/knowledge/upload/uploadResults.ts';
import type { CommittedFile } from '../../src/tools/files/workspace.ts';
import { SourceChecker } from '../../src/knowledge/sources/sourceChecker.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { ManualClock } from './manualClock.ts';
import { MemoryPlatform } from './memoryPlatform.ts';
import { MemoryWorkspace } from './memoryWorkspace.ts';
import { silentLog } from './silentLog.ts';

export interface MemoryLocalFile {
  content: string | Uint8Array;
  mtimeMs: number;
  isUnsaved?: boolean;
  /** Opening fails with this. */
  refused?: RefusedFile;
  /** Reading ends with this. */
  breaks?: Error;
}

/** Files of one workspace folder, `/work`, named `app`. */
export class MemoryLocalFiles implements LocalFiles {
  readonly entries = new Map<string, MemoryLocalFile>();
  readonly opened: string[] = [];
  stillOpen = 0;
  /** Runs before each operation; a test may block it. */
  before: () => Promise<void> = async () => {};

  constructor(contents: Record<string, string | Uint8Array> = {}) {
    for (const [path, content] of Object.entries(contents)) this.set(path, content);
  }

  set(path: string, content: string | Uint8Array, mtimeMs = 1000): void {
    this.entries.set(path, { content, mtimeMs });
  }

  async *walk(path: string): AsyncGenerator<LocalFile | RefusedFile, void, void> {
    await this.before();
    const shown = this.shownPath(path);
    for (const [name, entry] of this.entries) {
      if (shown !== '' && name !== shown && !name.startsWith(`${shown}/`)) continue;
      yield entry.refused ?? toLocalFile(name, entry);
    }
  }

  async open(realPath: string): Promise<OpenLocalFile | RefusedFile> {
    await this.before();
    const path = this.shownPath(realPath);
    this.opened.push(path);
    const entry = this.entries.get(path);
    if (!entry) return { path, refusal: `"${path}" doesn't exist.`, isWithheld: false };
    if (entry.refused) return entry.refused;
    const bytes = bytesOf(entry.content);
    this.stillOpen++;
    return {
      size: bytes.length,
      mtimeMs: entry.mtimeMs,
      stream: () => Readable.from(inPieces(bytes, entry.breaks), { objectMode: false }),
      head: async (length) => bytes.subarray(0, length),
      close: async () => void this.stillOpen--,
    };
  }

  async check(path: string): Promise<LocalFile | RefusedFile> {
    const shown = this.shownPath(path);
    const entry = this.entries.get(shown);
    if (!entry) return { path: shown, refusal: `"${shown}" doesn't exist.`, isWithheld: false };
    return entry.refused ?? toLocalFile(shown, entry);
  }

  workspaceName(): string {
    return 'app';
  }

  shownPath(path: string): string {
    return path.replace(/^\/work\/?/, '');
  }

  readonly commits = new Map<string, CommittedFile>();

  async committed(): Promise<ReadonlyMap<string, CommittedFile>> {
    return this.commits;
  }

  decode(bytes: Uint8Array): string | undefined {
    return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
  }
}

export class MemoryStorage implements ManifestStorage {
  readonly texts = new Map<string, string>();
  before: () => Promise<void> = async () => {};

  async read(name: string): Promise<string | undefined> {
    await this.before();
    return this.texts.get(name);
  }

  async append(name: string, line: string): Promise<void> {
    await this.before();
    this.texts.set(name, `${this.texts.get(name) ?? ''}${line}\n`);
  }

  async rewrite(name: string, edit: (text: string) => string | undefined): Promise<void> {
    await this.before();
    const text = edit(this.texts.get(name) ?? '');
    if (text !== undefined) this.texts.set(name, text);
  }

  async remove(name: string): Promise<void> {
    await this.before();
    this.texts.delete(name);
  }

  async list(): Promise<string[]> {
    return [...this.texts.keys()];
  }
}

export interface KnowledgeParts {
  files: MemoryLocalFiles;
  storage: MemoryStorage;
  platform: MemoryPlatform;
  clock: ManualClock;
  options: KnowledgeOptions;
}

/** A window; some of its parts may be an earlier window's. */
export class KnowledgeUnderTest implements KnowledgeParts {
  readonly files: MemoryLocalFiles;
  readonly storage: MemoryStorage;
  readonly platform: MemoryPlatform;
  readonly clock: ManualClock;
  readonly options: KnowledgeOptions;
  readonly knowledge: Knowledge;
  readonly logged: string[] = [];
  private readonly aborter = new AbortController();

  constructor(parts: Partial<KnowledgeParts> = {}, change: Partial<KnowledgeDependencies> = {}) {
    this.files = parts.files ?? new MemoryLocalFiles();
    this.storage = parts.storage ?? new MemoryStorage();
    this.platform = parts.platform ?? new MemoryPlatform();
    this.clock = parts.clock ?? laterClock();
    this.options = parts.options ?? {
      processRule: { mode: 'automatic' },
      technique: 'economical',
      concurrency: 2,
      maxFileSizeBytes: 1_000_000,
      exclude: [],
    };
    let ids = 0;
    const log = (message: string) => void this.logged.push(message);
    this.knowledge = new Knowledge({
      client: this.platform.client,
      origin: 'https://platform.example.com',
      files: this.files,
      sources: memorySources(this.files),
      storage: this.storage,
      options: () => this.options,
      searchSettings: () => undefined,
      addedBases: () => [],
      clock: this.clock,
      processes: { own: 'this', isRunning: () => false },
      newId: () => `${this.clock.now()}-${++ids}`,
      log: { debug: log, info: log, warn: log, error: log },
      ...change,
    });
  }

  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  stop(): void {
    this.aborter.abort();
  }

  plan(path = '/work', isSync = false): Promise<UploadPlan> {
    const { id: datasetId } = this.platform.dataset;
    return this.knowledge.uploads.plan({ datasetId, targets: [{ type: 'path', path }], isSync }, this.signal);
  }

  runSelected(plan: UploadPlan): Promise<UploadReport> {
    return this.knowledge.uploads.run(plan, allSelected(plan), this.signal);
  }

  async sendAll(path?: string, isSync?: boolean): Promise<UploadReport> {
    return this.runSelected(await this.plan(path, isSync));
  }
}

/** Judges sources by the files as they are now. */
function memorySources({ entries }: MemoryLocalFiles): SourceChecker {
  const workspace = new MemoryWorkspace();
  for (const [path, { content }] of entries) workspace.memory.set(`/work/${path}`, content);
  const files = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  return new SourceChecker({ files, log: silentLog });
}

export function allSelected(plan: UploadPlan): { send: string[]; remove: string[] } {
  return {
    send: plan.documents.filter(({ isSelected }) => isSelected).map(({ id }) => id),
    remove: plan.removals.map(({ documentId }) => documentId),
  };
}

/** Advances the clock until the promise settles; other work gets a turn at each step. */
export async function passTime<T>(clock: ManualClock, promise: Promise<T>, stepMs = 100): Promise<T> {
  const progress = { isSettled: false };
  const settled = () => void (progress.isSettled = true);
  promise.then(settled, settled);
  while (!progress.isSettled) {
    await turn();
    if (!progress.isSettled) clock.advance(stepMs);
  }
  return promise;
}

/** Completes everything that doesn't wait for the clock. */
export async function settle(): Promise<void> {
  for (let count = 0; count < 20; count++) await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Long after the files were changed. */
export function laterClock(): ManualClock {
  const clock = new ManualClock();
  clock.advance(1_000_000);
  return clock;
}

function toLocalFile(path: string, { content, mtimeMs, isUnsaved = false }: MemoryLocalFile): LocalFile {
  return { realPath: `/work/${path}`, path, size: bytesOf(content).length, mtimeMs, isUnsaved };
}

function bytesOf(content: string | Uint8Array): Buffer {
  return Buffer.from(content);
}

function* inPieces(bytes: Uint8Array, breaks: Error | undefined): Generator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  if (breaks) throw breaks;
}
