import * as z from 'zod/mini';
import { attachmentSourceSchema, type AttachmentSource } from '../../chat/attachments/attachment.ts';
import type { ChatChange } from '../../chat/chatController.ts';
import type { UserItem } from '../../chat/conversation/items.ts';
import type { MessageEdit } from '../../shared/branches.ts';
import type { PostToPage } from '../../shared/protocol.ts';
import type { AttachmentController } from '../attachmentController.ts';
import { changesPath } from './branchTarget.ts';
import { MessageSender, type MessageSenderDependencies, type Outbox } from './messageSender.ts';

const editSchema = z.object({
  chatId: z.string(),
  id: z.string(),
  text: z.string(),
  sources: z.array(attachmentSourceSchema),
  /** False once another message of the conversation is edited. */
  isOpen: z.boolean(),
  isChanged: z.optional(z.literal(true)),
});
type Edit = z.infer<typeof editSchema>;

/** The newest edits; older ones belong to conversations that were left long ago. */
const mostEdits = 50;

export interface MessageEditsDependencies extends MessageSenderDependencies {
  memory: { edits: unknown };
  attachments: AttachmentController;
  post: PostToPage;
  explain(action: Promise<unknown>): void;
}

export function changedEdits(saved: unknown): readonly { text: string; sources: AttachmentSource[] }[] {
  return parse(saved).filter(({ isChanged }) => isChanged);
}

/** One edited message a conversation. Its text is kept until sent or cancelled, also while another conversation is shown. */
export class MessageEdits {
  private edits: readonly Edit[];
  private loaded: Edit | undefined;
  /** Place and message, as last posted to the page. */
  private told = '';
  private sending = '';
  private readonly sender: MessageSender;

  constructor(private readonly deps: MessageEditsDependencies) {
    this.edits = parse(deps.memory.edits);
    deps.attachments.listen((message) => this.onAttachments(message));
    this.sender = new MessageSender(deps, this.outbox());
  }

  start(id: string): void {
    const { chat } = this.deps;
    const message = this.message(id);
    if (!message || chat.shown.isRunning) return;
    const chatId = chat.shown.conversation.id;
    const known = this.edits.find((edit) => edit.id === id && edit.chatId === chatId);
    const others = this.edits
      .filter((edit) => edit !== known && (edit.chatId !== chatId || edit.isChanged))
      .map((edit) => (edit.chatId === chatId ? { ...edit, isOpen: false } : edit));
    const edit = known ?? { chatId, id, text: message.text, sources: [], isOpen: true };
    this.set([...others, { ...edit, isOpen: true }]);
    this.tell(true);
  }

  isShown(id: string): boolean {
    return this.loaded?.id === id;
  }

  /** Ignored if the message is no longer edited. */
  change(id: string, text: string): void {
    const edit = this.edits.find((each) => each.id === id);
    if (edit && edit.text !== text) this.replace(edit, { ...edit, text, isChanged: true });
  }

  async send(id: string, text: string): Promise<void> {
    this.change(id, text);
    const { prompts, apps } = this.deps;
    const isSlash = text.trimStart().startsWith('/') && !apps.chosen;
    const slash = isSlash ? await prompts.read(text) : undefined;
    if (this.loaded?.id !== id || this.sender.isPreparing) return;
    this.sending = id;
    await this.sender.send(text, slash);
  }

  unpack(id: string, attachmentId: string): void {
    const { attachments, post } = this.deps;
    if (this.loaded?.id !== id) return;
    const unpacked = attachments.takeText(attachmentId);
    if (unpacked === undefined) return;
    const text = [this.loaded.text, unpacked].filter(Boolean).join('\n');
    this.change(id, text);
    post({ type: 'draftReplaced', text, box: id });
  }

  /** To be posted: later changes are told by comparison with it. */
  state(): MessageEdit | undefined {
    const { attachments } = this.deps;
    const edit = this.shown;
    this.load(edit);
    const state = edit && {
      id: edit.id,
      index: this.indexOf(edit.id),
      text: edit.text,
      attachments: attachments.chips(),
    };
    this.told = state ? `${state.index} ${state.id}` : '';
    return state;
  }

  onChange({ type }: ChatChange): void {
    if (changesPath.has(type) || addsAbove.has(type)) this.tell(false);
  }

  private tell(isNew: boolean): void {
    const before = this.told;
    const edit = this.state();
    if (this.told === before && !isNew) return;
    this.deps.post({ type: 'editChanged', ...(edit && { edit }), ...(isNew && { isNew }) });
  }

  end(id: string): void {
    this.set(this.edits.filter((edit) => edit.id !== id));
    this.tell(false);
  }

  private get shown(): Edit | undefined {
    const { conversation, hasEarlier } = this.deps.chat.shown;
    const edit = this.edits.find(({ chatId, isOpen }) => isOpen && chatId === conversation.id);
    if (!edit || this.message(edit.id)) return edit;
    // Loading the rest of a long conversation posts the change itself.
    if (hasEarlier) this.deps.explain(this.deps.chat.shown.loadEarlier());
    return undefined;
  }

  private load(edit: Edit | undefined): void {
    if (this.loaded?.id === edit?.id && this.loaded?.chatId === edit?.chatId) return;
    const { attachments } = this.deps;
    this.loaded = undefined;
    attachments.takeAll();
    const message = edit && this.message(edit.id);
    if (!edit || !message) return;
    if (edit.isChanged) attachments.restoreSaved(message, edit.sources);
    else attachments.restore(message);
    this.loaded = { ...edit, sources: attachments.saved };
    this.replace(edit, this.loaded);
  }

  private onAttachments(message: Parameters<PostToPage>[0]): void {
    const { loaded } = this;
    const { attachments, post } = this.deps;
    if (message.type !== 'attachmentsChanged') return post(message);
    // While `load` fills in the attachments, they are incomplete.
    if (!loaded) return;
    const sources = attachments.saved;
    if (JSON.stringify(loaded.sources) !== JSON.stringify(sources))
      this.replace(loaded, { ...loaded, sources, isChanged: true });
    post({ ...message, box: loaded.id });
  }

  private outbox(): Outbox {
    const { attachments, post } = this.deps;
    const loaded = () => this.loaded;
    const message = (id: string) => this.message(id);
    return {
      attachments,
      get inPlaceOf() {
        return loaded()?.id;
      },
      get edited() {
        const edit = loaded();
        return edit && message(edit.id);
      },
      // The message keeps what was attached when it was sent.
      ofEditor: () => [],
      held: () => post({ type: 'messageHeld', box: this.sending }),
      left: () => this.end(this.sending),
    };
  }

  private replace(edit: Edit, next: Edit): void {
    this.set(this.edits.map((each) => (each.id === edit.id ? next : each)));
  }

  private set(edits: readonly Edit[]): void {
    this.edits = edits.slice(-mostEdits);
    if (this.loaded) this.loaded = this.edits.find(({ id }) => id === this.loaded?.id) ?? this.loaded;
    this.deps.memory.edits = this.edits.length > 0 ? this.edits : undefined;
  }

  private indexOf(id: string): number {
    return this.deps.chat.shown.conversation.all.findLastIndex((item) => item.id === id);
  }

  private message(id: string): UserItem | undefined {
    const item = this.deps.chat.shown.conversation.all[this.indexOf(id)];
    return item?.type === 'user' ? item : undefined;
  }
}

/** Changes that may add an entry above others. */
const addsAbove: ReadonlySet<ChatChange['type']> = new Set([
  'noticed',
  'turnsSummarised',
  'knowledgeSearched',
]);

function parse(saved: unknown): Edit[] {
  return z.array(editSchema).safeParse(saved).data ?? [];
}
