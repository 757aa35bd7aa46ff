import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { toFailure } from '../base/failure.ts';
import type { AppliedEdit } from '../tools/editJournal.ts';
import type { KnowledgeBase } from '../tools/knowledge/source.ts';
import type { ChatTurn } from './answerQuestion.ts';
import type { AppConversations } from './apps/appConversations.ts';
import type { FilledForm } from '../apps/appForm.ts';
import { appIdOf } from '../apps/appModelId.ts';
import type { Attachment, AttachmentSource } from './attachments/attachment.ts';
import type { ChatDependencies } from './chatDependencies.ts';
import type { SavedEnd, TurnLock } from './chatStore.ts';
import type { ContextKnowledge } from './context/contextKnowledge.ts';
import { countedTokens, type ContextUse } from './context/contextUse.ts';
import type { ContextParts } from './context/measureParts.ts';
import { canContinue } from './canContinue.ts';
import type { Conversation } from './conversation.ts';
import { HeldConversation, type HeldChange, type TakeNews } from './heldConversation.ts';
import type { AnswerItem, PromptChoices, QueuedMessage } from './items.ts';
import type { AnswerEnd, ChatEvent, ChatStatus } from './events.ts';
import { interruptedEdits, interruptions, lostCommands } from './interrupted.ts';
import type { ApprovalLevel, Mode } from './modes/mode.ts';
import { deletion, retriedFrom, rollback } from './rollback.ts';
import type { Parameters } from '../relay/parameters.ts';
import { runningElsewhere } from './runningElsewhere.ts';

export type SessionChange =
  | HeldChange
  | { type: 'statusChanged'; status: ChatStatus }
  /** It came to rest: nothing that waits follows. */
  | { type: 'turnEnded'; end: AnswerEnd };

/** So often it is looked whether a turn in another window still runs. */
const lookMs = 5000;

/** What the sessions of a window share. */
export interface SessionContext extends ChatDependencies {
  knowledge: ContextKnowledge;
  /** Learnt from refusals; a model that cannot have tools is not offered them again. */
  refusesTools: Set<string>;
  /** Loaded with the first conversation with an app. */
  appConversations(): Promise<AppConversations>;
}

/** How a message is sent. */
export interface SubmitOptions extends PromptChoices {
  /** Of its attachments, in their order. */
  sources?: readonly AttachmentSource[];
  /** The id of the message that it takes the place of. */
  inPlaceOf?: string | undefined;
}

interface RunningTurn {
  abort: AbortController;
  ended: Promise<AnswerEnd | undefined>;
  model: string;
  /** What other windows added before it is taken over. */
  isCaughtUp?: true;
}

/**
 * One conversation that is held open, with its running turn. It works on whether it is shown or not. Every change
 * goes through `record`, which applies it, keeps it in the conversation's own file, and tells the listeners. One turn
 * runs at a time, in one window: nothing of a turn is recorded before this window has the conversation's lock. A second is
 * refused, by `submit` returning undefined, since a message can wait in the queue, and else by a `SwitchboardError`.
 */
export class ChatSession implements Disposable {
  private readonly changes = new Emitter<SessionChange>();
  readonly onDidChange = this.changes.event;

  private readonly held: HeldConversation;
  private turn: RunningTurn | undefined;
  /** Ids of the queued messages that are for the turn that runs. */
  private forTurn = new Set<string>();
  private currentStatus: ChatStatus = { type: 'idle' };
  /** What was interrupted is being found out. */
  private ending: Promise<void> | undefined;
  /** An `update` that has not begun. */
  private updating: Promise<void> | undefined;
  private readonly following = new DisposableStore();
  /** Ids of the messages that this window has queued while another one was answering. */
  private readonly waiting = new Set<string>();

  /**
   * An answer that was coming when the editor was closed is marked as interrupted, unless another window gets it.
   * @param end what `conversation` was made of, if that is only its end
   */
  constructor(
    conversation: Conversation,
    private readonly context: SessionContext,
    end?: SavedEnd,
    private isElsewhere = false,
  ) {
    this.held = new HeldConversation(conversation, context.store, end);
    this.held.onDidChange((change) => this.changes.fire(change));
    if (isElsewhere) this.followElsewhere();
    else this.endInterrupted();
  }

  /** Says what ended with the window that ran it. */
  private endInterrupted(): void {
    // What seems interrupted may just have begun in another window.
    if (this.interrupted().next().done || this.findElsewhere()) return;
    const edits = this.turn ? [] : interruptedEdits(this.conversation);
    if (edits.length === 0) this.recordAll(this.interrupted());
    else this.ending ??= this.endEdits(edits).finally(() => (this.ending = undefined));
  }

  /** Whether an edit was made, its file tells, which takes a moment. */
  private async endEdits(edits: readonly AppliedEdit[]): Promise<void> {
    const { id } = this.conversation;
    const made = await Promise.all(edits.map((edit) => this.context.wasMade(id, edit)));
    this.recordAll(
      interruptions(
        this.conversation,
        edits.filter((_, index) => made[index]),
      ),
    );
    this.recordAll(lostCommands(this.conversation));
  }

  private recordAll(events: Iterable<ChatEvent>): void {
    for (const event of events) this.record(event);
  }

  private *interrupted(): Generator<ChatEvent> {
    // What has no end while a turn runs here is the turn's own.
    if (!this.turn) yield* interruptions(this.conversation);
    yield* lostCommands(this.conversation);
  }

  /** Whether a turn runs in another window at this moment; it is followed then. */
  private findElsewhere(): boolean {
    const isElsewhere = !this.turn && this.context.store.isRunningElsewhere(this.conversation.id);
    if (isElsewhere) this.setElsewhere(true);
    return isElsewhere;
  }

  private setElsewhere(isElsewhere: boolean): void {
    if (isElsewhere === this.isElsewhere) return;
    this.isElsewhere = isElsewhere;
    if (isElsewhere) this.followElsewhere();
    else this.endInterrupted();
    this.changes.fire({ type: 'statusChanged', status: this.status });
  }

  /** A turn of this conversation runs in another window, as far as is known. */
  get isRunningElsewhere(): boolean {
    return this.isElsewhere;
  }

  /** Takes over what other windows have added to the conversation. Rejects when that cannot be read, and when they have deleted it. */
  update(): Promise<void> {
    this.updating ??= this.held.inOrder((takeNews) => {
      this.updating = undefined;
      return this.look(takeNews);
    });
    return this.updating;
  }

  private async look(takeNews: TakeNews): Promise<void> {
    const { turn } = this;
    // It takes over by itself what it goes on from. What comes then from others waits behind it.
    if (turn?.isCaughtUp) await takeNews({ isOrdered: true });
    if (turn) return;
    const isElsewhere = this.context.store.isRunningElsewhere(this.conversation.id);
    await takeNews();
    if (this.turn || this.held.isDisposed) return;
    const hasEnded = this.isElsewhere && !isElsewhere;
    this.setElsewhere(isElsewhere);
    if (hasEnded) this.sendWaiting();
  }

  /** What was queued here while another window was answering follows that answer, as it would have there. */
  private sendWaiting(): void {
    const answer = this.conversation.all.findLast(({ type }) => type === 'answer');
    const next = this.conversation.queue.find(({ id }) => this.waiting.has(id));
    if (next && answer?.type === 'answer' && isWell(answer.end)) this.sendQueue([next]);
  }

  /** As long as the turn runs there: a window that is killed says nothing, so it is looked at from time to time. */
  private followElsewhere(): void {
    const stop = () => clearInterval(timer);
    const look = async () => {
      // Why it cannot be read is said when the user goes on with it.
      await this.update().catch(() => undefined);
      if (!this.isElsewhere || this.held.isDisposed) stop();
    };
    const timer = setInterval(() => void look(), lookMs);
    timer.unref?.();
    this.following.add({ dispose: stop });
  }

  /** All of it, or its end as long as `hasEarlier`. */
  get conversation(): Conversation {
    return this.held.conversation;
  }

  /** There is more of the conversation than is loaded. */
  get hasEarlier(): boolean {
    return this.held.hasEarlier;
  }

  /** Loads what is before the end of the conversation, if that is not there yet. Rejects when it cannot be read. */
  async loadEarlier(): Promise<void> {
    const hasLoaded = await this.held.loadEarlier();
    if (hasLoaded && !this.isElsewhere) this.endInterrupted();
  }

  get status(): ChatStatus {
    return this.isElsewhere ? { type: 'runningElsewhere' } : this.currentStatus;
  }

  get isRunning(): boolean {
    return this.turn !== undefined;
  }

  /** The model the next message goes to. */
  get model(): string | undefined {
    return this.conversation.model ?? this.context.defaultModel();
  }

  selectModel(modelId: string): void {
    if (modelId !== this.conversation.model) this.record({ type: 'modelSelected', modelId });
  }

  /** The id of the mode that holds for the calls to come. */
  get modeId(): string {
    return this.conversation.modeId ?? this.context.modes.defaultId();
  }

  /** A message may name the only tools that run for it. */
  private get mode(): Mode {
    const mode = this.context.modes.find(this.modeId);
    const message = this.conversation.all.findLast((item) => item.type === 'user');
    return message?.tools ? { ...mode, tools: new Set(message.tools) } : mode;
  }

  selectMode(modeId: string): void {
    if (modeId !== this.conversation.modeId) this.record({ type: 'modeSelected', modeId });
  }

  selectApprovals(level: ApprovalLevel): void {
    if (level !== this.conversation.approvals) this.record({ type: 'approvalsSelected', level });
  }

  /** What is sent with each request from now on; for what is absent the settings count. */
  chooseParameters(parameters: Parameters): void {
    this.record({ type: 'parametersChosen', parameters });
  }

  /** Grounds the answers to come in these knowledge bases, or in none. */
  chooseKnowledge(bases: readonly KnowledgeBase[]): void {
    this.record({ type: 'knowledgeChosen', bases: bases.map(({ id, name }) => ({ id, name })) });
  }

  /**
   * Adds the user's message and runs the turn. Resolves when it ended; undefined when it could not start.
   * @param inputs what the form of an app was filled in with
   * @param options `inPlaceOf`: a message of the path, which stays as another version with all that followed it
   */
  submit(
    text: string,
    attachments: readonly Attachment[] = [],
    inputs?: FilledForm,
    { inPlaceOf, ...message }: SubmitOptions = {},
  ): Promise<AnswerEnd> | undefined {
    if (this.isBusy || !saysSomething(text, attachments) || !this.model) return undefined;
    if (inPlaceOf !== undefined && !this.isThere(inPlaceOf)) return undefined;
    const lock = this.takeLock();
    if (!lock) return undefined;
    if (inPlaceOf !== undefined) {
      for (const event of rollback(this.conversation, inPlaceOf)) this.record(event);
    }
    if (inputs && inputs.shown.length > 0) {
      const detail = inputs.shown.map(({ label, value }) => `${label}: ${value}`).join('\n');
      this.record({ type: 'noticed', id: `inputs:${this.model}`, kind: 'app-inputs', detail });
    }
    return this.say([{ id: this.context.newId(), text, attachments, ...message }], lock, inputs);
  }

  /**
   * Keeps a message while something runs, here or in another window, or waits. One that steers is handed in between two
   * rounds of the turn, or after its end if there is no other round; the others are sent one by one when the turns before
   * them have ended well. What is stopped or fails keeps them all until the user sends one. False if it says nothing, or
   * need not wait.
   */
  enqueue({ attachments = [], sources = [], steers, tools, ...message }: Omit<QueuedMessage, 'id'>): boolean {
    const { turn } = this;
    const waits = this.isBusy || this.conversation.queue.length > 0;
    if (!waits || !saysSomething(message.text, attachments)) return false;
    const id = this.context.newId();
    // An app answers in one go.
    const isForTurn = steers && turn && appIdOf(turn.model) === undefined;
    if (isForTurn) this.forTurn.add(id);
    this.record({
      ...{ type: 'messageQueued', id, ...message },
      ...(tools && { tools: [...tools] }),
      ...(attachments.length > 0 && { attachments: [...attachments], sources: [...sources] }),
      ...(isForTurn && { steers }),
    });
    if (this.isElsewhere) {
      this.waiting.add(id);
      this.sendIfFree(id);
    }
    return true;
  }

  /** The turn in the other window may have ended without a word: its window was closed. */
  private sendIfFree(id: string): void {
    const send = () => {
      const message = this.conversation.queue.find((each) => each.id === id);
      if (message && !this.isBusy) this.sendQueue([message]);
    };
    // Why it cannot be read is said when the user goes on with it.
    this.update().then(send, () => undefined);
  }

  /** The queued messages that are for the turn that runs, oldest first. */
  get steering(): readonly QueuedMessage[] {
    return this.conversation.queue.filter(({ id }) => this.forTurn.has(id));
  }

  /**
   * Stops the running turn, if any, and sends a queued message. Those that were for the turn that ran go with it: they were
   * to be read before any other call begins. The others follow it.
   */
  async sendQueued(id: string): Promise<AnswerEnd | undefined> {
    const { steering } = this;
    await this.stop();
    const { model, conversation } = this;
    const { queue } = conversation;
    const message = queue.find((each) => each.id === id);
    if (!message || this.turn || !model) return undefined;
    const lock = this.takeLockOrThrow();
    const modelOf = ({ modelId = model }: QueuedMessage) => modelId;
    const to = modelOf(message);
    const along = appIdOf(to) === undefined ? steering.filter((each) => modelOf(each) === to) : [];
    const ids = new Set([message, ...along].map((each) => each.id));
    return this.sayQueued(
      queue.filter((each) => ids.has(each.id)),
      lock,
    );
  }

  /** Takes a message from the queue; undefined if it is not there any more. */
  removeQueued(id: string): QueuedMessage | undefined {
    const message = this.conversation.queue.find((each) => each.id === id);
    if (message) this.record({ type: 'queuedMessageRemoved', id });
    return message;
  }

  /** Asks again; see `retriedFrom`. What was there stays as another version, if it says anything. */
  retry(itemId: string, inputs?: FilledForm): Promise<AnswerEnd> | undefined {
    const from = this.retriedFrom(itemId);
    if (from === undefined) return undefined;
    const lock = this.takeLockOrThrow();
    for (const event of rollback(this.conversation, from)) this.record(event);
    return this.run(lock, { inputs });
  }

  /** The first answer that a retry leaves behind; undefined where there is nothing to ask again. */
  answerLeftByRetry(itemId: string): string | undefined {
    const { all } = this.conversation;
    const from = this.retriedFrom(itemId);
    return (
      from && all.slice(all.findIndex(({ id }) => id === from)).find(({ type }) => type === 'answer')?.id
    );
  }

  private retriedFrom(itemId: string): string | undefined {
    if (this.turn || !this.model) return undefined;
    return retriedFrom(this.conversation.all, itemId, appIdOf(this.model) !== undefined);
  }

  /** Goes on with another version of a message or an answer. */
  chooseVersion(itemId: string, direction: 'previous' | 'next'): void {
    const id = this.conversation.versionBeside(itemId, direction);
    if (this.isFree() && id !== undefined) this.record({ type: 'versionChosen', id });
  }

  /** Goes the way on which this was said, on whatever branch. What was deleted of it is there again. */
  goTo(itemId: string): void {
    if (!this.isFree()) return;
    for (let id; (id = this.conversation.turnOff(itemId)) !== undefined;)
      this.record({ type: 'versionChosen', id });
  }

  /** Deletes a message and all after it, until `goTo` brings it back. False where that cannot be done now. */
  deleteFrom(itemId: string): boolean {
    if (!this.isFree() || !this.isThere(itemId)) return false;
    for (const event of deletion(this.conversation, itemId)) this.record(event);
    return true;
  }

  /** What a turn adds, here or in another window, comes to stand at the end of the path that it began on. */
  private get isBusy(): boolean {
    return this.turn !== undefined || this.isElsewhere;
  }

  /** As `isBusy`, by what is true at this moment. */
  private isFree(): boolean {
    return !this.isBusy && !this.findElsewhere();
  }

  private isThere(itemId: string): boolean {
    return this.conversation.all.some(({ id }) => id === itemId);
  }

  /** Taken before anything of a turn is recorded. Undefined while another window has it, which is followed then. */
  private takeLock(): TurnLock | undefined {
    const lock = this.context.store.beginTurn(this.conversation.id);
    if (!lock) this.setElsewhere(true);
    return lock;
  }

  private takeLockOrThrow(): TurnLock {
    const lock = this.isElsewhere ? undefined : this.takeLock();
    if (lock) return lock;
    throw runningElsewhere();
  }

  /** Has an agent carry out the plan that the newest answer ends with: it is handed over word for word. */
  async startPlan(answerId: string): Promise<AnswerEnd | undefined> {
    const { planToStart } = await import('./modes/plan.ts');
    if (this.turn || !this.model) return undefined;
    const plan = planToStart(this.conversation.all, answerId);
    if (plan === undefined) return undefined;
    const lock = this.takeLockOrThrow();
    this.selectMode('agent');
    return this.say([{ id: this.context.newId(), text: plan }], lock);
  }

  /** Goes on with the newest answer where it was cut off; what comes is added to it. */
  continueAnswer(itemId: string): Promise<AnswerEnd> | undefined {
    const item = this.conversation.all.findLast(({ type }) => type === 'answer' || type === 'user');
    if (this.turn || item?.type !== 'answer' || item.id !== itemId || !canContinue(item)) return undefined;
    return this.run(this.takeLockOrThrow(), { continues: item });
  }

  /** Goes on with an answer whose run waited for human input; undefined where that cannot be done now. */
  followRun(answerId: string): Promise<AnswerEnd> | undefined {
    const answer = this.conversation.answerOf(answerId);
    if (this.turn || !answer?.app?.awaits) return undefined;
    return this.run(this.takeLockOrThrow(), { continues: answer });
  }

  /** The input that a run waits for is not to be given here. */
  stopWaiting(answerId: string): void {
    if (this.isFree()) this.record({ type: 'inputSettled', id: answerId });
  }

  /** Goes on after a limit ended the turn, or with the calls that did not run: those are asked about again. */
  resume(): Promise<AnswerEnd> | undefined {
    if (this.turn || !this.model || this.conversation.all.length === 0) return undefined;
    const lock = this.takeLockOrThrow();
    const ids = this.conversation.unrunCalls.map(({ id }) => id);
    if (ids.length > 0) this.record({ type: 'callsReopened', ids });
    return this.run(lock);
  }

  /** Replaces all but the newest messages, for models, by a summary; undefined where that cannot be done now. */
  compact(): Promise<AnswerEnd> | undefined {
    const { model } = this;
    if (this.turn || !model || appIdOf(model) !== undefined || this.conversation.all.length === 0)
      return undefined;
    return this.runTurn(this.takeLockOrThrow(), model, async (signal) => {
      await this.catchUp();
      // Loaded when the user first wants it.
      const { compactConversation } = await import('./compactConversation.ts');
      return compactConversation(this.turnWith(model), signal);
    });
  }

  /**
   * How full the context of the model is; undefined for apps, and while nothing was answered.
   * @param measured what was measured already
   */
  async contextUse(measured?: ContextParts): Promise<ContextUse | undefined> {
    const { model } = this;
    const { all } = this.conversation;
    if (!model || appIdOf(model) !== undefined || !all.some(({ type }) => type === 'answer'))
      return undefined;
    const window = this.context.knowledge.window(model);
    const counted = countedTokens(all);
    const tokens = counted ?? sumOf((measured ?? (await this.contextParts()))?.tokens ?? {});
    return { tokens, isCounted: counted !== undefined, ...(window !== undefined && { window }) };
  }

  /** What fills the context, estimated; undefined for apps. */
  async contextParts(): Promise<ContextParts | undefined> {
    const { model } = this;
    if (!model || appIdOf(model) !== undefined) return undefined;
    const { measureContext } = await import('./compactConversation.ts');
    return measureContext(this.turnWith(model));
  }

  /**
   * Has the model write the conversation's title after its first turn, and keeps what that cost; undefined where there is
   * nothing to be named, or no title came. Throws a `SwitchboardError`.
   */
  async writeTitle(signal: AbortSignal): Promise<string | undefined> {
    const { titleSource, writeTitle } = await import('./writeTitle.ts');
    const source = titleSource(this.conversation);
    if (!source) return undefined;
    const { relay, options, store } = this.context;
    const { title, usage } = await writeTitle(await relay(), source, options().stream, signal);
    this.record({ type: 'titleWritten', ...(title && { title }), ...(usage && { usage }) });
    await store.flush();
    return title;
  }

  /** Stops the running turn, if any, and resolves when its end is recorded. */
  async stop(): Promise<void> {
    this.turn?.abort.abort();
    await this.turn?.ended;
  }

  /** The window goes away: the socket is closed, and the answer stays without an end so that it is found interrupted. */
  dispose(): void {
    this.held.dispose();
    this.following.dispose();
    this.turn?.abort.abort();
  }

  /** It is not shown any more: nothing of it is followed. */
  leave(): void {
    this.following.dispose();
  }

  record(event: ChatEvent): void {
    this.held.record(event);
  }

  /** Resolves when it would be known after a crash. */
  async recordNow(event: ChatEvent): Promise<void> {
    this.record(event);
    await this.context.store.flush();
  }

  private say(messages: readonly QueuedMessage[], lock: TurnLock, inputs?: FilledForm): Promise<AnswerEnd> {
    this.addAll(messages);
    return this.run(lock, { inputs });
  }

  /** Sends what waits in the queue. Another window may have sent or removed it, which is known under the lock. */
  private sayQueued(messages: readonly QueuedMessage[], lock: TurnLock): Promise<AnswerEnd | undefined> {
    const model = messages.findLast(({ modelId }) => modelId !== undefined)?.modelId ?? this.model ?? '';
    return this.runTurn(lock, model, async (signal) => {
      await this.held.takeNews();
      const { queue } = this.conversation;
      const still = messages.filter(({ id }) => queue.some((each) => each.id === id));
      if (still.length === 0) return undefined;
      this.addAll(still);
      return this.answer(this.model ?? '', {}, signal);
    });
  }

  private addAll(messages: readonly QueuedMessage[]): void {
    // It goes on with this one, and is listed with it, whatever becomes of the default.
    if (this.conversation.model === undefined && this.model !== undefined) this.selectModel(this.model);
    this.repeatSettings();
    for (const message of messages) this.add(message);
  }

  /** Only the beginning of a conversation tells them itself. */
  private repeatSettings(): void {
    const { model, modeId, approvals, bases, parameters, all } = this.conversation;
    if (all.length === 0) return;
    this.record({
      ...{ type: 'settingsRepeated', approvals, bases: [...bases] },
      ...(model !== undefined && { modelId: model }),
      ...(modeId !== undefined && { modeId }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    });
  }

  private add({ id, text, attachments = [], sources = [], tools, modeId, modelId }: QueuedMessage): void {
    if (modeId !== undefined) this.selectMode(modeId);
    if (modelId !== undefined) this.selectModel(modelId);
    this.record({
      type: 'userMessageAdded',
      id,
      text,
      ...(attachments.length > 0 && { attachments: [...attachments] }),
      ...(sources.length > 0 && { sources: sources.map(withoutContent) }),
      ...(tools && { tools: [...tools] }),
    });
  }

  /** What is for another model than the one that answers waits for the end of the turn. */
  private get isSteered(): boolean {
    const { steering, turn } = this;
    return steering.length > 0 && steering.every(({ modelId = this.model }) => modelId === turn?.model);
  }

  /** What tools may run for the turn holds on. */
  private addSteering(): boolean {
    if (!this.isSteered || this.held.isDisposed) return false;
    const asked = this.conversation.all.findLast((item) => item.type === 'user');
    for (const message of this.steering)
      this.add({ ...(asked?.tools && { tools: asked.tools }), ...message });
    return true;
  }

  private sendNext(end: AnswerEnd, steering: readonly QueuedMessage[]): boolean {
    const next = steering.length > 0 ? steering : this.conversation.queue.slice(0, 1);
    return isWell(end) && this.sendQueue(next);
  }

  /** False where that cannot be done now: another window may have begun a turn, and sends them after it. */
  private sendQueue(messages: readonly QueuedMessage[]): boolean {
    if (messages.length === 0 || this.held.isDisposed || !this.model) return false;
    const lock = this.takeLock();
    // Where news cannot be read, they stay in the queue, and why is said when the user goes on.
    if (lock) this.sayQueued(messages, lock).catch(() => undefined);
    return lock !== undefined;
  }

  private run(
    lock: TurnLock,
    { inputs, continues }: { inputs?: FilledForm | undefined; continues?: AnswerItem } = {},
  ): Promise<AnswerEnd> {
    const model = continues?.model ?? this.model ?? '';
    return this.runTurn(lock, model, (signal) => this.answer(model, { inputs, continues }, signal));
  }

  /** @param work undefined when there was nothing to do */
  private runTurn<End extends AnswerEnd | undefined>(
    lock: TurnLock,
    model: string,
    work: (signal: AbortSignal) => Promise<End>,
  ): Promise<End> {
    this.setStatus({ type: 'connecting' });
    const abort = new AbortController();
    let end: AnswerEnd | undefined;
    const answer = async () => {
      try {
        const ended = await work(abort.signal);
        end = ended;
        return ended;
      } finally {
        await this.release(lock);
      }
    };
    const ended = answer().finally(() => {
      const { steering } = this;
      this.turn = undefined;
      this.forTurn = new Set();
      if (end && this.sendNext(end, steering)) return;
      if (end && !this.held.isDisposed) this.changes.fire({ type: 'turnEnded', end });
      this.setStatus({ type: 'idle' });
    });
    this.turn = { abort, ended, model };
    return ended;
  }

  private async release(lock: TurnLock): Promise<void> {
    const { store, newId } = this.context;
    if (this.conversation.hasOpenEdits) this.record({ type: 'editsMade', id: newId() });
    await store.flush();
    await lock.release();
    // What other windows have queued meanwhile follows. Who queues after that finds the lock free, and sends it.
    await this.held.takeNews({ isOrdered: true }).catch(() => undefined);
  }

  /** What a turn begins with: all of the conversation, as it is by now. */
  private async catchUp(): Promise<void> {
    await this.held.takeNews();
    await this.loadEarlier();
    this.endInterrupted();
    await this.ending;
    if (this.turn) this.turn.isCaughtUp = true;
  }

  private async answer(
    model: string,
    { inputs, continues }: { inputs?: FilledForm | undefined; continues?: AnswerItem | undefined },
    signal: AbortSignal,
  ): Promise<AnswerEnd> {
    const { context } = this;
    const appId = appIdOf(model);
    try {
      await this.catchUp();
      const turn = this.turnWith(model, continues && this.conversation.answerOf(continues.id));
      if (appId !== undefined) {
        return await (await context.appConversations()).answer(turn, appId, inputs?.answers, signal);
      }
      await context.modes.load(this.modeId);
      // Loaded with the first turn.
      const { answerQuestion } = await import('./answerQuestion.ts');
      return await answerQuestion(turn, signal);
    } catch (error) {
      return this.failAtOnce(model, error, continues?.id);
    }
  }

  /** All that an answer was asked with, to be read by the user; undefined for what is no answer of a model. */
  async describeRequest(answerId: string): Promise<string | undefined> {
    await this.loadEarlier();
    const answer = this.conversation.all.find(({ id }) => id === answerId);
    if (answer?.type !== 'answer' || appIdOf(answer.model) !== undefined) return undefined;
    const { describeAnswer } = await import('./answerQuestion.ts');
    return describeAnswer(this.turnWith(answer.model), answerId);
  }

  private turnWith(model: string, continues?: AnswerItem): ChatTurn {
    const { context } = this;
    const status = () => this.currentStatus;
    const isKnownToRefuse = context.modelLimits(model).toolCalling === false;
    return {
      model,
      continues,
      conversation: this.conversation,
      relay: () => context.relay(),
      options: () => ({ ...context.options(), ...this.conversation.parameters }),
      knowledge: context.knowledge,
      toolCallers: context.toolCallers,
      refusesTools: isKnownToRefuse ? new Set([model]) : context.refusesTools,
      tools: (parts) => context.tools(parts),
      prompt: () => context.prompt(),
      hasPlatform: () => context.hasPlatform(),
      snapshots: (conversationId) => context.snapshots(conversationId),
      permissions: () => ({
        mode: this.mode,
        approvals: this.conversation.approvals,
      }),
      isSteered: () => this.isSteered,
      addSteering: () => this.addSteering(),
      searchSegments: (query, stop) => context.searchSegments(query, stop),
      newId: () => context.newId(),
      now: () => context.now(),
      record: (event) => this.record(event),
      flush: () => context.store.flush(),
      get status() {
        return status();
      },
      setStatus: (next) => this.setStatus(next),
    };
  }

  /** A turn that could not begin still ends where the user sees it. */
  private failAtOnce(model: string, error: unknown, continuedId?: string): AnswerEnd {
    const id = continuedId ?? this.context.newId();
    const end = toFailure(error);
    if (continuedId === undefined) this.record({ type: 'answerStarted', id, model });
    this.record({ type: 'answerEnded', id, end });
    return end;
  }

  private setStatus(status: ChatStatus): void {
    this.currentStatus = status;
    this.changes.fire({ type: 'statusChanged', status });
  }
}

/** A pasted text is in the file already, in its attachment. */
function withoutContent(source: AttachmentSource): AttachmentSource {
  return source.type === 'text' ? { ...source, text: '' } : source;
}

/** What goes with a message can be a message by itself, if anything of it is left. */
function saysSomething(text: string, attachments: readonly Attachment[]): boolean {
  return text.trim() !== '' || attachments.some(({ refusal }) => !refusal);
}

/** What was stopped, cut or failed is the user's to decide on before more is asked. */
function isWell(end: AnswerEnd | undefined): boolean {
  return end?.reason === 'answered' || end?.reason === 'filtered';
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
