import { assertNever } from '../base/assertNever.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { attachAgain } from '../chat/attachments/attachAgain.ts';
import type { Attachment, AttachmentSource } from '../chat/attachments/attachment.ts';
import type { AttachmentList } from '../chat/attachments/attachmentList.ts';
import type { QueuedMessage } from '../chat/items.ts';
import type { AttachmentTarget } from '../chat/attachments/attachmentTarget.ts';
import type { FoundMentions } from '../chat/mentions/mention.ts';
import type { MentionFinder } from '../chat/mentions/mentionFinder.ts';
import type { AttachmentChip, AttachmentCommand } from '../shared/attachments.ts';
import type { PostToPage } from '../shared/protocol.ts';
import { toChip, toPendingChip } from './presentAttachment.ts';

/** What attaching needs of the editor. */
export interface AttachmentHost {
  /** Paths of files the user picked; empty if none. */
  chooseFiles(): Promise<string[]>;
  /** The core's path for what was dragged, or undefined if it is no place at all. */
  pathOf(uri: string): string | undefined;
}

export interface AttachmentControllerDependencies {
  list: AttachmentList;
  /** Loaded when the first @ is typed. */
  mentions(): Promise<MentionFinder>;
  host: AttachmentHost;
  /** The model the next message goes to. */
  model(): AttachmentTarget | undefined;
}

/** The panel's half of attaching: what the page may ask for, and the chips it shows. */
export class AttachmentController implements Disposable {
  private readonly disposables = new DisposableStore();
  private search: AbortController | undefined;
  /** By the id the page knows them by: a page names what it was offered and nothing else. */
  private offered = new Map<string, AttachmentSource>();
  private post: PostToPage = () => {};

  constructor(private readonly deps: AttachmentControllerDependencies) {
    this.disposables.add(deps.list.onDidChange(() => this.show()));
  }

  /** Who hears of changes from now on. */
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

  /** Also when another model is picked, since it may not support images. */
  show(): void {
    this.post({ type: 'attachmentsChanged', attachments: this.chips() });
  }

  /** See `AttachmentList.prepare`. */
  prepare(): Promise<Attachment[] | undefined> {
    return this.deps.list.prepare(this.deps.model());
  }

  /** What a command of the editor adds to the next message. */
  add(sources: readonly AttachmentSource[]): void {
    void this.deps.list.add(sources);
  }

  /** Where they come from, in the order of what `prepare` gives. */
  get sources(): readonly AttachmentSource[] {
    return this.deps.list.sources;
  }

  /** See `AttachmentList.takeAll`. */
  takeAll(): readonly AttachmentSource[] {
    return this.deps.list.takeAll();
  }

  /** Attaches again what went with a message that is to be edited. */
  restore({ attachments = [], sources = [] }: Pick<QueuedMessage, 'attachments' | 'sources'>): void {
    this.add(attachments.map((attachment, index) => attachAgain(attachment, sources[index])));
  }

  /** They went with a message. */
  sent(): void {
    this.deps.list.clear();
  }

  /** @returns a text to be put into the message */
  onMessage(command: AttachmentCommand): string | undefined {
    const { list, host } = this.deps;
    switch (command.type) {
      case 'findMentions':
        void this.find(command.requestId, command.query);
        return undefined;
      case 'attachMention': {
        const source = this.offered.get(command.optionId);
        if (source) void list.add([source]);
        return undefined;
      }
      case 'attachFiles':
        void host.chooseFiles().then((paths) => list.add(paths.map(toSource)));
        return undefined;
      case 'attachUris':
        void list.add([
          ...command.uris.map((uri) => {
            const path = host.pathOf(uri);
            return path === undefined ? unplaced(uri) : toSource(path);
          }),
          ...command.unplaced.map(unplaced),
        ]);
        return undefined;
      case 'attachImage': {
        const { name, mimeType, bytes, base64 } = command;
        void list.add([{ type: 'image', name, mimeType, bytes, data: base64 }]);
        return undefined;
      }
      case 'attachText':
        void list.add([{ type: 'text', name: command.name, text: command.text }]);
        return undefined;
      case 'removeAttachment':
        list.remove(command.id);
        return undefined;
      case 'releaseSecrets':
        void list.releaseSecrets(command.id);
        return undefined;
      case 'loadPicture': {
        const image = list.all(undefined).find(({ id }) => id === command.id)?.attachment?.image;
        if (image) this.showPicture(command.id, image);
        return undefined;
      }
      case 'unpackAttachment':
        return list.takeText(command.id);
      default:
        return assertNever(command);
    }
  }

  showPicture(id: string, { data }: NonNullable<Attachment['image']>): void {
    this.post({ type: 'pictureLoaded', picture: { id, base64: data } });
  }

  dispose(): void {
    this.search?.abort();
    this.deps.list.dispose();
    this.disposables.dispose();
  }

  /** Starting a search ends the one before. */
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
      // What was found until then is better than nothing.
    }
    if (!search.signal.aborted) this.offer(requestId, found, true);
  }

  private offer(requestId: number, { mentions, note }: FoundMentions, isComplete: boolean): void {
    const offered = new Map<string, AttachmentSource>();
    const options = mentions.map(({ source, ...shown }, index) => {
      const id = `${requestId}.${index}`;
      offered.set(id, source);
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
