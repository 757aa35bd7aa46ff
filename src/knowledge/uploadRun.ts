import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/clock.ts';
import { SwitchboardError } from '../base/errors.ts';
import type { IndexingSettings, PlatformClient } from '../platform/platformClient.ts';
import type { Dataset, DocumentRecord } from '../platform/records.ts';
import type { DocumentList } from './documentList.ts';
import { withSpaces } from './indexingSettings.ts';
import type {
  KnowledgeOptions,
  PlannedDocument,
  PlannedRemoval,
  RunProgress,
  UploadReport,
} from './knowledge.ts';
import type { LocalFiles } from './localFiles.ts';
import type { Manifest } from './manifest.ts';
import { openToSend, readProblem, type Sendable } from './openToSend.ts';
import { listDocuments } from './platformDocuments.ts';
import { sendDocument } from './sendDocument.ts';
import { SendingPace } from './sendingPace.ts';
import { toError } from './toError.ts';
import { setbackOf } from './uploadSetback.ts';

export type SendItem = Pick<
  PlannedDocument,
  'name' | 'origin' | 'how' | 'source' | 'replaces' | 'renamedFrom'
>;

export interface RunNeeds {
  client: PlatformClient;
  files: LocalFiles;
  options: KnowledgeOptions;
  manifest: Manifest;
  list: DocumentList;
  /** `now` in milliseconds since the epoch. */
  clock: Clock;
  /** The window closes: what is not done then is left for the next one. */
  closing: AbortSignal;
  /** Something was sent whose indexing is to be watched. */
  onSent(): void;
}

export interface RunWork {
  id: string;
  dataset: Dataset;
  settings: IndexingSettings;
  items: readonly SendItem[];
  removals: readonly PlannedRemoval[];
}

/** What became of what was confirmed, by name and by id. */
export interface RunOutcome {
  report: UploadReport;
  failedItems: readonly SendItem[];
  failedRemovals: readonly PlannedRemoval[];
}

type ItemOutcome = { type: 'added' | 'updated' } | { type: 'failed'; error: SwitchboardError };

const mostLimits = 10;
const mostOffline = 4;

/** Sends documents a few at a time and then removes others; writes each step down before and after it is done. */
export class UploadRun {
  private readonly outcomes = new Map<string, ItemOutcome>();
  private readonly removed = new Map<string, SwitchboardError | undefined>();
  private readonly pace: SendingPace;
  private readonly limit: number;
  /** By the path a file had before it was renamed. */
  private readonly newNames: ReadonlyMap<string, string>;
  /** Nothing else would fare better. */
  private stoppedBy: SwitchboardError | undefined;
  private next = 0;

  constructor(
    private readonly needs: RunNeeds,
    private readonly work: RunWork,
    private readonly signal: AbortSignal,
    private readonly onProgress: (progress: RunProgress) => void,
  ) {
    this.pace = new SendingPace(needs.clock);
    this.newNames = new Map(
      work.items.flatMap(({ name, renamedFrom }) => (renamedFrom === undefined ? [] : [[renamedFrom, name]])),
    );
    this.limit = Math.max(1, Math.min(8, Math.floor(needs.options.concurrency) || 1));
  }

  /** Never throws. */
  async go(): Promise<RunOutcome> {
    if (!this.isBegun()) await this.sendFirst();
    await this.fewAtATime(async () => {
      for (let item = this.take(); item; item = this.take()) await this.send(item);
    });
    const removals = this.work.removals.values();
    await this.fewAtATime(async () => {
      for (const removal of removals) await this.remove(removal);
    });
    await this.end();
    return this.outcome();
  }

  private async fewAtATime(worker: () => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: this.limit }, worker));
  }

  /** The next item; the count of what is done is told with it. */
  private take(): SendItem | undefined {
    if (this.signal.aborted || this.stoppedBy) return undefined;
    const item = this.work.items[this.next++];
    if (item) this.tell(item.name);
    return item;
  }

  private tell(current?: string): void {
    const { items, removals } = this.work;
    this.onProgress({
      done: this.outcomes.size + this.removed.size,
      total: items.length + removals.length,
      ...(current !== undefined && { current }),
    });
  }

  private isBegun(): boolean {
    const { technique, documentCount } = this.work.dataset;
    return technique !== undefined && documentCount > 0;
  }

  /** The first document decides how the knowledge base indexes, so it goes alone. */
  private async sendFirst(): Promise<void> {
    for (let item = this.take(); item; item = this.take()) {
      await this.send(item);
      if (this.outcomes.get(item.name)?.type !== 'failed') return;
    }
  }

  private async send(item: SendItem): Promise<void> {
    let isSecondTry = false;
    for (;;) {
      const verdict = await this.attempt(item, isSecondTry);
      if (verdict === 'done') return;
      if (verdict === 'again') isSecondTry = true;
    }
  }

  /** `wait`: it was not even tried; `again`: the connection broke and it did not arrive. */
  private async attempt(item: SendItem, isSecondTry: boolean): Promise<'done' | 'wait' | 'again'> {
    const { client, files, options, list, manifest } = this.needs;
    const { dataset, settings } = this.work;
    let sendable: Sendable | undefined;
    try {
      await this.pace.pass(this.signal);
      if (this.stoppedBy) throw this.stoppedBy;
      sendable = await openToSend(files, item, options.maxFileSizeBytes, this.signal);
      const { size } = sendable.content();
      await manifest.append({ ...this.contentOf(item, sendable), type: 'sending', ...before(item) });
      list.sending(item, 0, size);
      const accepted = await sendDocument(
        client,
        {
          datasetId: dataset.id,
          name: item.name,
          body: sendable.body,
          settings: item.how === 'text' ? withSpaces(settings) : settings,
          replaces: item.replaces,
        },
        this.signal,
        (sentBytes) => list.sending(item, sentBytes, size),
      );
      this.pace.wentWell();
      await this.arrived(item, sendable, accepted.document, accepted.batch);
      return 'done';
    } catch (thrown) {
      if (this.signal.aborted) return 'done';
      return await this.setBack(item, sendable, toError(thrown), isSecondTry);
    } finally {
      await sendable?.close().catch(() => {});
    }
  }

  private async setBack(
    item: SendItem,
    sendable: Sendable | undefined,
    error: SwitchboardError,
    isSecondTry: boolean,
  ): Promise<'done' | 'wait' | 'again'> {
    const readError = sendable?.readError();
    if (readError !== undefined) return this.fail(item, readProblem(readError));
    if (!sendable) return this.fail(item, error);
    switch (setbackOf(error)) {
      case 'limit':
        if (this.pace.holdBack(mostLimits, error.retryAfterMs)) return 'wait';
        this.stoppedBy ??= error;
        break;
      case 'offline':
        if (this.pace.holdBack(mostOffline)) return 'wait';
        this.stoppedBy ??= error;
        break;
      case 'broken': {
        const arrival = await this.lookFor(item);
        if (arrival === 'not-there' && !isSecondTry) return 'again';
        if (typeof arrival === 'object') {
          await this.arrived(item, sendable, arrival);
          return 'done';
        }
        break;
      }
      case 'everything':
        this.stoppedBy ??= error;
        break;
      case 'document':
        break;
    }
    return this.fail(item, error);
  }

  /** Whether it arrived although the answer did not. */
  private async lookFor(item: SendItem): Promise<DocumentRecord | 'not-there' | 'unknown'> {
    try {
      const { client } = this.needs;
      const platform = await listDocuments(client, this.work.dataset.id, this.signal, item.name);
      return platform.arrival({ name: item.name, ...before(item) }) ?? 'not-there';
    } catch {
      return 'unknown';
    }
  }

  private async arrived(
    item: SendItem,
    sendable: Sendable,
    record: DocumentRecord,
    batch?: string,
  ): Promise<void> {
    this.outcomes.set(item.name, { type: item.replaces ? 'updated' : 'added' });
    this.needs.list.sent(item, record);
    await this.needs.manifest
      .append({
        ...this.contentOf(item, sendable),
        type: 'sent',
        documentId: record.id,
        ...(record.uploadFileId !== undefined && { uploadFileId: record.uploadFileId }),
        ...(batch !== undefined && { batch }),
      })
      // It is there; the next plan finds it by the line that was written before.
      .catch(() => {});
    this.needs.onSent();
    this.tell(item.name);
  }

  private fail(item: SendItem, error: SwitchboardError): 'done' {
    this.outcomes.set(item.name, { type: 'failed', error });
    this.needs.list.notSent(item, error);
    this.tell(item.name);
    return 'done';
  }

  private contentOf({ name, origin }: SendItem, sendable: Sendable) {
    const { path, lines } = origin;
    return { at: this.needs.clock.now(), name, path, ...(lines && { lines }), ...sendable.content() };
  }

  private async remove(removal: PlannedRemoval): Promise<void> {
    if (this.signal.aborted) return;
    const { client, manifest, list } = this.needs;
    const { documentId, path, reason } = removal;
    const error = this.stoppedBy ?? (reason === 'renamed' ? this.unsentUnderNewName(path) : undefined);
    if (error) {
      this.removed.set(documentId, error);
      return;
    }
    this.tell(removal.name);
    try {
      await client.documents
        .delete(this.work.dataset.id, documentId, this.signal)
        .catch((thrown: unknown) => {
          // Somebody was faster.
          if (!(thrown instanceof SwitchboardError && thrown.status === 404)) throw thrown;
        });
      this.removed.set(documentId, undefined);
      list.removed([documentId]);
      await manifest.append({ type: 'removed', at: this.needs.clock.now(), documentId }).catch(() => {});
    } catch (thrown) {
      if (!this.signal.aborted) this.removed.set(documentId, toError(thrown));
    }
    this.tell();
  }

  /** The content of a renamed file would be nowhere. */
  private unsentUnderNewName(path: string): SwitchboardError | undefined {
    const newName = this.newNames.get(path);
    if (newName === undefined || this.outcomes.get(newName)?.type !== 'failed') return undefined;
    return new SwitchboardError(
      'request',
      l10n.t('It was kept, because its content could not be sent under its new name.'),
    );
  }

  /** What a failure of everything has stopped stays open: it can be finished later, also by another window. */
  private async end(): Promise<void> {
    if (this.needs.closing.aborted || this.stoppedBy) return;
    const { manifest, clock } = this.needs;
    await manifest.append({ type: 'ended', at: clock.now(), run: this.work.id }).catch(() => {});
    await manifest.compact().catch(() => {});
  }

  private outcome(): RunOutcome {
    const { dataset, items, removals } = this.work;
    const error = this.stoppedBy;
    if (error) for (const item of items) if (!this.outcomes.has(item.name)) this.fail(item, error);
    const withheld = items.filter(({ name }) => !this.outcomes.has(name));
    this.needs.list.withdraw(withheld);

    const of = (type: ItemOutcome['type']) =>
      items.filter(({ name }) => this.outcomes.get(name)?.type === type);
    const failed = items.flatMap((item) => {
      const outcome = this.outcomes.get(item.name);
      return outcome?.type === 'failed'
        ? [{ item, name: item.name, error: outcome.error, isRemoval: false }]
        : [];
    });
    const kept = removals.flatMap((removal) => {
      const problem = this.removed.get(removal.documentId);
      return problem ? [{ removal, name: removal.name, error: problem, isRemoval: true }] : [];
    });
    return {
      report: {
        dataset,
        added: of('added').map(({ name }) => name),
        updated: of('updated').map(({ name }) => name),
        removed: removals
          .filter(({ documentId }) => this.removed.has(documentId) && !this.removed.get(documentId))
          .map(({ name }) => name),
        failed: [...failed, ...kept].map(({ name, error: problem, isRemoval }) => ({
          name,
          error: problem,
          isRemoval,
        })),
        notSent: withheld.length,
        isCancelled: withheld.length > 0 || this.removed.size < removals.length,
      },
      failedItems: failed.map(({ item }) => item),
      failedRemovals: kept.map(({ removal }) => removal),
    };
  }
}

function before({ replaces }: SendItem) {
  if (!replaces) return {};
  const { id, uploadFileId } = replaces;
  return { replaces: { id, ...(uploadFileId !== undefined && { uploadFileId }) } };
}
