import { isCancelled, type SwitchboardError } from '../base/errors.ts';
import { messageOf } from '../base/messageOf.ts';
import type { DocumentRecord } from '../platform/records.ts';
import { preserveWhitespace } from './indexingSettings.ts';
import { openToSend, type Sendable } from './openToSend.ts';
import { listDocuments } from './platformDocuments.ts';
import { replacedBy, type RunNeeds, type RunWork, type SendItem } from './runWork.ts';
import { sendDocument } from './sendDocument.ts';
import { SendingPace, type SendingPause, type SetBack } from './sendingPace.ts';
import { toError } from './toError.ts';
import { setbackOf } from './uploadSetback.ts';

/** `stopped`: because of the signal; nothing is known of it then. */
export type SendResult = 'sent' | 'stopped' | SwitchboardError;

type Attempt = SendResult | 'wait' | 'again';

/** About a minute in all: a server that was restarted is back by then. */
const offline: SetBack = { reason: 'offline', firstMs: 1000, most: 6 };
const failing: SetBack = { reason: 'failing', firstMs: 1000, most: 6 };
/** So many documents in a row are not refused for what they are. */
const manyInRow = 3;

function limited({ status, retryAfterMs: askedMs }: SwitchboardError): SetBack {
  // 403: hosted plans count the requests of a minute, those that they refuse, too.
  return { reason: 'limit', firstMs: status === 403 ? 20_000 : 1000, most: 10, askedMs };
}

/** The pause that all make after a failure which is not the document's; undefined for one that is. */
function setBackFor(error: SwitchboardError): SetBack | undefined {
  switch (setbackOf(error)) {
    case 'limit':
      return limited(error);
    case 'offline':
      return offline;
    case 'broken':
      return failing;
    default:
      return undefined;
  }
}

/** Sends the documents of one run, each as often as it makes sense. */
export class DocumentSender {
  /** No other document would fare better. */
  stoppedBy: SwitchboardError | undefined;
  private readonly pace: SendingPace;
  /** By name: failed twice since one was sent, though the platform answers. */
  private readonly inRow = new Map<string, SendItem>();
  /** So many did that it is not for what they are; until one is sent again. */
  private isOut = false;
  /** Failed before it was known that all do. */
  private blameless: SendItem[] = [];

  constructor(
    private readonly needs: RunNeeds,
    private readonly work: Pick<RunWork, 'dataset' | 'settings'>,
    private readonly signal: AbortSignal,
    /** Undefined when sending goes on. */
    onPause: (pause: SendingPause | undefined) => void,
  ) {
    this.pace = new SendingPace(needs.clock, onPause);
  }

  /** Never throws. */
  async send(item: SendItem): Promise<SendResult> {
    let isSecondTry = false;
    for (;;) {
      const attempt = await this.attempt(item, isSecondTry);
      if (attempt === 'again') isSecondTry = true;
      else if (attempt === 'wait') this.needs.list.toSend([item]);
      else return attempt;
    }
  }

  /** What failed in an outage that is over; once. */
  takeBlameless(): SendItem[] {
    const items = this.blameless;
    this.blameless = [];
    return items;
  }

  /**
   * What the platform answers, as soon as it answers: a limit, an outage and a lost connection are waited out. Undefined
   * when that takes too long, which stops everything. Throws what is wrong with the request itself.
   */
  async whenAnswered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      await this.pace.pass(this.signal);
      if (this.stoppedBy) return undefined;
      try {
        return await ask();
      } catch (thrown) {
        this.signal.throwIfAborted();
        const error = toError(thrown);
        const setBack = setBackFor(error);
        if (!setBack) throw error;
        if (!this.pace.holdBack(setBack)) this.stoppedBy ??= error;
      }
    }
  }

  /** `wait`: it was not taken; `again`: the connection broke and it had not arrived. */
  private async attempt(item: SendItem, isSecondTry: boolean): Promise<Attempt> {
    const { client, files, options, list, manifest } = this.needs;
    const { dataset, settings } = this.work;
    let sendable: Sendable | undefined;
    try {
      await this.pace.pass(this.signal);
      if (this.stoppedBy) return this.stoppedBy;
      sendable = await openToSend(files, item, options.maxFileSizeBytes, this.signal);
      const { size } = sendable.content();
      await manifest.append({ ...this.contentOf(item, sendable), type: 'sending', ...replacedBy(item) });
      list.sending(item, 0, size);
      const { document, batch } = await sendDocument(
        client,
        {
          datasetId: dataset.id,
          name: item.name,
          body: sendable.body,
          settings: item.how === 'text' ? preserveWhitespace(settings) : settings,
          replaces: item.replaces,
        },
        this.signal,
        (sentBytes) => list.sending(item, sentBytes, size),
      );
      this.pace.wentWell();
      this.inRow.clear();
      this.isOut = false;
      return this.arrived(item, sendable, document, batch);
    } catch (thrown) {
      if (this.signal.aborted) return 'stopped';
      const error = toError(thrown);
      return sendable ? await this.setBack(item, sendable, error, isSecondTry) : error;
    } finally {
      await sendable
        ?.close()
        .catch((error: unknown) => this.needs.log.warn(`${item.name}: ${messageOf(error)}`));
    }
  }

  private async setBack(
    item: SendItem,
    sendable: Sendable,
    error: SwitchboardError,
    isSecondTry: boolean,
  ): Promise<Attempt> {
    const readError = sendable.readError();
    if (readError !== undefined) return toError(readError);
    const setback = setbackOf(error);
    const pause = setBackFor(error);
    switch (setback) {
      case 'limit':
      case 'offline':
        if (pause && this.pace.holdBack(pause)) return 'wait';
        this.stoppedBy ??= error;
        break;
      case 'broken': {
        const arrival = await this.lookFor(item);
        if (this.signal.aborted) return 'stopped';
        if (typeof arrival === 'object') return this.arrived(item, sendable, arrival);
        if (arrival === 'not-there') {
          if (!isSecondTry) return 'again';
          if (this.isOutage(item)) {
            if (this.pace.holdBack(failing)) return 'wait';
            this.stoppedBy ??= error;
          }
        }
        break;
      }
      case 'everything':
        this.stoppedBy ??= error;
        break;
      case 'document':
        break;
    }
    if (setback !== 'broken' && !isCancelled(error)) await this.refused(item);
    return error;
  }

  /** Whether so many failed in a row that it is not for what they are. Those before this one are to be sent again. */
  private isOutage(item: SendItem): boolean {
    this.inRow.set(item.name, item);
    if (this.isOut || this.inRow.size < manyInRow) return this.isOut;
    this.isOut = true;
    this.blameless.push(...[...this.inRow.values()].filter((other) => other !== item));
    return true;
  }

  /** From here on a document of that name is somebody else's. */
  private async refused({ name }: SendItem): Promise<void> {
    const { manifest, clock } = this.needs;
    await manifest.note({ type: 'refused', at: clock.now(), name });
  }

  /** Whether it arrived although the answer did not. */
  private async lookFor(item: SendItem): Promise<DocumentRecord | 'not-there' | 'unknown'> {
    try {
      const { client } = this.needs;
      const platform = await this.whenAnswered(() =>
        listDocuments(client, this.work.dataset.id, this.signal, item.name),
      );
      if (!platform) return 'unknown';
      return platform.arrival({ name: item.name, ...replacedBy(item) }) ?? 'not-there';
    } catch (error) {
      this.needs.log.info(`${item.name}: not known whether it arrived: ${messageOf(error)}`);
      return 'unknown';
    }
  }

  private arrived(item: SendItem, sendable: Sendable, record: DocumentRecord, batch?: string): 'sent' {
    const { list, manifest, onSent } = this.needs;
    list.sent(item, record);
    // Nobody waits for this line: what it says could be found out by the one that was written before.
    void manifest.note({
      ...this.contentOf(item, sendable),
      type: 'sent',
      documentId: record.id,
      ...(record.uploadFileId !== undefined && { uploadFileId: record.uploadFileId }),
      ...(batch !== undefined && { batch }),
    });
    onSent();
    return 'sent';
  }

  private contentOf({ name, origin }: SendItem, sendable: Sendable) {
    const { path, lines } = origin;
    return { at: this.needs.clock.now(), name, path, ...(lines && { lines }), ...sendable.content() };
  }
}
