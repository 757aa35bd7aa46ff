import { Backoff } from '../../base/async/backoff.ts';
import { messageOf, isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { PlatformClient } from '../../platform/platformClient.ts';
import { isNotFound } from '../../platform/platformErrors.ts';
import type { DocumentRecord } from '../../platform/records.ts';
import { failureScope, isTransient, OutageDetector, pauseAfter, type UploadPause } from './uploadPauses.ts';
import type { DocumentList } from '../documentList.ts';
import { type AddTarget, gatherSources } from './gatherSources.ts';
import { indexingSettings, type KnowledgeOptions, preserveWhitespace } from '../indexing/indexingSettings.ts';
import type { LocalFiles } from '../files/localFiles.ts';
import type { CommittedFile } from '../../tools/files/workspace.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { replacedBy } from '../manifest/manifestRecords.ts';
import { type PlannedDocument, plannedDocument } from './plannedDocument.ts';
import { type PlannedRemoval, plannedRemovals } from './plannedRemovals.ts';
import { isReplaced, listDocuments, type PlatformDocuments } from '../platformDocuments.ts';
import { reconcile } from '../indexing/reconcile.ts';
import { sendDocument, toUploadError } from './sendDocument.ts';
import { takenMeanwhile } from './interruptedRuns.ts';
import type { UploadItem, UploadPlan, UploadWork } from './uploadPlan.ts';
import { type UploadOutcome, UploadResults } from './uploadResults.ts';
import { openUploadSource, type UploadSource } from './uploadSource.ts';

/** Plans an upload, sends confirmed documents with a manifest line before and after, then removes others. */

export interface UploadDependencies {
  client: PlatformClient;
  files: LocalFiles;
  options: KnowledgeOptions;
  manifest: Manifest;
  list: DocumentList;
  clock: Clock;
  log: Log;
  /** The window closes; a later window finishes the rest. */
  closing: AbortSignal;
  onSent(): void;
}

export interface AddRequest {
  datasetId: string;
  targets: readonly AddTarget[];
  /** A sync also finds removals; `targets` is then the linked folder. */
  isSync: boolean;
}

export interface RunProgress {
  done: number;
  total: number;
  current?: string;
  pause?: UploadPause;
}

export async function planUpload(
  deps: UploadDependencies,
  { datasetId, targets, isSync }: AddRequest,
  signal: AbortSignal,
  onLooked: () => void,
): Promise<UploadPlan> {
  const { files, options, manifest } = deps;
  const { dataset, platform } = await readPlatform(deps, datasetId, signal);
  const { state } = manifest;
  const { candidates, skipped } = await gatherSources(files, options, state, targets, signal, onLooked);
  const facts = { isSync, stuck: stuckIn(deps) };
  const documents = candidates.map((candidate) => plannedDocument(candidate, state, platform, facts));
  const [target] = targets;
  const folder = isSync && target && { path: target.path, shown: files.shownPath(target.path) };
  const planned = folder
    ? plannedRemovals(folder, documents, skipped, state, platform)
    : { documents, removals: [], keeps: 0 };
  return { dataset, ...planned, skipped, settings: indexingSettings(dataset, options), isSync };
}

export async function planRetry(
  deps: UploadDependencies,
  datasetId: string,
  items: readonly UploadItem[],
  removals: readonly PlannedRemoval[],
  signal: AbortSignal,
): Promise<UploadPlan> {
  const { dataset, platform } = await readPlatform(deps, datasetId, signal);
  const { state } = deps.manifest;
  const facts = { isSync: false, stuck: stuckIn(deps) };
  return {
    dataset,
    documents: items
      .map((item) => plannedDocument({ ...item, isUnsaved: false }, state, platform, facts))
      .filter(({ change }) => change !== 'unchanged')
      .map((document) => ({ ...document, isSelected: replacesAsBefore(document, items) })),
    skipped: [],
    removals: removals.filter(({ documentId }) => platform.byId.has(documentId)),
    keeps: 0,
    settings: indexingSettings(dataset, deps.options),
    isSync: false,
  };
}

export async function readPlatform(
  { client, manifest, clock }: UploadDependencies,
  datasetId: string,
  signal: AbortSignal,
) {
  const [dataset, platform] = await Promise.all([
    client.datasets.get(datasetId, signal),
    listDocuments(client, datasetId, signal),
  ]);
  if (dataset.isExternal) {
    throw new SwitchboardError(
      'request',
      l10n.t('The knowledge base "{0}" is external and read-only. Choose another one.', dataset.name),
    );
  }
  return { dataset, platform, arrived: await reconcile(manifest, platform, clock.now()) };
}

function stuckIn({ list }: UploadDependencies): ReadonlySet<string> {
  return new Set(list.stuck.map(({ id }) => id));
}

/** False if it would now replace someone else's version, which the user never confirmed. */
function replacesAsBefore(
  { name, change, replaces }: PlannedDocument,
  items: readonly UploadItem[],
): boolean {
  if (change !== 'conflict' || !replaces) return true;
  const before = items.find((item) => item.name === name)?.replaces;
  return before?.id === replaces.id && !isReplaced(before.uploadFileId, replaces);
}

/** The server processes one document per knowledge base at a time. */
const mostAtATime = 8;

/** `stopped`: by the signal; the outcome is unknown. */
type UploadResult = 'sent' | 'stopped' | SwitchboardError;
/** `wait`: rejected for now. `again`: the connection broke and the document is not there. */
type Attempt = UploadResult | 'wait' | 'again';

export class UploadRun {
  private readonly results: UploadResults;
  private readonly backoff: Backoff<UploadPause['reason']>;
  private readonly outages = new OutageDetector<UploadItem>();
  private stoppedBy: SwitchboardError | undefined;
  private items: Iterator<UploadItem>;
  private committed: ReadonlyMap<string, CommittedFile> = new Map();

  constructor(
    private readonly deps: UploadDependencies,
    private readonly work: UploadWork,
    private readonly signal: AbortSignal,
    private readonly onProgress: ((progress: RunProgress) => void) | undefined,
  ) {
    this.results = new UploadResults(work);
    this.backoff = new Backoff({
      clock: deps.clock,
      pauseAfter,
      onPause: (pause) => this.tell({ ...(pause && { pause }) }),
    });
    this.items = work.items.values();
  }

  async go(): Promise<UploadOutcome> {
    await this.findCommitted();
    const { technique, documentCount } = this.work.dataset;
    // The first document decides how a knowledge base indexes, so it goes alone.
    if (technique === undefined || documentCount === 0) await this.uploadUntilOneArrived();
    await this.fewAtATime(() => this.uploadNext());
    this.items = this.outages.takeBlameless().values();
    await this.fewAtATime(() => this.uploadNext());
    const removals = this.work.removals.values();
    await this.fewAtATime(async () => {
      for (const removal of removals) await this.remove(removal);
    });
    this.tellOfRest();
    await this.end();
    return this.results.outcome();
  }

  private async findCommitted(): Promise<void> {
    const paths = this.work.items.flatMap(({ source }) => (source.type === 'file' ? [source.realPath] : []));
    // An abort ends the run itself.
    this.committed = await this.deps.files.committed(paths, this.signal).catch(() => this.committed);
  }

  private async fewAtATime(worker: () => Promise<void>): Promise<void> {
    const limit = Math.max(1, Math.min(mostAtATime, Math.floor(this.deps.options.concurrency) || 1));
    await Promise.all(Array.from({ length: limit }, worker));
  }

  private async uploadUntilOneArrived(): Promise<void> {
    for (let item = this.take(); item; item = this.take()) {
      await this.upload(item);
      if (this.results.isSent(item.name)) return;
    }
  }

  private async uploadNext(): Promise<void> {
    for (let item = this.take(); item; item = this.take()) await this.upload(item);
  }

  private take(): UploadItem | undefined {
    return this.signal.aborted || this.stoppedBy ? undefined : this.items.next().value;
  }

  private async upload(item: UploadItem): Promise<void> {
    this.tell({ current: item.name });
    let attempt = await this.attempt(item, false);
    for (let isSecondTry = false; attempt === 'wait' || attempt === 'again';) {
      if (attempt === 'again') isSecondTry = true;
      else this.deps.list.toSend([item]);
      attempt = await this.attempt(item, isSecondTry);
    }
    if (attempt === 'stopped') return;
    if (attempt === 'sent') this.results.sent(item);
    else this.fail(item, attempt);
    this.tell({ current: item.name });
  }

  private async attempt(item: UploadItem, isSecondTry: boolean): Promise<Attempt> {
    const { files, options, log } = this.deps;
    let source: UploadSource | undefined;
    try {
      await this.backoff.wait(this.signal);
      if (this.stoppedBy) return this.stoppedBy;
      const { maxFileSizeBytes } = options;
      source = await openUploadSource(files, item, maxFileSizeBytes, this.signal, this.work.isAutomatic);
      if (this.isSentElsewhere(item, source)) return 'sent';
      return await this.send(item, source);
    } catch (thrown) {
      if (this.signal.aborted) return 'stopped';
      const error = toUploadError(thrown);
      return source ? await this.afterFailure(item, source, error, isSecondTry) : error;
    } finally {
      await source?.close().catch((error: unknown) => log.warn(`${item.name}: ${messageOf(error)}`));
    }
  }

  /** True if another run has sent the same since this one was planned. Throws if it sent something else. */
  private isSentElsewhere(item: UploadItem, source: UploadSource): boolean {
    const { name, sentAs } = item;
    const sent = this.deps.manifest.state.documents.get(name);
    if (!sent || sent.documentId === sentAs) return false;
    if (sent.hash !== source.content().hash) throw takenMeanwhile(name);
    this.deps.list.withdraw([item]);
    return true;
  }

  /** The intention is recorded first, so that a lost answer can be reconciled. */
  private async send(item: UploadItem, source: UploadSource): Promise<'sent'> {
    const { client, list, manifest } = this.deps;
    const { dataset, settings } = this.work;
    const { size } = source.content();
    await manifest.append({ ...this.contentOf(item, source), type: 'sending', ...replacedBy(item) });
    list.sending(item, 0, size);
    const { document, batch } = await sendDocument(
      client,
      {
        datasetId: dataset.id,
        name: item.name,
        body: source.body,
        settings: item.how === 'text' ? preserveWhitespace(settings) : settings,
        replaces: item.replaces,
      },
      this.signal,
      (sentBytes) => list.sending(item, sentBytes, size),
    );
    this.backoff.onSuccess();
    this.outages.onSuccess();
    return this.arrived(item, source, document, batch);
  }

  private arrived(item: UploadItem, source: UploadSource, record: DocumentRecord, batch?: string): 'sent' {
    const { list, manifest, onSent } = this.deps;
    list.sent(item, record);
    // Not awaited: the earlier line is enough to find out the same.
    void manifest.note({
      ...this.contentOf(item, source),
      type: 'sent',
      documentId: record.id,
      ...(record.uploadFileId !== undefined && { uploadFileId: record.uploadFileId }),
      ...(batch !== undefined && { batch }),
    });
    onSent();
    return 'sent';
  }

  private contentOf({ name, origin, source: planned }: UploadItem, source: UploadSource) {
    const { path, lines } = origin;
    const content = source.content();
    const { commit, hashes } = (planned.type === 'file' && this.committed.get(planned.realPath)) || {};
    return {
      ...{ at: this.deps.clock.now(), name, path, ...content },
      ...(lines && { lines }),
      ...(commit !== undefined && hashes?.includes(content.hash) && { commit }),
    };
  }

  private async afterFailure(
    item: UploadItem,
    source: UploadSource,
    error: SwitchboardError,
    isSecondTry: boolean,
  ): Promise<Attempt> {
    const scope = failureScope(error);
    if (scope === 'connection') {
      const arrival = await this.findArrival(item);
      if (this.signal.aborted) return 'stopped';
      if (arrival === 'unknown') return error;
      if (arrival !== 'not-there') return this.arrived(item, source, arrival);
      if (!isSecondTry) return 'again';
      if (!this.outages.onFailure(item)) return error;
    }
    if (this.backoff.backOff(error)) return 'wait';
    if (scope !== 'document') this.stoppedBy ??= error;
    if (scope !== 'connection' && !isCancelled(error)) await this.refused(item);
    return error;
  }

  /** From here on, a document of that name is someone else's. */
  private async refused({ name }: UploadItem): Promise<void> {
    const { manifest, clock } = this.deps;
    await manifest.note({ type: 'refused', at: clock.now(), name });
  }

  private async findArrival(item: UploadItem): Promise<DocumentRecord | 'not-there' | 'unknown'> {
    try {
      const platform = await this.listWhenAnswered(item.name);
      if (!platform) return 'unknown';
      return platform.arrival({ name: item.name, ...replacedBy(item) }) ?? 'not-there';
    } catch (error) {
      this.deps.log.info(`${item.name}: not known whether it arrived: ${messageOf(error)}`);
      return 'unknown';
    }
  }

  /** Waits out limits and outages. Undefined if it takes too long, which ends the run; throws other errors. */
  private async listWhenAnswered(name: string): Promise<PlatformDocuments | undefined> {
    for (;;) {
      await this.backoff.wait(this.signal);
      if (this.stoppedBy) return undefined;
      try {
        return await listDocuments(this.deps.client, this.work.dataset.id, this.signal, name);
      } catch (thrown) {
        this.signal.throwIfAborted();
        const error = toUploadError(thrown);
        if (!isTransient(error)) throw error;
        if (!this.backoff.backOff(error)) this.stoppedBy ??= error;
      }
    }
  }

  private fail(item: UploadItem, error: SwitchboardError): void {
    this.results.notSent(item, error);
    this.deps.list.notSent(item, error);
  }

  private async remove(removal: PlannedRemoval): Promise<void> {
    if (this.signal.aborted) return;
    const { documentId, name, path, reason } = removal;
    const problem = this.stoppedBy ?? (reason === 'renamed' ? this.notSentElsewhere(path) : undefined);
    if (problem) {
      this.results.notRemoved(removal, problem);
      return;
    }
    this.tell({ current: name });
    const { list, manifest, clock } = this.deps;
    try {
      await this.delete(removal);
      list.removed([documentId]);
      await manifest.note({ type: 'removed', at: clock.now(), documentId });
      this.results.removed(removal);
    } catch (error) {
      if (!this.signal.aborted) this.results.notRemoved(removal, toUploadError(error));
    }
    this.tell();
  }

  private async delete({ documentId, name }: PlannedRemoval): Promise<void> {
    const { client } = this.deps;
    for (let isSecondTry = false; ; isSecondTry = true) {
      try {
        return await client.documents.delete(this.work.dataset.id, documentId, this.signal);
      } catch (thrown) {
        if (isNotFound(thrown)) return;
        const error = toUploadError(thrown);
        if (isSecondTry || !isTransient(error)) throw error;
        const platform = await this.listWhenAnswered(name);
        if (!platform) throw error;
        if (!platform.byId.has(documentId)) return;
      }
    }
  }

  /** Removing it would lose a renamed file's content. */
  private notSentElsewhere(path: string): SwitchboardError | undefined {
    const renamed = this.work.items.find(({ renamedFrom }) => renamedFrom === path);
    if (!renamed || !this.results.hasFailed(renamed.name)) return undefined;
    return new SwitchboardError(
      'conflict',
      l10n.t("Kept, because its content couldn't be uploaded under its new name."),
    );
  }

  private tellOfRest(): void {
    const left = this.results.itemsLeft;
    if (this.stoppedBy) for (const item of left) this.fail(item, this.stoppedBy);
    else this.deps.list.withdraw(left);
  }

  private tell(now: Pick<RunProgress, 'current' | 'pause'> = {}): void {
    const { items, removals } = this.work;
    this.onProgress?.({ done: this.results.done, total: items.length + removals.length, ...now });
  }

  /** A run stopped by a closing window or a general failure stays open. */
  private async end(): Promise<void> {
    if (this.deps.closing.aborted || (this.stoppedBy && !this.work.isAutomatic)) return;
    const { manifest, clock } = this.deps;
    await manifest.note({ type: 'ended', at: clock.now(), run: this.work.id });
    await manifest.compact();
  }
}
