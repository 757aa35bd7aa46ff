import type { Clock } from '../base/clock.ts';
import type { NewDataset } from '../platform/platformClient.ts';
import { messageOf } from '../base/messageOf.ts';
import { isApiAccessOff } from '../platform/platformErrors.ts';
import type { Dataset } from '../platform/records.ts';
import { DocumentList } from './documentList.ts';
import { FolderLinks } from './folderLinks.ts';
import { IndexingWatch } from './indexingWatch.ts';
import type {
  AddRequest,
  BasesState,
  Confirmed,
  DocumentOrigin,
  DocumentsState,
  FolderLink,
  InterruptedRun,
  Knowledge,
  KnowledgeDependencies,
  RetryPlans,
  RunProgress,
  SearchOutcome,
  SearchRequest,
  UploadPlan,
  UploadReport,
} from './knowledge.ts';
import { KnowledgeBases } from './knowledgeBases.ts';
import { isGone } from './lookAtIndexing.ts';
import { Manifests } from './manifests.ts';
import { PacedChanges } from './pacedChanges.ts';
import { searchKnowledge } from './searchKnowledge.ts';
import { toError } from './toError.ts';
import { Uploads } from './uploads.ts';

export function createKnowledge(deps: KnowledgeDependencies): Knowledge {
  return new ConnectedKnowledge(deps);
}

/** Joins the parts; each of them holds its own state. */
class ConnectedKnowledge implements Knowledge {
  private readonly changes: PacedChanges;
  readonly onDidChange: Knowledge['onDidChange'];
  private readonly manifests: Manifests;
  private readonly folderLinks: FolderLinks;
  private readonly knowledgeBases: KnowledgeBases;
  private readonly lists = new Map<string, DocumentList>();
  private readonly watch: IndexingWatch;
  private readonly uploads: Uploads;
  private readonly closing = new AbortController();
  constructor(private readonly deps: KnowledgeDependencies) {
    const { client, storage, origin } = deps;
    const clock: Clock = { now: () => deps.now(), after: (ms, call) => deps.later(ms, call) };
    this.changes = new PacedChanges((ms, call) => deps.later(ms, call));
    this.onDidChange = this.changes.event;
    this.manifests = new Manifests(storage, origin, deps.log);
    this.folderLinks = new FolderLinks(storage, origin);
    this.knowledgeBases = new KnowledgeBases(client, () => this.changes.tell(undefined));
    this.watch = new IndexingWatch({
      client,
      manifests: () => this.manifests.all(),
      list: (datasetId) => this.list(datasetId),
      clock,
      log: deps.log,
    });
    this.uploads = new Uploads({
      ...deps,
      manifests: this.manifests,
      clock,
      list: (datasetId) => this.list(datasetId),
      closing: this.closing.signal,
      onSent: () => this.watch.start(),
      onEnded: (datasetId) => void this.knowledgeBases.refresh(datasetId, this.closing.signal),
    });
  }

  get bases(): BasesState {
    return this.knowledgeBases.state;
  }

  loadBases(signal: AbortSignal): Promise<readonly Dataset[]> {
    return this.knowledgeBases.load(signal);
  }

  createBase(dataset: NewDataset, signal: AbortSignal): Promise<Dataset> {
    return this.knowledgeBases.create(dataset, signal);
  }

  renameBase(datasetId: string, name: string, signal: AbortSignal): Promise<void> {
    return this.knowledgeBases.rename(datasetId, name, signal);
  }

  async deleteBase(datasetId: string, signal: AbortSignal): Promise<void> {
    await this.knowledgeBases.delete(datasetId, signal);
    this.lists.delete(datasetId);
    this.uploads.forget(datasetId);
    await (await this.manifests.of(datasetId)).clear();
    await this.folderLinks.removeAllOf(datasetId);
  }

  documents(datasetId: string): DocumentsState {
    return this.list(datasetId).state;
  }

  async loadDocuments(datasetId: string, signal: AbortSignal): Promise<void> {
    // Where its documents came from is shown with them.
    await this.manifests.of(datasetId).catch(this.unread);
    const list = this.list(datasetId);
    try {
      await list.load(signal);
    } catch (error) {
      this.knowledgeBases.failed(datasetId, error);
      throw error;
    }
    const { keyword, total } = list.state;
    if (keyword === undefined && total !== undefined) this.knowledgeBases.counted(datasetId, total);
  }

  filterDocuments(datasetId: string, keyword: string | undefined): void {
    this.list(datasetId).filter(keyword);
  }

  async setEnabled(
    datasetId: string,
    documentId: string,
    isEnabled: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const action = isEnabled ? 'enable' : 'disable';
    await this.deps.client.documents.setStatus(datasetId, [documentId], action, signal);
    this.list(datasetId).update([documentId], (record) => ({
      ...record,
      isEnabled,
      display: isEnabled ? 'available' : 'disabled',
    }));
  }

  async deleteDocuments(
    datasetId: string,
    documentIds: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const manifest = await this.manifests.of(datasetId);
    let failure: unknown;
    for (const documentId of documentIds) {
      try {
        await this.deps.client.documents.delete(datasetId, documentId, signal).catch((error: unknown) => {
          if (!isGone(error)) throw error;
        });
        this.list(datasetId).removed([documentId]);
        if (manifest.state.byId.has(documentId)) {
          await manifest.append({ type: 'removed', at: this.deps.now(), documentId });
        }
      } catch (error) {
        if (signal.aborted) throw toError(error);
        failure ??= error;
      }
    }
    void this.knowledgeBases.refresh(datasetId, this.closing.signal);
    if (failure !== undefined) throw toError(failure);
  }

  async plan(
    request: AddRequest,
    signal: AbortSignal,
    onProgress: (looked: number) => void = () => {},
  ): Promise<UploadPlan> {
    try {
      return await this.uploads.plan(request, signal, onProgress);
    } catch (error) {
      throw toError(error);
    }
  }

  run(
    plan: UploadPlan,
    confirmed: Confirmed,
    signal: AbortSignal,
    onProgress: (progress: RunProgress) => void = () => {},
  ): Promise<UploadReport> {
    return this.uploads.run(plan, confirmed, signal, onProgress);
  }

  get hasFailed(): boolean {
    return this.uploads.hasFailed;
  }

  planRetry(signal: AbortSignal): Promise<RetryPlans> {
    return this.uploads.planRetry(signal);
  }

  interrupted(): Promise<readonly InterruptedRun[]> {
    return this.uploads.interrupted();
  }

  resume(
    run: InterruptedRun,
    signal: AbortSignal,
    onProgress: (progress: RunProgress) => void = () => {},
  ): Promise<UploadReport> {
    return this.uploads.resume(run, signal, onProgress);
  }

  discard(run: InterruptedRun): Promise<void> {
    return this.uploads.discard(run);
  }

  links(): Promise<readonly FolderLink[]> {
    return this.folderLinks.all();
  }

  link(link: FolderLink): Promise<void> {
    return this.folderLinks.add(link);
  }

  unlink(link: FolderLink): Promise<void> {
    return this.folderLinks.remove(link);
  }

  async originOf(datasetId: string, documentId: string): Promise<DocumentOrigin | undefined> {
    const { state } = await this.manifests.of(datasetId);
    const sent = state.byId.get(documentId);
    return sent && { path: sent.path, ...(sent.lines && { lines: sent.lines }) };
  }

  async search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome> {
    // For their names and search settings; without them the search still works.
    if (this.bases.type === 'notLoaded') await this.loadBases(signal).catch(this.unread);
    const outcome = await searchKnowledge(
      {
        client: this.deps.client,
        baseOf: (datasetId) => this.knowledgeBases.find(datasetId),
        originOf: (datasetId, documentId) => this.originOf(datasetId, documentId).catch(this.unread),
      },
      request,
      signal,
    );
    for (const { datasetId, error } of outcome.failures) {
      if (isApiAccessOff(error)) this.knowledgeBases.failed(datasetId, error);
    }
    return outcome;
  }

  watchIndexing(): void {
    this.watch.start();
  }

  dispose(): void {
    this.closing.abort();
    this.watch.dispose();
    this.changes.dispose();
  }

  /** What only adds to what is shown is shown without it. */
  private readonly unread = (error: unknown): undefined => {
    this.deps.log.warn(`Left out of what is shown: ${messageOf(error)}`);
  };

  private list(datasetId: string): DocumentList {
    let list = this.lists.get(datasetId);
    if (!list) {
      list = new DocumentList(
        this.deps.client,
        datasetId,
        () => this.manifests.known(datasetId),
        () => this.changes.tell(datasetId),
      );
      this.lists.set(datasetId, list);
    }
    return list;
  }
}
