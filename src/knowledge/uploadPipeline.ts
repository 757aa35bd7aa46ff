import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/clock.ts';
import { isCancelled, SwitchboardError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import type { IndexingSettings, PlatformClient } from '../platform/platformClient.ts';
import { isNotFound } from '../platform/platformErrors.ts';
import type { Dataset, DocumentRecord } from '../platform/records.ts';
import { Backoff, failureScope, isTransient, OutageDetector, type UploadPause } from './backoff.ts';
import type { DocumentList } from './documentList.ts';
import { type AddTarget, gatherSources } from './gatherSources.ts';
import { indexingSettings, preserveWhitespace } from './indexingSettings.ts';
import type { KnowledgeOptions } from './knowledgeOptions.ts';
import type { LocalFiles } from './localFiles.ts';
import type { Manifest } from './manifest.ts';
import { replacedBy } from './manifestRecords.ts';
import { type PlannedDocument, plannedDocument } from './plannedDocument.ts';
import { type PlannedRemoval, plannedRemovals } from './plannedRemovals.ts';
import { isReplaced, listDocuments, type PlatformDocuments } from './platformDocuments.ts';
import { reconcile } from './reconcile.ts';
import { sendDocument } from './sendDocument.ts';
import type { SkippedFile } from './skippedFile.ts';
import { toError } from './toError.ts';
import { type UploadOutcome, UploadResults } from './uploadResults.ts';
import { openUploadSource, type UploadSource } from './uploadSource.ts';

/**
 * The way of files to a knowledge base, in the order in which it goes: what would be done is planned; what the user
 * confirmed is uploaded document by document, each with a line in the manifest before and after; then what is gone is
 * removed. Which runs there are, in this window and left by others, is in uploads.ts.
 */

/** What the uploads to one knowledge base work with. */
export interface UploadDependencies {
  client: PlatformClient;
  files: LocalFiles;
  options: KnowledgeOptions;
  manifest: Manifest;
  list: DocumentList;
  /** `now` in milliseconds since the epoch. */
  clock: Clock;
  log: Log;
  /** The window closes: what is not done then is left for the next one. */
  closing: AbortSignal;
  /** Something was sent whose indexing is to be polled. */
  onSent(): void;
}

export interface AddRequest {
  datasetId: string;
  /** Absolute paths of files and folders, or text that was selected. */
  targets: readonly AddTarget[];
  /** A sync looks for what is gone, too; `targets` is then the one linked folder. */
  isSync: boolean;
}

export interface UploadPlan {
  dataset: Dataset;
  documents: readonly PlannedDocument[];
  skipped: readonly SkippedFile[];
  /** Documents whose files are gone; only in a sync. */
  removals: readonly PlannedRemoval[];
  /** Documents of this manifest that the sync keeps. */
  keeps: number;
  settings: IndexingSettings;
  isSync: boolean;
}

/** A document to upload. */
export type UploadItem = Pick<
  PlannedDocument,
  'name' | 'origin' | 'how' | 'source' | 'replaces' | 'renamedFrom'
>;

/** What was confirmed. */
export interface UploadWork {
  id: string;
  dataset: Dataset;
  settings: IndexingSettings;
  items: readonly UploadItem[];
  removals: readonly PlannedRemoval[];
}

export interface RunProgress {
  done: number;
  total: number;
  /** The name of a document on its way. */
  current?: string;
  /** Nothing is sent for so long. */
  pause?: UploadPause;
}

/** Looks at the files, the manifest and the platform, and says what would be done. */
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

/** Plans again what was confirmed before and failed, as far as it is not done meanwhile. */
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

/** The knowledge base as it is now. What had arrived without an answer is in the manifest from here on. */
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

/** Ids of documents whose indexing does not move. */
function stuckIn({ list }: UploadDependencies): ReadonlySet<string> {
  return new Set(list.stuck.map(({ id }) => id));
}

/** Not so when it would now replace what somebody else put there: nobody was asked about that. */
function replacesAsBefore(
  { name, change, replaces }: PlannedDocument,
  items: readonly UploadItem[],
): boolean {
  if (change !== 'conflict' || !replaces) return true;
  const before = items.find((item) => item.name === name)?.replaces;
  return before?.id === replaces.id && !isReplaced(before.uploadFileId, replaces);
}

/** The server works on one document of a knowledge base at a time, whatever it is sent. */
const mostAtATime = 8;

/** `stopped`: because of the signal; nothing is known of it then. */
type UploadResult = 'sent' | 'stopped' | SwitchboardError;
/** `wait`: it was not accepted. `again`: the connection broke and it had not arrived. */
type Attempt = UploadResult | 'wait' | 'again';

/** Uploads documents a few at a time and then removes others. One failure does not stop the rest. */
export class UploadRun {
  private readonly results: UploadResults;
  private readonly backoff: Backoff;
  private readonly outages = new OutageDetector<UploadItem>();
  /** No other document would fare better. */
  private stoppedBy: SwitchboardError | undefined;
  private items: Iterator<UploadItem>;

  constructor(
    private readonly deps: UploadDependencies,
    private readonly work: UploadWork,
    private readonly signal: AbortSignal,
    private readonly onProgress: ((progress: RunProgress) => void) | undefined,
  ) {
    this.results = new UploadResults(work);
    this.backoff = new Backoff(deps.clock, (pause) => this.tell({ ...(pause && { pause }) }));
    this.items = work.items.values();
  }

  async go(): Promise<UploadOutcome> {
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

  /** Uploads one document, as often as it makes sense. */
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
      source = await openUploadSource(files, item, options.maxFileSizeBytes, this.signal);
      return await this.send(item, source);
    } catch (thrown) {
      if (this.signal.aborted) return 'stopped';
      const error = toError(thrown);
      return source ? await this.afterFailure(item, source, error, isSecondTry) : error;
    } finally {
      await source?.close().catch((error: unknown) => log.warn(`${item.name}: ${messageOf(error)}`));
    }
  }

  /** What is meant to be sent is written down before, so that what arrives without an answer can be found. */
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
    // Nobody waits for this line: what it says could be found out by the one that was written before.
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

  private contentOf({ name, origin }: UploadItem, source: UploadSource) {
    const { path, lines } = origin;
    return { at: this.deps.clock.now(), name, path, ...(lines && { lines }), ...source.content() };
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

  /** From here on a document of that name is somebody else's. */
  private async refused({ name }: UploadItem): Promise<void> {
    const { manifest, clock } = this.deps;
    await manifest.note({ type: 'refused', at: clock.now(), name });
  }

  /** Whether it arrived although the answer did not. */
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

  /**
   * The documents of this name, as soon as the platform answers: a limit, an outage and a lost connection are waited
   * out. Undefined when that takes too long, which stops everything. Throws what is wrong with the request itself.
   */
  private async listWhenAnswered(name: string): Promise<PlatformDocuments | undefined> {
    for (;;) {
      await this.backoff.wait(this.signal);
      if (this.stoppedBy) return undefined;
      try {
        return await listDocuments(this.deps.client, this.work.dataset.id, this.signal, name);
      } catch (thrown) {
        this.signal.throwIfAborted();
        const error = toError(thrown);
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
      if (!this.signal.aborted) this.results.notRemoved(removal, toError(error));
    }
    this.tell();
  }

  private async delete({ documentId, name }: PlannedRemoval): Promise<void> {
    const { client } = this.deps;
    for (let isSecondTry = false; ; isSecondTry = true) {
      try {
        return await client.documents.delete(this.work.dataset.id, documentId, this.signal);
      } catch (thrown) {
        // Somebody was faster.
        if (isNotFound(thrown)) return;
        const error = toError(thrown);
        if (isSecondTry || !isTransient(error)) throw error;
        const platform = await this.listWhenAnswered(name);
        if (!platform) throw error;
        if (!platform.byId.has(documentId)) return;
      }
    }
  }

  /** The content of a renamed file would be nowhere. */
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

  /** What the closing of the window or a failure of everything has stopped stays open, to be finished later. */
  private async end(): Promise<void> {
    if (this.deps.closing.aborted || this.stoppedBy) return;
    const { manifest, clock } = this.deps;
    await manifest.note({ type: 'ended', at: clock.now(), run: this.work.id });
    await manifest.compact();
  }
}
