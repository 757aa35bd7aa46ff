import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import { readSearchSettings, type SearchSettings } from '../platform/searchSettings.ts';
import { DocumentList } from './documentList.ts';
import type { DocumentOrigin } from './documentName.ts';
import { FolderLinks } from './folderLinks.ts';
import { IndexingPoller } from './indexingPoller.ts';
import { KnowledgeBases } from './knowledgeBases.ts';
import type { KnowledgeOptions } from './knowledgeOptions.ts';
import type { LocalFiles } from './localFiles.ts';
import { Manifests } from './manifests.ts';
import type { ManifestStorage } from './manifestStorage.ts';
import { PacedChanges } from './pacedChanges.ts';
import { searchKnowledge, type SearchOutcome, type SearchRequest } from './searchKnowledge.ts';
import { type Processes, Uploads } from './uploads.ts';

export interface KnowledgeDependencies {
  client: PlatformClient;
  /** Of the platform; manifests are separated by it. */
  origin: string;
  files: LocalFiles;
  storage: ManifestStorage;
  options(): KnowledgeOptions;
  /** How the user has a knowledge base searched, as it was stored. */
  searchSettings(datasetId: string): unknown;
  /** `now` in milliseconds since the epoch. */
  clock: Clock;
  newId(): string;
  /** A run belongs to the process that began it; another window of the same workspace leaves it alone. */
  processes: Processes;
  log: Log;
}

/** The knowledge bases of the connected platform: what there is, what is being sent, how far indexing is. */
export class Knowledge implements Disposable {
  private readonly closing = new AbortController();
  private readonly changes: PacedChanges;
  /** Tells when to read the state of a part again; without `datasetId`, that the list of knowledge bases changed. */
  readonly onDidChange: PacedChanges['event'];
  private readonly manifests: Manifests;
  private readonly lists = new Map<string, DocumentList>();
  readonly bases: KnowledgeBases;
  /** Folders of this workspace that are synced with a knowledge base. */
  readonly links: FolderLinks;
  readonly uploads: Uploads;
  /** Of what was sent, also by an earlier window. */
  readonly indexing: IndexingPoller;

  constructor(private readonly deps: KnowledgeDependencies) {
    const { client, storage, origin, clock, log } = deps;
    const { signal: closing } = this.closing;
    this.changes = new PacedChanges(clock);
    this.onDidChange = this.changes.event;
    this.manifests = new Manifests(storage, origin, log);
    this.links = new FolderLinks(storage, origin);
    this.bases = new KnowledgeBases({
      client,
      closing,
      onChange: () => this.changes.tell(undefined),
      onDeleted: (datasetId) => this.forget(datasetId),
    });
    const parts = { ...deps, closing, manifests: this.manifests, list: (id: string) => this.documents(id) };
    this.indexing = new IndexingPoller(parts);
    this.uploads = new Uploads({
      ...parts,
      onSent: () => this.indexing.start(),
      onEnded: (datasetId) => void this.bases.refresh(datasetId),
    });
  }

  /** Of one knowledge base: what was loaded, and what is on its way there. */
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

  /** Asks several knowledge bases and merges what they find, best first. A base that fails is named, not fatal. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome> {
    const { client, log } = this.deps;
    const searchSettings = (id: string) => this.searchSettings(id);
    return searchKnowledge(
      { client, log, searchSettings, bases: this.bases, manifests: this.manifests },
      request,
      signal,
    );
  }

  /** What is set here of how a knowledge base is searched; undefined where all is left to it. */
  searchSettings(datasetId: string): SearchSettings | undefined {
    return readSearchSettings(this.deps.searchSettings(datasetId));
  }

  /** Where a document came from, if this workspace sent it. */
  originOf(datasetId: string, documentId: string): Promise<DocumentOrigin | undefined> {
    return this.manifests.originOf(datasetId, documentId);
  }

  dispose(): void {
    this.closing.abort();
    this.indexing.dispose();
    this.changes.dispose();
  }

  /** The knowledge base is no more. */
  private async forget(datasetId: string): Promise<void> {
    this.lists.delete(datasetId);
    this.uploads.forget(datasetId);
    await (await this.manifests.of(datasetId)).clear();
    await this.links.removeAllOf(datasetId);
  }
}
