import * as z from 'zod/mini';
import { attachmentSourceSchema, type AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { UserItem } from '../chat/conversation/items.ts';
import { branchTargetSchema, type BranchTarget as ShownTarget } from '../shared/branches.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { AttachmentController } from './attachmentController.ts';

const targetSchema = z.extend(branchTargetSchema, {
  chatId: z.string(),
  inPlaceOf: z.string(),
  /** The draft from before editing began. */
  setAside: z.optional(z.object({ draft: z.string(), sources: z.array(attachmentSourceSchema) })),
});
type Target = z.infer<typeof targetSchema>;

/** Texts that a saved target keeps out of the message box. */
export function setAsideIn(saved: unknown): Target['setAside'] {
  return targetSchema.safeParse(saved).data?.setAside;
}

export interface BranchTargetDependencies {
  chat: ChatController;
  /** `savedTarget` survives the window, like the draft, and is parsed. */
  memory: { draft: string; savedTarget: unknown };
  attachments: AttachmentController;
  replaceDraft(text: string): void;
  post: PostToPage;
}

/** The message that the next one replaces or follows, and the draft set aside meanwhile. */
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

  get edited(): UserItem | undefined {
    return this.shown?.kind === 'edit' ? this.message(this.shown.id) : undefined;
  }

  edit(id: string): void {
    const { attachments, chat, memory, replaceDraft } = this.deps;
    const message = this.message(id);
    if (!message || chat.shown.isRunning) return;
    this.cancel();
    const setAside = { draft: memory.draft, sources: [...attachments.takeAll()] };
    this.set({ id, kind: 'edit', chatId: chat.shown.conversation.id, inPlaceOf: id, setAside });
    attachments.restore(message);
    replaceDraft(message.text);
  }

  /** Leaves the draft as it is. */
  branchFrom(answerId: string): void {
    const { chat } = this.deps;
    const { all, id: chatId } = chat.shown.conversation;
    const at = all.findIndex(({ id }) => id === answerId);
    const next = at < 0 ? undefined : all.find(({ type }, index) => index > at && type === 'user');
    if (!next || chat.shown.isRunning) return;
    this.cancel();
    this.set({ id: answerId, kind: 'branch', chatId, inPlaceOf: next.id });
  }

  cancel(): void {
    const setAside = this.leave();
    if (!setAside) return;
    this.deps.attachments.takeAll();
    this.putBack(setAside);
  }

  /** Changes made by sending to the target do not cancel it. */
  whileSending<T>(send: () => T): T {
    this.isSending = true;
    try {
      return send();
    } finally {
      this.isSending = false;
    }
  }

  sent(): void {
    const setAside = this.leave();
    if (setAside) this.putBack(setAside);
  }

  /** Text typed for a message that is gone stays, above the earlier draft. */
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
    const { conversation } = this.deps.chat.shown;
    const isOnPath = (wanted: string) => conversation.all.some((item) => item.id === wanted);
    return conversation.id === chatId && isOnPath(id) && isOnPath(inPlaceOf);
  }

  private message(id: string): UserItem | undefined {
    const item = this.deps.chat.shown.conversation.all.find((each) => each.id === id);
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
