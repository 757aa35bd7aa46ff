import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/clock.ts';
import { SwitchboardError } from '../base/errors.ts';
import type { NewDataset } from '../platform/platformClient.ts';
import type { Dataset } from '../platform/records.ts';
import { DocumentList } from './documentList.ts';
import { FolderLinks } from './folderLinks.ts';
import { IndexingWatch } from './indexingWatch.ts';
import { indexingSettings } from './indexingSettings.ts';
import { interruptedRun, itemsLeft } from './interruptedRuns.ts';
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
  PlannedRemoval,
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
import { lookAtPlatform, planAgain, planUpload } from './planUpload.ts';
import { runRecord } from './runRecord.ts';
import { searchKnowledge } from './searchKnowledge.ts';
import { settleDoubts } from './settleDoubts.ts';
import { toError } from './toError.ts';
import { UploadRun, type RunOutcome, type RunWork, type SendItem } from './uploadRun.ts';

export function createKnowledge(deps: KnowledgeDependencies): Knowledge {
  return new ConnectedKnowledge(deps);
}

/** What failed in one knowledge base and was not sent since. */
interface Failures {
  items: Map<string, SendItem>;
  removals: Map<string, PlannedRemoval>;
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
  private readonly clock: Clock;
  private readonly closing = new AbortController();
  /** Ids of runs that are this window's own affair. */
  private readonly ownRuns = new Set<string>();
  /** By knowledge base: the run that the next one waits for. */
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly failures = new Map<string, Failures>();

  constructor(private readonly deps: KnowledgeDependencies) {
    const { client, storage, origin } = deps;
    this.clock = { now: () => deps.now(), after: (ms, call) => deps.later(ms, call) };
    this.changes = new PacedChanges((ms, call) => deps.later(ms, call));
    this.onDidChange = this.changes.event;
    this.manifests = new Manifests(storage, origin);
    this.folderLinks = new FolderLinks(storage, origin);
    this.knowledgeBases = new KnowledgeBases(client, () => this.changes.tell(undefined));
    this.watch = new IndexingWatch({
      client,
      manifests: () => this.manifests.all(),
      list: (datasetId) => this.list(datasetId),
      clock: this.clock,
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
    this.failures.delete(datasetId);
    await (await this.manifests.of(datasetId)).clear();
    await this.folderLinks.removeAllOf(datasetId);
  }

  documents(datasetId: string): DocumentsState {
    return this.list(datasetId).state;
  }

  async loadDocuments(datasetId: string, signal: AbortSignal): Promise<void> {
    // Where its documents came from is shown with them.
    await this.manifests.of(datasetId).catch(() => {});
    await this.list(datasetId).load(signal);
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
    if (failure !== undefined) throw toError(failure);
  }

  async plan(
    request: AddRequest,
    signal: AbortSignal,
    onProgress?: (looked: number) => void,
  ): Promise<UploadPlan> {
    const { client, files } = this.deps;
    try {
      const manifest = await this.manifests.fresh(request.datasetId);
      const needs = { client, files, manifest, options: this.deps.options() };
      let looked = 0;
      return await planUpload(needs, request, signal, () => onProgress?.(++looked));
    } catch (error) {
      throw toError(error);
    }
  }

  run(
    plan: UploadPlan,
    confirmed: Confirmed,
    signal: AbortSignal,
    onProgress?: (progress: RunProgress) => void,
  ): Promise<UploadReport> {
    const send = new Set(confirmed.send);
    const remove = new Set(confirmed.remove);
    const { dataset, settings } = plan;
    const work: RunWork = {
      ...{ id: this.deps.newId(), dataset, settings },
      items: plan.documents.filter(({ id }) => send.has(id)),
      removals: plan.removals.filter(({ documentId }) => remove.has(documentId)),
    };
    this.ownRuns.add(work.id);
    this.list(dataset.id).toSend(work.items);
    return this.runNext(work, true, signal, onProgress);
  }

  async planRetry(signal: AbortSignal): Promise<UploadPlan[]> {
    const plans: UploadPlan[] = [];
    for (const [datasetId, { items, removals }] of this.failures) {
      const manifest = await this.manifests.fresh(datasetId);
      const candidates = [...items.values()].map((item) => ({ ...item, isUnsaved: false }));
      const needs = { client: this.deps.client, options: this.deps.options(), manifest };
      const { platform, ...plan } = await planAgain(needs, datasetId, candidates, signal);
      const left = [...removals.values()].filter(({ documentId }) => platform.byId.has(documentId));
      if (plan.documents.length + left.length > 0) plans.push({ ...plan, removals: left });
    }
    return plans;
  }

  async interrupted(): Promise<readonly InterruptedRun[]> {
    const found: InterruptedRun[] = [];
    for (const [datasetId, { state }] of await this.manifests.allFresh()) {
      for (const [id, run] of state.runs) {
        if (!this.ownRuns.has(id)) found.push(interruptedRun(datasetId, run));
      }
    }
    return found;
  }

  async resume(
    { id, datasetId, datasetName }: InterruptedRun,
    signal: AbortSignal,
    onProgress?: (progress: RunProgress) => void,
  ): Promise<UploadReport> {
    const { client, files } = this.deps;
    this.ownRuns.add(id);
    try {
      const manifest = await this.manifests.fresh(datasetId);
      const run = manifest.state.runs.get(id);
      if (!run) throw notInterrupted();
      const { dataset, platform } = await lookAtPlatform(client, datasetId, signal);
      const ofRun = new Set(run.record.items.map(({ name }) => name));
      const settled = await settleDoubts(manifest, platform);
      const arrived = settled.filter(({ doubt }) => ofRun.has(doubt.name));
      if (arrived.length > 0) this.watch.start();
      const options = this.deps.options();
      const { items, problems } = await itemsLeft(files, run, platform, options.maxFileSizeBytes);
      const work: RunWork = {
        ...{ id, dataset, settings: indexingSettings(dataset, options), items },
        removals: run.record.removals.filter(({ documentId }) => run.leftRemovals.has(documentId)),
      };
      const list = this.list(datasetId);
      list.toSend(items);
      for (const { item, error } of problems) list.notSent(item, error);
      const report = await this.runNext(work, false, signal, onProgress);
      const names = (isUpdate: boolean) =>
        arrived
          .filter(({ doubt }) => (doubt.replaces !== undefined) === isUpdate)
          .map(({ doubt }) => doubt.name);
      return {
        ...report,
        added: [...names(false), ...report.added],
        updated: [...names(true), ...report.updated],
        failed: [
          ...problems.map(({ item, error }) => ({ name: item.name, error, isRemoval: false })),
          ...report.failed,
        ],
      };
    } catch (error) {
      this.ownRuns.delete(id);
      throw isGone(error) ? baseIsGone(datasetName, error) : toError(error);
    }
  }

  async discard({ id, datasetId }: InterruptedRun): Promise<void> {
    const manifest = await this.manifests.of(datasetId);
    await manifest.append({ type: 'ended', at: this.deps.now(), run: id });
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
    if (this.bases.type === 'notLoaded') await this.loadBases(signal).catch(() => {});
    return searchKnowledge(
      {
        client: this.deps.client,
        baseOf: (datasetId) => this.knowledgeBases.find(datasetId),
        originOf: (datasetId, documentId) => this.originOf(datasetId, documentId).catch(() => undefined),
      },
      request,
      signal,
    );
  }

  watchIndexing(): void {
    this.watch.start();
  }

  dispose(): void {
    this.closing.abort();
    this.watch.dispose();
    this.changes.dispose();
  }

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

  /** One run after the other in each knowledge base: the server does one at a time anyway. */
  private async runNext(
    work: RunWork,
    isNew: boolean,
    signal: AbortSignal,
    onProgress: (progress: RunProgress) => void = () => {},
  ): Promise<UploadReport> {
    const { client, files } = this.deps;
    const datasetId = work.dataset.id;
    const list = this.list(datasetId);
    const before = this.running.get(datasetId);
    const run = async (): Promise<RunOutcome> => {
      const manifest = await this.manifests.of(datasetId);
      // Before the first waits for its turn: from here on nothing of it is forgotten.
      if (isNew) await manifest.append(runRecord(work, this.deps.now()));
      await before;
      const needs = {
        ...{ client, files, manifest, list, clock: this.clock },
        options: this.deps.options(),
        closing: this.closing.signal,
        onSent: () => this.watch.start(),
      };
      return new UploadRun(needs, work, AbortSignal.any([signal, this.closing.signal]), onProgress).go();
    };
    const going = run().catch((thrown: unknown) => allFailed(work, list, toError(thrown)));
    this.running.set(datasetId, going);
    const outcome = await going;
    if (this.running.get(datasetId) === going) this.running.delete(datasetId);
    this.remember(work, outcome);
    void this.knowledgeBases.refresh(datasetId, this.closing.signal);
    return outcome.report;
  }

  private remember(work: RunWork, { failedItems, failedRemovals }: RunOutcome): void {
    const datasetId = work.dataset.id;
    const { items, removals } = this.failures.get(datasetId) ?? { items: new Map(), removals: new Map() };
    for (const { name } of work.items) items.delete(name);
    for (const { documentId } of work.removals) removals.delete(documentId);
    for (const item of failedItems) items.set(item.name, item);
    for (const removal of failedRemovals) removals.set(removal.documentId, removal);
    if (items.size + removals.size > 0) this.failures.set(datasetId, { items, removals });
    else this.failures.delete(datasetId);
  }
}

/** The run could not even be written down, so nothing of it was begun. */
function allFailed(
  { dataset, items, removals }: RunWork,
  list: DocumentList,
  error: SwitchboardError,
): RunOutcome {
  for (const item of items) list.notSent(item, error);
  return {
    report: {
      ...{ dataset, added: [], updated: [], removed: [], notSent: 0, isCancelled: false },
      failed: [
        ...items.map(({ name }) => ({ name, error, isRemoval: false })),
        ...removals.map(({ name }) => ({ name, error, isRemoval: true })),
      ],
    },
    failedItems: items,
    failedRemovals: removals,
  };
}

function notInterrupted(): SwitchboardError {
  return new SwitchboardError('request', l10n.t('There is nothing left to finish.'));
}

function baseIsGone(name: string, cause: unknown): SwitchboardError {
  return new SwitchboardError(
    'request',
    l10n.t('The knowledge base "{0}" is not on the platform any more.', name),
    { cause },
  );
}
