import * as z from 'zod/mini';
import type { ChatChange, ChatController } from '../../chat/chatController.ts';
import { branchTargetSchema, type BranchTarget as ShownTarget } from '../../shared/branches.ts';
import type { PostToPage } from '../../shared/protocol.ts';

const targetSchema = z.extend(branchTargetSchema, { chatId: z.string(), inPlaceOf: z.string() });
type Target = z.infer<typeof targetSchema>;

export interface BranchTargetDependencies {
  chat: ChatController;
  memory: { branchTarget: unknown };
  post: PostToPage;
}

export class BranchTarget {
  private target: Target | undefined;

  constructor(private readonly deps: BranchTargetDependencies) {
    this.target = targetSchema.safeParse(deps.memory.branchTarget).data;
  }

  /** Undefined while the next message goes to the end. */
  get shown(): ShownTarget | undefined {
    const { target } = this;
    return target && this.isThere(target) ? { id: target.id } : undefined;
  }

  get inPlaceOf(): string | undefined {
    return this.shown && this.target?.inPlaceOf;
  }

  branchFrom(answerId: string): void {
    const { chat } = this.deps;
    const { all, id: chatId } = chat.shown.conversation;
    const at = all.findIndex(({ id }) => id === answerId);
    const next = at < 0 ? undefined : all.find(({ type }, index) => index > at && type === 'user');
    if (next && !chat.shown.isRunning) this.set({ id: answerId, chatId, inPlaceOf: next.id });
  }

  cancel(): void {
    if (this.target) this.set(undefined);
  }

  onChange({ type }: ChatChange): void {
    const { target } = this;
    if (target && changesPath.has(type) && !this.isThere(target)) this.cancel();
  }

  private set(target: Target | undefined): void {
    const { memory, post } = this.deps;
    this.target = target;
    memory.branchTarget = target;
    const { shown } = this;
    post({ type: 'branchTargetChanged', ...(shown && { target: shown }) });
  }

  private isThere({ chatId, id, inPlaceOf }: Target): boolean {
    const { conversation } = this.deps.chat.shown;
    const isOnPath = (wanted: string) => conversation.all.some((item) => item.id === wanted);
    return conversation.id === chatId && isOnPath(id) && isOnPath(inPlaceOf);
  }
}

/** Changes after which other messages may be shown, or at other places. */
export const changesPath: ReadonlySet<ChatChange['type']> = new Set([
  'chatOpened',
  'versionStarted',
  'versionChosen',
  'branchDeleted',
  'itemsRemoved',
  'checkpointRestored',
  'earlierLoaded',
]);
