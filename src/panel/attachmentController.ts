import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { Attachment, AttachmentSource } from '../chat/attachments/attachment.ts';
import { toKept, type AttachmentList } from '../chat/attachments/attachmentList.ts';
import type { QueuedMessage } from '../chat/conversation/items.ts';
import type { AttachmentTarget } from '../chat/attachments/attachmentTarget.ts';
import type { FoundMentions, Mention } from '../chat/mentions/mention.ts';
import type { MentionFinder } from '../chat/mentions/mentionFinder.ts';
import type { AttachmentChip, AttachmentCommand } from '../shared/attachments.ts';
import type { PostToPage } from '../shared/protocol.ts';
import { toChip, toPendingChip } from './present/presentAttachment.ts';
import type { CommandHandlers } from './commandHandlers.ts';

export interface AttachmentHost {
  chooseFiles(): Promise<string[]>;
  pathOf(uri: string): string | undefined;
}

export interface AttachmentControllerDependencies {
  list: AttachmentList;
  /** Loaded when the first @ is typed. */
  mentions(): Promise<MentionFinder>;
  host: AttachmentHost;
  model(): AttachmentTarget | undefined;
  /** Loads a page once the user agreed to its host. */
  attachPage(address: string): Promise<unknown>;
}

export class AttachmentController implements Disposable {
  private readonly disposables = new DisposableStore();
  private search: AbortController | undefined;
  /** Offered mentions by id: a page can only name what it was offered. */
  private offered = new Map<string, Mention>();
  private post: PostToPage = () => {};

  constructor(private readonly deps: AttachmentControllerDependencies) {
    this.disposables.add(deps.list.onDidChange(() => this.show()));
  }

  listen(post: PostToPage): void {
    this.post = post;
  }

  get isEmpty(): boolean {
    return this.deps.list.isEmpty;
  }

  chips(): AttachmentChip[] {
    const model = this.deps.model();
    return this.deps.list
      .all(model)
      .map(({ id, source, attachment }) =>
        attachment ? toChip(id, attachment, model) : toPendingChip(id, source),
      );
  }

  show(): void {
    this.post({ type: 'attachmentsChanged', attachments: this.chips() });
  }

  prepare(): Promise<Attachment[] | undefined> {
    return this.deps.list.prepare(this.deps.model());
  }

  add(sources: readonly AttachmentSource[]): void {
    void this.deps.list.add(sources);
  }

  /** Sources in the order of the attachments that `prepare` returns. */
  get sources(): readonly AttachmentSource[] {
    return this.deps.list.sources;
  }

  get saved(): AttachmentSource[] {
    return this.deps.list.saved;
  }

  takeAll(): readonly AttachmentSource[] {
    return this.deps.list.takeAll();
  }

  restore(message: Pick<QueuedMessage, 'attachments' | 'sources'>): void {
    this.add(sourcesOf(message));
  }

  restoreSaved(message: Pick<QueuedMessage, 'attachments' | 'sources'>, saved: AttachmentSource[]): void {
    const whole = new Map(sourcesOf(message).map((source) => [JSON.stringify(toKept(source)), source]));
    this.add(saved.map((source) => whole.get(JSON.stringify(source)) ?? source));
  }

  sent(): void {
    this.deps.list.clear();
  }

  readonly commands: CommandHandlers<
    Exclude<AttachmentCommand, { type: 'unpackAttachment' | 'loadPicture' }>
  > = {
    findMentions: ({ requestId, query }) => this.find(requestId, query),
    attachMention: ({ optionId }) => {
      const { source, attach } = this.offered.get(optionId) ?? {};
      if (source) this.add([source]);
      return attach?.();
    },
    attachPage: ({ address }) => this.deps.attachPage(address),
    attachFiles: async () => this.add((await this.deps.host.chooseFiles()).map(toSource)),
    attachUris: ({ uris, unplaced: names }) => {
      const { host } = this.deps;
      const placed = uris.map((uri) => {
        const path = host.pathOf(uri);
        return path === undefined ? unplaced(uri) : toSource(path);
      });
      this.add([...placed, ...names.map(unplaced)]);
    },
    attachImage: ({ name, mimeType, bytes, base64 }) =>
      this.add([{ type: 'image', name, mimeType, bytes, data: base64 }]),
    attachText: ({ name, text }) => this.add([{ type: 'text', name, text }]),
    removeAttachment: ({ id }) => this.deps.list.remove(id),
    releaseSecrets: ({ id }) => this.deps.list.releaseSecrets(id),
  };

  takeText(id: string): string | undefined {
    return this.deps.list.takeText(id);
  }

  imageOf(id: string): Attachment['image'] {
    return this.deps.list.all(undefined).find((each) => each.id === id)?.attachment?.image;
  }

  showPicture(id: string, { data }: NonNullable<Attachment['image']>): void {
    this.post({ type: 'pictureLoaded', picture: { id, base64: data } });
  }

  dispose(): void {
    this.search?.abort();
    this.deps.list.dispose();
    this.disposables.dispose();
  }

  private async find(requestId: number, query: string): Promise<void> {
    this.search?.abort();
    const search = new AbortController();
    this.search = search;
    let found: FoundMentions = { mentions: [] };
    try {
      const mentions = await this.deps.mentions();
      for await (found of mentions.find(query, search.signal)) {
        if (search.signal.aborted) return;
        this.offer(requestId, found, false);
      }
    } catch {
      // Partial results are better than none.
    }
    if (!search.signal.aborted) this.offer(requestId, found, true);
  }

  private offer(requestId: number, { mentions, note }: FoundMentions, isComplete: boolean): void {
    const offered = new Map<string, Mention>();
    const options = mentions.map((mention, index) => {
      const { source: _source, attach: _attach, words: _words, ...shown } = mention;
      const id = `${requestId}.${index}`;
      offered.set(id, mention);
      return { id, ...shown };
    });
    this.offered = offered;
    this.post({ type: 'mentionsFound', requestId, options, isComplete, ...(note && { note }) });
  }
}

function toSource(path: string): AttachmentSource {
  return { type: 'path', path };
}

function unplaced(name: string): AttachmentSource {
  return { type: 'unplaced', name };
}

function sourcesOf({ attachments = [], sources = [] }: Pick<QueuedMessage, 'attachments' | 'sources'>) {
  return attachments.map((attachment, index) => attachAgain(attachment, sources[index]));
}

/** Images, pasted texts and all attachments of version 0.1.0 are stored in the conversation itself. */
function attachAgain(
  { image, label, text, upload }: Attachment,
  source: AttachmentSource | undefined,
): AttachmentSource {
  if (source?.type === 'image') return image ? { ...source, data: image.data } : source;
  if (source?.type === 'text') return { ...source, text: source.text || (text ?? '') };
  if (source) return source;
  if (image) return { type: 'image', name: label, ...image };
  if (text !== undefined) return { type: 'text', name: label, text };
  if (upload?.realPath !== undefined) return { type: 'path', path: upload.realPath };
  return { type: 'unplaced', name: label };
}
