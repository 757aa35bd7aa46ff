import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { isNotFound } from '../platform/platformErrors.ts';
import { DocumentSender } from './documentSender.ts';
import type { PlannedRemoval } from './plannedRemovals.ts';
import { listDocuments } from './platformDocuments.ts';
import { RunResults, type RunOutcome } from './runResults.ts';
import type { RunNeeds, RunWork, SendItem } from './runWork.ts';
import type { SendingPause } from './sendingPace.ts';
import { toError } from './toError.ts';
import { isPassing } from './uploadSetback.ts';

export interface RunProgress {
  done: number;
  total: number;
  /** The name of a document on its way. */
  current?: string;
  /** Nothing is sent for so long. */
  pause?: SendingPause;
}

/** The server works on one document of a knowledge base at a time, whatever it is sent. */
const mostAtATime = 8;

/** Sends documents a few at a time and then removes others. One failure does not stop the rest. */
export class UploadRun {
  private readonly results: RunResults;
  private readonly sender: DocumentSender;
  private readonly limit: number;
  private items: Iterator<SendItem>;
  /** By the path a file had before it was renamed. */
  private readonly newNames: ReadonlyMap<string, string>;

  constructor(
    private readonly needs: RunNeeds,
    private readonly work: RunWork,
    private readonly signal: AbortSignal,
    private readonly onProgress: ((progress: RunProgress) => void) | undefined,
  ) {
    this.results = new RunResults(work);
    this.sender = new DocumentSender(needs, work, signal, (pause) => this.tell({ ...(pause && { pause }) }));
    this.limit = Math.max(1, Math.min(mostAtATime, Math.floor(needs.options.concurrency) || 1));
    this.items = work.items.values();
    this.newNames = new Map(
      work.items.flatMap(({ name, renamedFrom }) => (renamedFrom === undefined ? [] : [[renamedFrom, name]])),
    );
  }

  async go(): Promise<RunOutcome> {
    const { technique, documentCount } = this.work.dataset;
    // The first document decides how a knowledge base indexes, so it goes alone.
    if (technique === undefined || documentCount === 0) await this.sendUntilOneArrived();
    await this.sendAll();
    this.items = this.sender.takeBlameless().values();
    await this.sendAll();
    const removals = this.work.removals.values();
    await this.fewAtATime(async () => {
      for (const removal of removals) await this.remove(removal);
    });
    this.tellOfRest();
    await this.end();
    return this.results.outcome();
  }

  private async sendUntilOneArrived(): Promise<void> {
    for (let item = this.take(); item; item = this.take()) {
      await this.send(item);
      if (this.results.isSent(item.name)) return;
    }
  }

  private sendAll(): Promise<void> {
    return this.fewAtATime(async () => {
      for (let item = this.take(); item; item = this.take()) await this.send(item);
    });
  }

  private async fewAtATime(worker: () => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: this.limit }, worker));
  }

  private take(): SendItem | undefined {
    return this.signal.aborted || this.sender.stoppedBy ? undefined : this.items.next().value;
  }

  private async send(item: SendItem): Promise<void> {
    this.tell({ current: item.name });
    const result = await this.sender.send(item);
    if (result === 'stopped') return;
    if (result === 'sent') this.results.sent(item);
    else this.fail(item, result);
    this.tell({ current: item.name });
  }

  private fail(item: SendItem, error: SwitchboardError): void {
    this.results.notSent(item, error);
    this.needs.list.notSent(item, error);
  }

  private async remove(removal: PlannedRemoval): Promise<void> {
    if (this.signal.aborted) return;
    const { documentId, name, path, reason } = removal;
    const problem = this.sender.stoppedBy ?? (reason === 'renamed' ? this.unsentElsewhere(path) : undefined);
    if (problem) {
      this.results.notRemoved(removal, problem);
      return;
    }
    this.tell({ current: name });
    const { list, manifest, clock } = this.needs;
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
    const { client } = this.needs;
    const datasetId = this.work.dataset.id;
    for (let isSecondTry = false; ; isSecondTry = true) {
      try {
        return await client.documents.delete(datasetId, documentId, this.signal);
      } catch (thrown) {
        // Somebody was faster.
        if (isNotFound(thrown)) return;
        const error = toError(thrown);
        if (isSecondTry || !isPassing(error)) throw error;
        const platform = await this.sender.whenAnswered(() =>
          listDocuments(client, datasetId, this.signal, name),
        );
        if (!platform) throw error;
        if (!platform.byId.has(documentId)) return;
      }
    }
  }

  /** The content of a renamed file would be nowhere. */
  private unsentElsewhere(path: string): SwitchboardError | undefined {
    const newName = this.newNames.get(path);
    if (newName === undefined || !this.results.hasFailed(newName)) return undefined;
    return new SwitchboardError(
      'conflict',
      l10n.t("Kept, because its content couldn't be uploaded under its new name."),
    );
  }

  private tellOfRest(): void {
    const { stoppedBy } = this.sender;
    const left = this.results.itemsLeft;
    if (stoppedBy) for (const item of left) this.fail(item, stoppedBy);
    else this.needs.list.withdraw(left);
  }

  private tell(now: Pick<RunProgress, 'current' | 'pause'> = {}): void {
    const { items, removals } = this.work;
    this.onProgress?.({ done: this.results.done, total: items.length + removals.length, ...now });
  }

  /** What the closing of the window or a failure of everything has stopped stays open, to be finished later. */
  private async end(): Promise<void> {
    if (this.needs.closing.aborted || this.sender.stoppedBy) return;
    const { manifest, clock } = this.needs;
    await manifest.note({ type: 'ended', at: clock.now(), run: this.work.id });
    await manifest.compact();
  }
}
