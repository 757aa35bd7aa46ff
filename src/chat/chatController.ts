import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { lazy } from '../base/async/lazy.ts';
import type { Rating } from '../apps/app.ts';
import type { ConfirmAnnotation } from './apps/appConversations.ts';
import type { PlatformConversation } from './apps/platformConversation.ts';
import type { ChatDependencies } from './chatDependencies.ts';
import type { SavedEnd } from './store/chatStore.ts';
import { ChatSession } from './session/chatSession.ts';
import type { SessionChange, SessionContext } from './session/sessionState.ts';
import { Conversation } from './conversation/conversation.ts';
import { pathsToReview } from './conversation/rollback.ts';
import type { SentInstructions } from './instructions/sentInstructions.ts';
import type { AnswerEnd, ChatEvent } from './store/events.ts';

export interface TurnEnd {
  conversation: Conversation;
  end: AnswerEnd;
}

/** Changes after which permissions may differ: reloading brings in whatever other windows chose. */
const permissionChanges: ReadonlySet<ChatChange['type']> = new Set([
  'modeSelected',
  'approvalsSelected',
  'settingsRepeated',
  'grantsChanged',
  'earlierLoaded',
]);

export type ChatChange = SessionChange | { type: 'chatOpened'; chatId: string };

/** Holds the shown conversation, all running ones, and those with changes to review. Showing another stops nothing. */
export class ChatController implements Disposable {
  private readonly changes = new Emitter<ChatChange>();
  readonly onDidChange = this.changes.event;
  private readonly sessionChanges = new Emitter<void>();
  /** Fires when any held conversation starts or stops running, asks for approval, or is released. */
  readonly onDidChangeSessions = this.sessionChanges.event;

  private readonly permissionChanges = new Emitter<void>();
  readonly onDidChangePermissions = this.permissionChanges.event;

  private readonly turnEnds = new Emitter<TurnEnd>();
  readonly onDidEndTurn = this.turnEnds.event;

  private readonly held = new Map<string, ChatSession>();
  /** Conversations that were left with changes to review, until these are decided. */
  private readonly toReview = new Map<string, ChatSession>();
  private current: ChatSession;
  /** Conversations that may be deleted: recording an event would recreate the file. */
  private readonly closed = new Set<string>();
  /** Number of the latest request to show a conversation; slower loads of earlier requests are dropped. */
  private asked = 0;
  private readonly context: SessionContext;
  private readonly appConversations = lazy(async () => {
    const { AppConversations } = await import('./apps/appConversations.ts');
    const { apps, conversationLinks, store, newId } = this.deps;
    return new AppConversations(apps, conversationLinks, {
      find: (chatId) => this.held.get(chatId),
      load: (chatId) => store.load(chatId),
      keep: (chatId, event) => store.append(chatId, event),
      newId,
    });
  });

  constructor(private readonly deps: ChatDependencies) {
    this.context = {
      ...deps,
      knowledge: lazy(async () => {
        const { ContextKnowledge } = await import('./context/contextKnowledge.ts');
        return new ContextKnowledge((modelId) => deps.modelLimits(modelId), deps.windows);
      }),
      appConversations: () => this.appConversations(),
    };
    this.current = this.open(new Conversation(deps.newId()));
  }

  get shown(): ChatSession {
    return this.current;
  }

  get sessions(): readonly ChatSession[] {
    const others = [...this.held.values()].filter((session) => session !== this.current);
    return [this.current, ...others, ...this.toReview.values()];
  }

  watch(onChange: () => void): Disposable {
    return this.deps.store.watch(this.current.conversation.id, onChange);
  }

  /** Shows a saved or running chat. False if the chat doesn't exist. Throws when its file can't be read. */
  async openChat(chatId: string): Promise<boolean> {
    const order = ++this.asked;
    const { store } = this.deps;
    let end: SavedEnd | undefined;
    let isElsewhere = false;
    if (!this.held.has(chatId)) {
      isElsewhere = store.isRunningElsewhere(chatId);
      end = await store.loadEnd(chatId);
      if (!end) return false;
    }
    if (order !== this.asked) return true;
    this.show(this.held.get(chatId) ?? this.open(new Conversation(chatId, end?.events), end, isElsewhere));
    // A failed load is reported when the earlier part is needed.
    if (end?.isEarlierWanted) this.current.loadEarlier().catch(() => undefined);
    return true;
  }

  async startNewChat(): Promise<string> {
    this.asked++;
    const { model } = this.current.choices;
    const session = this.open(new Conversation(this.deps.newId()));
    session.choices.modelBefore = model;
    this.show(session);
    return this.current.conversation.id;
  }

  record(chatId: string, event: ChatEvent): void {
    const session = this.held.get(chatId) ?? this.toReview.get(chatId);
    if (session) session.record(event);
    else if (!this.closed.has(chatId)) this.deps.store.append(chatId, event);
  }

  /** Stops and releases a conversation so that its file can be deleted. */
  async closeChat(chatId: string): Promise<void> {
    const session = this.held.get(chatId);
    await session?.stop();
    session?.dispose();
    this.closed.add(chatId);
    if (this.toReview.delete(chatId)) this.sessionChanges.fire();
    if (session === this.current) await this.startNewChat();
  }

  /** Opens a platform conversation, always in the same chat, and returns its id. Throws a `SwitchboardError`. */
  async openAppConversation(appId: string, conversation: PlatformConversation): Promise<string> {
    const order = ++this.asked;
    const apps = await this.appConversations();
    const { chatId, events } = await apps.openConversation(appId, conversation);
    if (order === this.asked) this.show(this.sessionOf(chatId, events));
    return chatId;
  }

  async rateAnswer(answerId: string, rating: Rating | undefined): Promise<void> {
    const session = this.current;
    await (await this.appConversations()).rate(session.conversation, answerId, rating);
  }

  async saveAnnotation(answerId: string, confirm: ConfirmAnnotation): Promise<void> {
    const { conversation } = this.current;
    const isSaved = await (await this.appConversations()).annotate(conversation, answerId, confirm);
    if (!isSaved) return;
    this.record(conversation.id, { type: 'answerAnnotated', id: answerId, annotation: 'saved' });
  }

  find(chatId: string): ChatSession | undefined {
    return this.held.get(chatId);
  }

  async projectInstructions(): Promise<SentInstructions[]> {
    const { instructions } = await this.deps.prompt();
    const { fitInstructions, mostInstructionBytes } = await import('./instructions/sentInstructions.ts');
    return fitInstructions(await instructions.ofWorkspace(), mostInstructionBytes);
  }

  dispose(): void {
    for (const session of this.held.values()) session.dispose();
  }

  private sessionOf(chatId: string, events: readonly ChatEvent[] = []): ChatSession {
    const session = this.held.get(chatId);
    return session?.isRunning ? session : this.open(new Conversation(chatId, events));
  }

  private open(conversation: Conversation, end?: SavedEnd, isElsewhere = false): ChatSession {
    const session = new ChatSession(conversation, this.context, end, isElsewhere);
    this.held.set(conversation.id, session);
    this.toReview.delete(conversation.id);
    this.closed.delete(conversation.id);
    session.onDidChange((change) => this.onSessionChange(session, change));
    return session;
  }

  private show(session: ChatSession): void {
    const left = this.current;
    this.current = session;
    if (left !== session) this.release(left);
    this.changes.fire({ type: 'chatOpened', chatId: session.conversation.id });
  }

  private release(session: ChatSession): void {
    const { id } = session.conversation;
    if (session === this.current || session.isRunning || this.held.get(id) !== session) return;
    this.held.delete(id);
    session.leave();
    if (hasChangesToReview(session)) this.toReview.set(id, session);
    this.sessionChanges.fire();
  }

  private onSessionChange(session: ChatSession, change: SessionChange): void {
    if (session === this.current) {
      this.changes.fire(change);
      if (permissionChanges.has(change.type)) this.permissionChanges.fire();
    }
    if (change.type === 'turnEnded') {
      this.turnEnds.fire({ conversation: session.conversation, end: change.end });
    }
    const { id } = session.conversation;
    if (this.toReview.get(id) === session) {
      if (!hasChangesToReview(session)) this.toReview.delete(id);
      this.sessionChanges.fire();
    }
    if (change.type !== 'statusChanged') return;
    this.release(session);
    this.sessionChanges.fire();
  }
}

function hasChangesToReview({ conversation }: ChatSession): boolean {
  return conversation.all.some((item) => item.type === 'edits' && pathsToReview(item).length > 0);
}
