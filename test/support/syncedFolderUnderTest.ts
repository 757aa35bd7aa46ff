// A folder in step, its repository and its windows in memory.
import {
  SyncedFolder,
  type FolderRepository,
  type Uncommitted,
} from '../../src/knowledge/autoSync/syncedFolder.ts';
import type { SyncTerms } from '../../src/knowledge/autoSync/syncTerms.ts';
import { documentName } from '../../src/knowledge/files/documentName.ts';
import { uploadMethod } from '../../src/knowledge/upload/inspectFile.ts';
import type { PlatformClient } from '../../src/platform/platformClient.ts';
import {
  KnowledgeUnderTest,
  laterClock,
  MemoryLocalFiles,
  MemoryStorage,
  settle,
} from './memoryKnowledge.ts';
import { MemoryPlatform } from './memoryPlatform.ts';

type Tree = ReadonlyMap<string, string>;

/** Commits and branches of `/work`. Like Git, it keeps uncommitted changes at a checkout. */
export class MemoryRepository implements FolderRepository {
  branch = 'main';
  isMerging = false;
  isThere = true;
  private readonly commits: Tree[] = [new Map()];
  private readonly branches = new Map([['main', 0]]);

  constructor(private readonly files: MemoryLocalFiles) {}

  get tree(): Tree {
    return this.commits[this.branches.get(this.branch) ?? 0] ?? new Map();
  }

  commit(): void {
    this.commits.push(this.onDisk());
    this.branches.set(this.branch, this.commits.length - 1);
  }

  /** Like `git reset --soft`. */
  reset(commit: number): void {
    this.branches.set(this.branch, commit);
  }

  checkout(branch: string, mtimeMs: number): void {
    const from = this.tree;
    if (!this.branches.has(branch)) this.branches.set(branch, this.branches.get(this.branch) ?? 0);
    this.branch = branch;
    const disk = this.onDisk();
    for (const path of new Set([...from.keys(), ...this.tree.keys()])) {
      const wanted = this.tree.get(path);
      if (from.get(path) === wanted || disk.get(path) !== from.get(path)) continue;
      if (wanted === undefined) this.files.entries.delete(path);
      else this.files.set(path, wanted, mtimeMs);
    }
  }

  async head() {
    const { branch, isMerging } = this;
    return this.isThere ? { commit: idOf(this.branches.get(branch) ?? 0), branch, isMerging } : undefined;
  }

  async changedBetween(from: string, to: string): Promise<readonly string[] | undefined> {
    const [before, after] = [from, to].map((id) => this.commits[Number(id)] ?? new Map<string, string>());
    return differing(before ?? new Map(), after ?? new Map()).map((path) => `/work/${path}`);
  }

  async uncommitted(): Promise<Uncommitted> {
    const paths = differing(this.tree, this.onDisk());
    const isThere = (path: string) => this.files.entries.has(path);
    return {
      changed: new Set(paths.filter(isThere).map((path) => `/work/${path}`)),
      deleted: paths.filter((path) => !isThere(path)).map((path) => `/work/${path}`),
    };
  }

  private onDisk(): Map<string, string> {
    return new Map([...this.files.entries].map(([path, { content }]) => [path, String(content)]));
  }
}

function idOf(commit: number): string {
  return String(commit).padStart(40, '0');
}

function differing(some: Tree, others: Tree): string[] {
  return [...new Set([...some.keys(), ...others.keys()])].filter(
    (path) => some.get(path) !== others.get(path),
  );
}

const limits = { maxFiles: 5, maxBytes: 10_000, maxFileSizeBytes: 1_000_000, exclude: [] as string[] };

export class FolderUnderTest {
  readonly files = new MemoryLocalFiles();
  readonly storage = new MemoryStorage();
  readonly platform = new MemoryPlatform();
  readonly clock = laterClock();
  readonly repository = new MemoryRepository(this.files);
  readonly limits = { ...limits };
  isLocked = false;
  private window: { knowledge: KnowledgeUnderTest; folder: SyncedFolder; isDead: boolean } | undefined;
  private windows = 0;

  constructor(
    readonly terms: SyncTerms = { when: 'quiet', branch: 'main', ...limits },
    private readonly path = '/work',
  ) {
    this.platform.dataset = { ...this.platform.dataset, technique: 'economical', documentCount: 1 };
  }

  get folder(): SyncedFolder {
    if (!this.window) throw new Error('No window is open.');
    return this.window.folder;
  }

  get knowledge(): KnowledgeUnderTest {
    if (!this.window) throw new Error('No window is open.');
    return this.window.knowledge;
  }

  /** Opens the window, after linking the folder in the first one. */
  async open(): Promise<void> {
    const own = `window ${++this.windows}`;
    const life = { isDead: false };
    const { files, clock, platform, repository } = this;
    const knowledge = new KnowledgeUnderTest(
      { files, platform, clock, storage: mortal(this.storage, life) },
      {
        client: mortalClient(platform.client, life),
        processes: { own, isRunning: () => false },
      },
    );
    const { links, uploads } = knowledge.knowledge;
    if (this.windows === 1) {
      const base = { datasetId: platform.dataset.id, datasetName: platform.dataset.name };
      await links.add({ folder: '', path: this.path, ...base, auto: { terms: this.terms } });
    }
    const [link] = await links.all();
    if (!link?.auto) throw new Error('The folder is not in step.');
    const folder = new SyncedFolder(
      {
        ...{ links, uploads, files, clock },
        repository: mortal(repository, life),
        limits: () => this.limits,
        prepare: (plan) => plan,
        lock: () => this.lock(),
        log: { debug() {}, info() {}, warn() {}, error() {} },
      },
      { ...link, auto: link.auto },
    );
    this.window = Object.assign(life, { knowledge, folder });
    folder.start();
    await settle();
  }

  /** The window's process dies; what it has begun never ends. */
  kill(): void {
    if (!this.window) return;
    this.window.isDead = true;
    this.window.folder.dispose();
    this.window = undefined;
    this.isLocked = false;
  }

  private lock() {
    if (this.isLocked) return undefined;
    this.isLocked = true;
    return {
      release: async () => {
        this.isLocked = false;
      },
    };
  }

  get isOpen(): boolean {
    return this.window !== undefined;
  }

  write(path: string, content: string): void {
    this.clock.advance(10);
    this.files.set(path, content, this.clock.now());
    this.changed(path);
  }

  remove(path: string): void {
    this.files.entries.delete(path);
    this.changed(path);
  }

  rename(path: string, to: string): void {
    const entry = this.files.entries.get(path);
    if (!entry || path === to) return;
    this.files.entries.delete(path);
    this.files.entries.set(to, entry);
    this.changed(path, to);
  }

  commit(): void {
    this.repository.commit();
    this.window?.folder.tell({ type: 'moved' });
  }

  checkout(branch: string): void {
    const before = new Map(this.files.entries);
    this.repository.checkout(branch, this.clock.now());
    const paths = new Set([...before.keys(), ...this.files.entries.keys()]);
    this.changed(...[...paths].filter((path) => before.get(path) !== this.files.entries.get(path)));
    this.window?.folder.tell({ type: 'moved' });
  }

  /** Lets time pass until nothing is left to do, or for a while. */
  async pass(mostMs = 40 * 60_000): Promise<void> {
    for (let passed = 0; passed < mostMs; passed += 20_000) {
      await settle();
      const activity = this.window?.folder.state.activity;
      if (activity === undefined || activity === 'still') return;
      this.clock.advance(20_000);
    }
  }

  nameOf(path: string): string {
    const { how } = uploadMethod(path);
    return documentName({ workspace: 'app', origin: { path }, how: how === 'file' ? 'file' : 'text' });
  }

  /** Contents on the platform by document name, and names that are there more than once. */
  get documents(): { contents: Map<string, string>; twice: string[] } {
    const contents = new Map<string, string>();
    const twice: string[] = [];
    for (const { record, content } of this.platform.documents.values()) {
      if (contents.has(record.name)) twice.push(record.name);
      contents.set(record.name, content);
    }
    return { contents, twice };
  }

  get waiting(): string[] {
    return this.folder.state.waiting.map(({ path, reason }) => `${path}: ${reason}`);
  }

  private changed(...paths: string[]): void {
    if (this.terms.when === 'quiet' && paths.length > 0) {
      this.window?.folder.tell({ type: 'changed', paths: paths.map((path) => `/work/${path}`) });
    }
  }
}

/** Calls of a dead process never end. */
function mortal<T extends object>(target: T, life: { isDead: boolean }): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        if (life.isDead) return new Promise(() => undefined);
        const result: unknown = await value.apply(of, args);
        return life.isDead ? new Promise(() => undefined) : result;
      };
    },
  });
}

function mortalClient(client: PlatformClient, life: { isDead: boolean }): PlatformClient {
  return { ...client, datasets: mortal(client.datasets, life), documents: mortal(client.documents, life) };
}
