import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { lazy } from '../base/lazy.ts';
import type { KnowledgeBase } from '../tools/knowledge/source.ts';
import type { FilledForm } from '../apps/appForm.ts';
import type { Rating } from '../apps/app.ts';
import type { PlatformConversation } from './apps/platformConversation.ts';
import type { Attachment } from './attachments/attachment.ts';
import type { ChatDependencies } from './chatDependencies.ts';
import type { SavedEnd } from './chatStore.ts';
import { ChatSession, type SessionChange, type SessionContext, type SubmitOptions } from './chatSession.ts';
import type { ContextUse } from './context/contextUse.ts';
import type { ContextParts } from './context/measureParts.ts';
import { ContextKnowledge } from './context/contextKnowledge.ts';
import { Conversation } from './conversation.ts';
import type { SentInstructions } from './instructions/sentInstructions.ts';
import type { QueuedMessage } from './items.ts';
import type { AnswerEnd, ChatEvent, ChatStatus } from './events.ts';
import type { ApprovalLevel } from './modes/mode.ts';
import type { Parameters } from '../relay/parameters.ts';

/** How the turn of a conversation ended. */
export interface TurnEnd {
  conversation: Conversation;
  end: AnswerEnd;
}

/** A change of the conversation that is shown, or that another is shown now. */
export type ChatChange = SessionChange | { type: 'chatOpened'; chatId: string };

/**
 * The conversations that are held open: the one that is shown, and those in which a turn still runs. Showing another
 * one stops nothing. What is ordered here goes to the conversation that is shown.
 */
export class ChatController implements Disposable {
  private readonly changes = new Emitter<ChatChange>();
  readonly onDidChange = this.changes.event;
  private readonly sessionChanges = new Emitter<void>();
  /** A conversation began or ended to run, asks, or is held open no longer, whether it is shown or not. */
  readonly onDidChangeSessions = this.sessionChanges.event;

  private readonly turnEnds = new Emitter<TurnEnd>();
  /** A conversation came to rest, whether it is shown or not. */
  readonly onDidEndTurn = this.turnEnds.event;

  /** By the conversation's id. */
  private readonly held = new Map<string, ChatSession>();
  private current: ChatSession;
  /** Conversations that may be deleted: what is added to one would bring its file back. */
  private readonly closed = new Set<string>();
  /** Counts what was asked to be shown: what took longer to load than what was asked for later is not shown. */
  private asked = 0;
  private readonly context: SessionContext;
  /** Loaded with the first conversation with an app. */
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
      knowledge: new ContextKnowledge((modelId) => deps.modelLimits(modelId), deps.windows),
      refusesTools: new Set(),
      appConversations: () => this.appConversations(),
    };
    this.current = this.open(new Conversation(deps.newId()));
  }

  /** The conversation that is shown, first, and all in which a turn runs. */
  get sessions(): readonly ChatSession[] {
    return [this.current, ...[...this.held.values()].filter((session) => session !== this.current)];
  }

  get conversation(): Conversation {
    return this.current.conversation;
  }

  /** There is more of the conversation that is shown than is loaded. */
  get hasEarlier(): boolean {
    return this.current.hasEarlier;
  }

  loadEarlier(): Promise<void> {
    return this.current.loadEarlier();
  }

  /** A turn of the conversation that is shown runs in another window. */
  get isRunningElsewhere(): boolean {
    return this.current.isRunningElsewhere;
  }

  /** Takes over what other windows have added to the conversation that is shown; see `ChatSession.update`. */
  update(): Promise<void> {
    return this.current.update();
  }

  /** Tells when other windows may have added to the conversation that is shown now. */
  watch(onChange: () => void): Disposable {
    return this.deps.store.watch(this.conversation.id, onChange);
  }

  get isRunning(): boolean {
    return this.current.isRunning;
  }

  get status(): ChatStatus {
    return this.current.status;
  }

  /** The model the next message goes to. */
  get model(): string | undefined {
    return this.current.model;
  }

  /** Shows a saved chat; one that runs is shown as it is. False if there is no such chat. Throws when it cannot be read. */
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
    // What is said of it in vain is said again when it is needed.
    if (end?.isEarlierWanted) this.current.loadEarlier().catch(() => undefined);
    return true;
  }

  async startNewChat(): Promise<string> {
    this.asked++;
    this.show(this.open(new Conversation(this.deps.newId())));
    return this.current.conversation.id;
  }

  /** Adds to a conversation, whether it is held open or not. */
  record(chatId: string, event: ChatEvent): void {
    const session = this.held.get(chatId);
    if (session) session.record(event);
    else if (!this.closed.has(chatId)) this.deps.store.append(chatId, event);
  }

  /** Ends what runs in a conversation and holds it no longer, so that its file can be deleted. */
  async closeChat(chatId: string): Promise<void> {
    const session = this.held.get(chatId);
    await session?.stop();
    session?.dispose();
    this.closed.add(chatId);
    if (session === this.current) await this.startNewChat();
  }

  /**
   * Opens a conversation that the platform keeps, as it is there now; the same one always in the same chat. Resolves
   * with the chat's id, throws a `SwitchboardError` when it could not be loaded.
   */
  async openAppConversation(appId: string, conversation: PlatformConversation): Promise<string> {
    const order = ++this.asked;
    const apps = await this.appConversations();
    const { chatId, events } = await apps.openConversation(appId, conversation);
    if (order === this.asked) this.show(this.sessionOf(chatId, events));
    return chatId;
  }

  /** Tells the platform what the user thinks of an app's answer. Throws when that failed. */
  async rateAnswer(answerId: string, rating: Rating | undefined): Promise<void> {
    const session = this.current;
    await (await this.appConversations()).rate(session.conversation, answerId, rating);
  }

  selectModel(modelId: string): void {
    this.current.selectModel(modelId);
  }

  /** The id of the mode that holds for the calls to come. */
  get modeId(): string {
    return this.current.modeId;
  }

  selectMode(modeId: string): void {
    this.current.selectMode(modeId);
  }

  selectApprovals(level: ApprovalLevel): void {
    this.current.selectApprovals(level);
  }

  chooseParameters(parameters: Parameters): void {
    this.current.chooseParameters(parameters);
  }

  chooseKnowledge(bases: readonly KnowledgeBase[]): void {
    this.current.chooseKnowledge(bases);
  }

  submit(
    text: string,
    attachments: readonly Attachment[] = [],
    inputs?: FilledForm,
    options?: SubmitOptions,
  ): Promise<AnswerEnd> | undefined {
    return this.current.submit(text, attachments, inputs, options);
  }

  enqueue(message: Omit<QueuedMessage, 'id'>): boolean {
    return this.current.enqueue(message);
  }

  /** The queued messages that are for the turn that runs. */
  get steering(): readonly QueuedMessage[] {
    return this.current.steering;
  }

  sendQueued(id: string): Promise<AnswerEnd | undefined> {
    return this.current.sendQueued(id);
  }

  removeQueued(id: string): QueuedMessage | undefined {
    return this.current.removeQueued(id);
  }

  retry(itemId: string, inputs?: FilledForm): Promise<AnswerEnd> | undefined {
    return this.current.retry(itemId, inputs);
  }

  answerLeftByRetry(itemId: string): string | undefined {
    return this.current.answerLeftByRetry(itemId);
  }

  chooseVersion(itemId: string, direction: 'previous' | 'next'): void {
    this.current.chooseVersion(itemId, direction);
  }

  goTo(itemId: string): void {
    this.current.goTo(itemId);
  }

  deleteFrom(itemId: string): boolean {
    return this.current.deleteFrom(itemId);
  }

  startPlan(answerId: string): Promise<AnswerEnd | undefined> {
    return this.current.startPlan(answerId);
  }

  continueAnswer(itemId: string): Promise<AnswerEnd> | undefined {
    return this.current.continueAnswer(itemId);
  }

  /** Goes on with an answer whose run waited, if its conversation is held open; see `ChatSession`. */
  followRun(chatId: string, answerId: string): Promise<AnswerEnd> | undefined {
    return this.held.get(chatId)?.followRun(answerId);
  }

  stopWaiting(answerId: string): void {
    this.current.stopWaiting(answerId);
  }

  /** The project's instruction files for everything, as a first message would take them along. */
  async projectInstructions(): Promise<SentInstructions[]> {
    const { instructions } = await this.deps.prompt();
    const { fitInstructions, mostInstructionBytes } = await import('./instructions/sentInstructions.ts');
    return fitInstructions(await instructions.ofWorkspace(), mostInstructionBytes);
  }

  /** All that an answer was asked with, to be read by the user. */
  describeRequest(answerId: string): Promise<string | undefined> {
    return this.current.describeRequest(answerId);
  }

  compact(): Promise<AnswerEnd> | undefined {
    return this.current.compact();
  }

  contextUse(measured?: ContextParts): Promise<ContextUse | undefined> {
    return this.current.contextUse(measured);
  }

  contextParts(): Promise<ContextParts | undefined> {
    return this.current.contextParts();
  }

  resume(): Promise<AnswerEnd> | undefined {
    return this.current.resume();
  }

  stop(): Promise<void> {
    return this.current.stop();
  }

  /** The window goes away: what runs is found interrupted when it is opened again. */
  dispose(): void {
    for (const session of this.held.values()) session.dispose();
  }

  /** The session of a conversation with these events; one that runs goes on as it is. */
  private sessionOf(chatId: string, events: readonly ChatEvent[] = []): ChatSession {
    const session = this.held.get(chatId);
    return session?.isRunning ? session : this.open(new Conversation(chatId, events));
  }

  private open(conversation: Conversation, end?: SavedEnd, isElsewhere = false): ChatSession {
    const session = new ChatSession(conversation, this.context, end, isElsewhere);
    this.held.set(conversation.id, session);
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

  /** What is neither shown nor running is in its file and need not be held. */
  private release(session: ChatSession): void {
    const { id } = session.conversation;
    if (session === this.current || session.isRunning || this.held.get(id) !== session) return;
    this.held.delete(id);
    session.leave();
    this.sessionChanges.fire();
  }

  private onSessionChange(session: ChatSession, change: SessionChange): void {
    if (session === this.current) this.changes.fire(change);
    if (change.type === 'turnEnded') {
      this.turnEnds.fire({ conversation: session.conversation, end: change.end });
    }
    if (change.type !== 'statusChanged') return;
    this.release(session);
    this.sessionChanges.fire();
  }
}
