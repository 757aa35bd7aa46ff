import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { formatNumber } from '../../base/text/format.ts';
import {
  attachmentSourceSchema,
  type Attachment,
  type AttachmentSource,
  type TextSource,
} from './attachment.ts';
import { refused as toRefused } from './refusedAttachment.ts';
import { forTarget, type AttachmentTarget } from './attachmentTarget.ts';
import type { AttachmentReader, TakenAttachment } from './readAttachment.ts';

export interface AttachmentStore {
  get attachments(): unknown;
  set attachments(sources: readonly unknown[]);
}

interface Entry {
  id: string;
  source: AttachmentSource;
  taken?: TakenAttachment;
  /** The user chose to send its secrets. Not saved between windows. */
  keepsSecrets?: boolean;
  loading?: AbortController;
  reading: Promise<void>;
}

const mostAttachments = 50;

/** Attachments of the next message, in the order added. Part of the draft, so the list outlives page and window. */
export class AttachmentList implements Disposable {
  private entries: readonly Entry[] = [];
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly abort = new AbortController();

  constructor(
    private readonly reader: () => Promise<AttachmentReader>,
    private readonly store: AttachmentStore,
    private readonly newId: () => string,
  ) {}

  restore(): Promise<void> {
    const kept = z.array(attachmentSourceSchema).safeParse(this.store.attachments);
    return kept.success ? this.add(kept.data) : Promise.resolve();
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  get sources(): readonly AttachmentSource[] {
    return this.entries.map(({ source }) => toKept(source));
  }

  /** For the draft that is saved: without what is only read where the user asks for it. */
  get saved(): AttachmentSource[] {
    return this.entries.map(({ source }) => toKept(source)).filter(isLoaded);
  }

  takeAll(): readonly AttachmentSource[] {
    const sources = this.entries.map(({ source }) => source);
    if (sources.length > 0) this.replace([]);
    return sources;
  }

  all(
    target: AttachmentTarget | undefined,
  ): { id: string; source: AttachmentSource; attachment?: Attachment }[] {
    const read = this.entries.flatMap(({ taken }) => taken?.attachment ?? []);
    const judged = forTarget(read, target);
    const attachmentOf = new Map(read.map((attachment, index) => [attachment, judged[index]]));
    return this.entries.map(({ id, source, taken }) => {
      const attachment = taken && attachmentOf.get(taken.attachment);
      return { id, source, ...(attachment && { attachment }) };
    });
  }

  async add(sources: readonly AttachmentSource[]): Promise<void> {
    if (sources.length === 0) return;
    const room = Math.max(0, mostAttachments - this.entries.length);
    const added = sources
      .slice(0, room)
      .map((source): Entry => ({ id: this.newId(), source, reading: Promise.resolve() }));
    const left = sources.length - added.length;
    this.replace([...this.entries, ...added, ...(left > 0 ? [this.overflow(left)] : [])]);
    for (const entry of added) entry.reading = this.read(entry);
    await Promise.all(added.map(({ reading }) => reading));
  }

  /** Adds a text that is still to be loaded. A failure is shown as the reason why nothing of it is sent. */
  async load(
    source: TextSource,
    load: (signal: AbortSignal) => Promise<Pick<TextSource, 'name' | 'text' | 'isCut'>>,
  ): Promise<void> {
    if (this.entries.length >= mostAttachments) return this.add([source]);
    const loading = new AbortController();
    const entry: Entry = { id: this.newId(), source, loading, reading: Promise.resolve() };
    this.replace([...this.entries, entry]);
    const read = async () => {
      try {
        entry.source = { ...source, ...(await load(AbortSignal.any([this.abort.signal, loading.signal]))) };
        await this.read(entry);
      } catch (error) {
        entry.taken = { attachment: toRefused(source, error) };
      }
      if (this.entries.includes(entry)) this.replace(this.entries);
    };
    entry.reading = read();
    await entry.reading;
  }

  remove(id: string): void {
    this.replace(this.entries.filter((entry) => entry.id !== id));
  }

  /** Lets the attachment's secrets be sent with the next message. Resolves when it was read again. */
  async releaseSecrets(id: string): Promise<void> {
    const entry = this.entries.find((each) => each.id === id);
    if (!entry) return;
    entry.keepsSecrets = true;
    entry.reading = this.read(entry);
    await entry.reading;
  }

  takeText(id: string): string | undefined {
    const source = this.entries.find((entry) => entry.id === id)?.source;
    if (source?.type !== 'text') return undefined;
    this.remove(id);
    return source.text;
  }

  /** Undefined if an attachment that was sendable no longer is; the user then decides. */
  async prepare(target: AttachmentTarget | undefined): Promise<Attachment[] | undefined> {
    const entries = this.entries;
    const refused = () =>
      new Set(this.all(target).flatMap(({ id, attachment }) => (attachment?.refusal ? [id] : [])));
    const known = refused();
    await Promise.all(entries.map(({ reading }) => reading));
    const reader = await this.reader();
    await Promise.all(
      entries.map(async (entry) => {
        if (entry.taken && !known.has(entry.id)) {
          entry.taken = await reader.renew(entry.source, entry.taken, this.abort.signal, entry.keepsSecrets);
        }
      }),
    );
    const now = refused();
    const isNews = entries.some(({ id }) => now.has(id) && !known.has(id));
    if (isNews) {
      this.changes.fire();
      return undefined;
    }
    return this.all(target).flatMap(({ attachment }) => attachment ?? []);
  }

  clear(): void {
    this.replace([]);
  }

  dispose(): void {
    this.abort.abort();
  }

  private async read(entry: Entry): Promise<void> {
    try {
      const reader = await this.reader();
      entry.taken = await reader.read(entry.source, this.abort.signal, entry.keepsSecrets);
    } catch {
      return;
    }
    const key = identityOf(entry);
    const isThere =
      key !== undefined && this.entries.some((other) => other !== entry && identityOf(other) === key);
    // Keeps the first entry's position; its content is read again on sending.
    if (isThere) this.remove(entry.id);
    else if (this.entries.includes(entry)) this.changes.fire();
  }

  private overflow(count: number): Entry {
    const name = l10n.t('{0} more', formatNumber(count));
    const refusal = {
      forModel: 'There were too many attachments.',
      forUser: l10n.t('Maximum {0} attachments per message.', mostAttachments),
    };
    return {
      id: this.newId(),
      source: { type: 'unplaced', name },
      taken: { attachment: { kind: 'file', label: name, refusal } },
      reading: Promise.resolve(),
    };
  }

  private replace(entries: readonly Entry[]): void {
    for (const { loading } of this.entries.filter((entry) => !entries.includes(entry))) loading?.abort();
    this.entries = entries;
    this.store.attachments = this.saved;
    this.changes.fire();
  }
}

/** Editor storage isn't meant for megabytes: only a picture's name is saved. */
export function toKept(source: AttachmentSource): AttachmentSource {
  return source.type === 'image' ? { ...source, data: '' } : source;
}

/** A page is loaded, and a terminal read, only where the user asks for it: a new window has nothing to show for it. */
function isLoaded(source: AttachmentSource): boolean {
  return source.type !== 'text' || source.of === undefined || source.text !== '';
}

/** Equal for duplicates; pictures and pasted texts may repeat. */
function identityOf({ source, taken }: Entry): string | undefined {
  if (!taken || source.type === 'image' || source.type === 'text' || source.type === 'unplaced')
    return undefined;
  const { kind, label, path, lines } = taken.attachment;
  const place = taken.file?.realPath ?? path ?? label;
  return JSON.stringify([
    kind === 'editor' ? 'file' : kind,
    label,
    place,
    source.type === 'range' ? lines : undefined,
  ]);
}
