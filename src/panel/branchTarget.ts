import * as z from 'zod/mini';
import { attachmentSourceSchema, type AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { UserItem } from '../chat/items.ts';
import { branchTargetSchema, type BranchTarget as ShownTarget } from '../shared/branches.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { AttachmentController } from './attachmentController.ts';

const targetSchema = z.extend(branchTargetSchema, {
  chatId: z.string(),
  /** The message that the next one takes the place of. */
  inPlaceOf: z.string(),
  /** What was in the message box before, where a message is edited in it. */
  setAside: z.optional(z.object({ draft: z.string(), sources: z.array(attachmentSourceSchema) })),
});
type Target = z.infer<typeof targetSchema>;

/** What a saved target keeps out of the message box. */
export function setAsideIn(saved: unknown): Target['setAside'] {
  return targetSchema.safeParse(saved).data?.setAside;
}

export interface BranchTargetDependencies {
  chat: ChatController;
  /** `savedTarget` outlives the window, as the draft does; it is parsed. */
  memory: { draft: string; savedTarget: unknown };
  attachments: AttachmentController;
  /** Puts a text into the message box in place of what is there. */
  replaceDraft(text: string): void;
  post: PostToPage;
}

/** The message in whose place the next one is sent, with what it keeps out of the message box meanwhile. */
export class BranchTarget {
  private target: Target | undefined;
  private isSending = false;

  constructor(private readonly deps: BranchTargetDependencies) {
    this.target = targetSchema.safeParse(deps.memory.savedTarget).data;
  }

  /** Undefined while the next message goes to the end. */
  get shown(): ShownTarget | undefined {
    const { target } = this;
    return target && this.isThere(target) ? { id: target.id, kind: target.kind } : undefined;
  }

  get inPlaceOf(): string | undefined {
    return this.shown && this.target?.inPlaceOf;
  }

  /** The message that is edited. */
  get edited(): UserItem | undefined {
    return this.shown?.kind === 'edit' ? this.message(this.shown.id) : undefined;
  }

  edit(id: string): void {
    const { attachments, chat, memory, replaceDraft } = this.deps;
    const message = this.message(id);
    if (!message || chat.isRunning) return;
    this.cancel();
    const setAside = { draft: memory.draft, sources: [...attachments.takeAll()] };
    this.set({ id, kind: 'edit', chatId: chat.conversation.id, inPlaceOf: id, setAside });
    attachments.restore(message);
    replaceDraft(message.text);
  }

  /** What is in the message box stays there. */
  branchFrom(answerId: string): void {
    const { chat } = this.deps;
    const { all, id: chatId } = chat.conversation;
    const at = all.findIndex(({ id }) => id === answerId);
    const next = at < 0 ? undefined : all.find(({ type }, index) => index > at && type === 'user');
    if (!next || chat.isRunning) return;
    this.cancel();
    this.set({ id: answerId, kind: 'branch', chatId, inPlaceOf: next.id });
  }

  /** What was in the message box before is there again. */
  cancel(): void {
    const setAside = this.leave();
    if (!setAside) return;
    this.deps.attachments.takeAll();
    this.putBack(setAside);
  }

  /** What it changes is what the target is for. */
  whileSending<T>(send: () => T): T {
    this.isSending = true;
    try {
      return send();
    } finally {
      this.isSending = false;
    }
  }

  /** The message is sent, and the box empty. */
  sent(): void {
    const setAside = this.leave();
    if (setAside) this.putBack(setAside);
  }

  /** What was typed for a message that is not there any more stays, above what was in the box before. */
  onChange({ type }: ChatChange): void {
    const { target } = this;
    if (!target || this.isSending || !changesPath.has(type) || this.isThere(target)) return;
    const { draft } = this.deps.memory;
    const setAside = this.leave();
    if (setAside) this.putBack({ ...setAside, draft: [draft, setAside.draft].filter(Boolean).join('\n') });
  }

  private leave(): Target['setAside'] {
    const { target } = this;
    if (target) this.set(undefined);
    return target?.setAside;
  }

  private putBack({ draft, sources }: { draft: string; sources: AttachmentSource[] }): void {
    this.deps.attachments.add(sources);
    this.deps.replaceDraft(draft);
  }

  private set(target: Target | undefined): void {
    const { memory, post } = this.deps;
    this.target = target;
    memory.savedTarget = target;
    const { shown } = this;
    post({ type: 'branchTargetChanged', ...(shown && { target: shown }) });
  }

  private isThere({ chatId, id, inPlaceOf }: Target): boolean {
    const { conversation } = this.deps.chat;
    const isOnPath = (wanted: string) => conversation.all.some((item) => item.id === wanted);
    return conversation.id === chatId && isOnPath(id) && isOnPath(inPlaceOf);
  }

  private message(id: string): UserItem | undefined {
    const item = this.deps.chat.conversation.all.find((each) => each.id === id);
    return item?.type === 'user' ? item : undefined;
  }
}

const changesPath = new Set<ChatChange['type']>([
  'chatOpened',
  'versionStarted',
  'versionChosen',
  'branchDeleted',
  'itemsRemoved',
  'checkpointRestored',
  'earlierLoaded',
]);
