import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import { readSearchSettings, type SearchSettings } from '../platform/searchSettings.ts';
import { DocumentList } from './documentList.ts';
import type { IndexedOrigin } from './files/documentName.ts';
import { FolderLinks } from './files/folderLinks.ts';
import { IndexingPoller } from './indexing/indexingPoller.ts';
import { type AddedBase, KnowledgeBases } from './knowledgeBases.ts';
import type { KnowledgeOptions } from './indexing/indexingSettings.ts';
import type { LocalFiles } from './files/localFiles.ts';
import { Manifests } from './manifest/manifests.ts';
import type { ManifestStorage } from './manifest/manifestStorage.ts';
import type { SourceChecker } from './sources/sourceChecker.ts';
import { searchKnowledge, type SearchOutcome, type SearchRequest } from './searchKnowledge.ts';
import { type Processes, Uploads } from './upload/uploads.ts';

export interface KnowledgeDependencies {
  client: PlatformClient;
  origin: string;
  files: LocalFiles;
  sources: SourceChecker;
  storage: ManifestStorage;
  options(): KnowledgeOptions;
  searchSettings(datasetId: string): unknown;
  addedBases(): readonly AddedBase[];
  clock: Clock;
  newId(): string;
  /** A run belongs to the process that began it; other windows leave it alone. */
  processes: Processes;
  log: Log;
}

const paceMs = 100;

export class Knowledge implements Disposable {
  private readonly closing = new AbortController();
  private readonly changes: PacedChanges;
  /** Without `datasetId`, the list of knowledge bases has changed. */
  readonly onDidChange: PacedChanges['event'];
  private readonly ended = new Emitter<string>();
  /** A run that the user confirmed for the knowledge base has ended. */
  readonly onDidUpload = this.ended.event;
  private readonly manifests: Manifests;
  private readonly lists = new Map<string, DocumentList>();
  readonly bases: KnowledgeBases;
  readonly links: FolderLinks;
  readonly sources: SourceChecker;
  readonly uploads: Uploads;
  readonly indexing: IndexingPoller;

  constructor(private readonly deps: KnowledgeDependencies) {
    const { client, storage, origin, clock, log } = deps;
    const { signal: closing } = this.closing;
    this.sources = deps.sources;
    this.changes = new PacedChanges(clock);
    this.onDidChange = this.changes.event;
    this.manifests = new Manifests(storage, origin, log);
    this.links = new FolderLinks(storage, origin);
    this.bases = new KnowledgeBases({
      client,
      added: () => this.deps.addedBases(),
      closing,
      onChange: () => this.changes.tell(undefined),
      onDeleted: (datasetId) => this.forget(datasetId),
    });
    const parts = { ...deps, closing, manifests: this.manifests, list: (id: string) => this.documents(id) };
    this.indexing = new IndexingPoller(parts);
    this.uploads = new Uploads({
      ...parts,
      onSent: () => this.indexing.start(),
      onEnded: (datasetId, isAutomatic) => {
        void this.bases.refresh(datasetId);
        if (!isAutomatic) this.ended.fire(datasetId);
      },
    });
  }

  documents(datasetId: string): DocumentList {
    let list = this.lists.get(datasetId);
    if (!list) {
      const onChange = () => this.changes.tell(datasetId);
      list = new DocumentList({
        ...this.deps,
        datasetId,
        manifests: this.manifests,
        bases: this.bases,
        onChange,
      });
      this.lists.set(datasetId, list);
    }
    return list;
  }

  /** Searches several knowledge bases and merges the results, best first. Failed ones are listed. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome> {
    const { client, sources, log } = this.deps;
    const searchSettings = (id: string) => this.searchSettings(id);
    return searchKnowledge(
      { client, log, sources, searchSettings, bases: this.bases, manifests: this.manifests },
      request,
      signal,
    );
  }

  searchSettings(datasetId: string): SearchSettings | undefined {
    return readSearchSettings(this.deps.searchSettings(datasetId));
  }

  originOf(datasetId: string, documentId: string): Promise<IndexedOrigin | undefined> {
    return this.manifests.originOf(datasetId, documentId);
  }

  dispose(): void {
    this.closing.abort();
    this.indexing.dispose();
    this.changes.dispose();
  }

  private async forget(datasetId: string): Promise<void> {
    this.lists.delete(datasetId);
    this.uploads.forget(datasetId);
    await (await this.manifests.of(datasetId)).clear();
    await this.links.removeAllOf(datasetId);
  }
}

/** Fires the first change at once, and further ones about ten times a second, per knowledge base. */
class PacedChanges implements Disposable {
  private readonly emitter = new Emitter<{ datasetId?: string }>();
  readonly event = this.emitter.event;
  private readonly waiting = new Map<string | undefined, { timer: Disposable; isDirty: boolean }>();
  private isDisposed = false;

  constructor(private readonly clock: Clock) {}

  tell(datasetId: string | undefined): void {
    if (this.isDisposed) return;
    const waiting = this.waiting.get(datasetId);
    if (waiting) waiting.isDirty = true;
    else this.fire(datasetId);
  }

  dispose(): void {
    this.isDisposed = true;
    for (const { timer } of this.waiting.values()) timer.dispose();
    this.waiting.clear();
  }

  private fire(datasetId: string | undefined): void {
    const timer = this.clock.after(paceMs, () => {
      const isDirty = this.waiting.get(datasetId)?.isDirty;
      this.waiting.delete(datasetId);
      if (isDirty) this.fire(datasetId);
    });
    this.waiting.set(datasetId, { timer, isDirty: false });
    this.emitter.fire(datasetId === undefined ? {} : { datasetId });
  }
}
