import { lazy } from '../../base/async/lazy.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { FilledForm } from '../../apps/appForm.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { canContinue, type OutgoingMessage, type QueuedMessage } from '../conversation/items.ts';
import { rollback } from '../conversation/rollback.ts';
import type { SavedEnd, TurnLock } from '../store/chatStore.ts';
import type { AnswerEnd, ChatEvent, ChatStatus } from '../store/events.ts';
import { Branches } from './branches.ts';
import { Choices } from './choices.ts';
import type { ContextReport } from './contextReport.ts';
import { HeldConversation } from './heldConversation.ts';
import { InterruptedWork } from './interruptedWork.ts';
import { isEmpty, MessageQueue } from './messageQueue.ts';
import { OtherWindows } from './otherWindows.ts';
import { SessionState, type SessionContext } from './sessionState.ts';
import { TurnRunner } from './turnRunner.ts';

export interface SubmitOptions extends Omit<OutgoingMessage, 'text'> {
  inputs?: FilledForm | undefined;
  inPlaceOf?: string | undefined;
}

/** Records turns under the lock, one at a time in all windows. For a second, `submit` is undefined and others throw. */
export class ChatSession implements Disposable {
  private readonly state: SessionState;
  private readonly turns: TurnRunner;
  private readonly interrupted: InterruptedWork;
  readonly onDidChange: SessionState['changes']['event'];
  readonly choices: Choices;
  readonly windows: OtherWindows;
  readonly queue: MessageQueue;
  readonly branches: Branches;
  readonly report: () => Promise<ContextReport>;

  constructor(conversation: Conversation, context: SessionContext, end?: SavedEnd, isElsewhere = false) {
    const held = new HeldConversation(conversation, context.store, end);
    const state = new SessionState(held, context);
    this.state = state;
    this.onDidChange = state.changes.event;
    this.windows = new OtherWindows(state, {
      onFree: () => void this.interrupted.end(),
      onTurnEnd: () => this.queue.onTurnEndElsewhere(),
    });
    this.choices = new Choices(state, () => this.windows.update());
    this.queue = new MessageQueue(state, this.choices, this.windows, () => this.turns);
    this.interrupted = new InterruptedWork(state, this.windows);
    this.turns = new TurnRunner(state, this.choices, this.interrupted, this.queue);
    this.branches = new Branches(state, this.windows, this.choices);
    this.report = lazy(async () => {
      const { ContextReport } = await import('./contextReport.ts');
      return new ContextReport(state, this.choices, this.turns);
    });
    held.onDidChange((change) => state.changes.fire(change));
    state.isElsewhere = isElsewhere;
    if (isElsewhere) this.windows.follow();
    else void this.interrupted.end();
  }

  get conversation(): Conversation {
    return this.state.conversation;
  }

  get hasEarlier(): boolean {
    return this.state.held.hasEarlier;
  }

  loadEarlier(): Promise<void> {
    return this.turns.loadEarlier();
  }

  get status(): ChatStatus {
    return this.state.status;
  }

  get isRunning(): boolean {
    return this.state.turn !== undefined;
  }

  /** Resolves when the turn ended; undefined if it couldn't start. `inPlaceOf`: stays as another version. */
  submit(
    text: string,
    { inPlaceOf, inputs, ...message }: SubmitOptions = {},
  ): Promise<AnswerEnd> | undefined {
    const { state } = this;
    const { model } = this.choices;
    if (state.isBusy || isEmpty(text, message.attachments) || !model) return undefined;
    if (inPlaceOf !== undefined && !state.has(inPlaceOf)) return undefined;
    const lock = this.windows.takeLock();
    if (!lock) return undefined;
    if (inPlaceOf !== undefined) state.recordAll(rollback(this.conversation, inPlaceOf));
    this.noteInputs(model, inputs);
    return this.say({ id: state.context.newId(), text, ...message }, lock, inputs);
  }

  /** Asks again; see `retriedFrom`. The old answer remains as a version unless it is empty. */
  retry(itemId: string, inputs?: FilledForm): Promise<AnswerEnd> | undefined {
    const from = this.branches.retriedFrom(itemId);
    if (from === undefined) return undefined;
    const lock = this.windows.takeLockOrThrow();
    this.state.recordAll(rollback(this.conversation, from));
    this.noteInputs(this.choices.model, inputs);
    return this.turns.answerUnder(lock, { inputs });
  }

  private noteInputs(model: string | undefined, inputs: FilledForm | undefined): void {
    if (!inputs || inputs.shown.length === 0) return;
    const detail = inputs.shown.map(({ label, value }) => `${label}: ${value}`).join('\n');
    this.state.record({ type: 'noticed', id: `inputs:${model}`, kind: 'app-inputs', detail });
  }

  /** Switches to Agent and sends the newest answer's plan unchanged. */
  async startPlan(answerId: string): Promise<AnswerEnd | undefined> {
    const { planToStart } = await import('../modes/plan.ts');
    if (this.isRunning || !this.choices.model) return undefined;
    const plan = planToStart(this.conversation.all, answerId);
    if (plan === undefined) return undefined;
    const lock = this.windows.takeLockOrThrow();
    this.choices.selectMode('agent');
    return this.say({ id: this.state.context.newId(), text: plan }, lock);
  }

  continueAnswer(itemId: string): Promise<AnswerEnd> | undefined {
    const item = this.conversation.all.findLast(({ type }) => type === 'answer' || type === 'user');
    if (this.isRunning || item?.type !== 'answer' || item.id !== itemId || !canContinue(item))
      return undefined;
    return this.turns.answerUnder(this.windows.takeLockOrThrow(), { continues: item });
  }

  followRun(answerId: string): Promise<AnswerEnd> | undefined {
    const answer = this.conversation.answerOf(answerId);
    if (this.isRunning || !answer?.app?.awaits) return undefined;
    return this.turns.answerUnder(this.windows.takeLockOrThrow(), { continues: answer });
  }

  stopWaiting(answerId: string): void {
    if (this.windows.areIdle()) this.record({ type: 'inputSettled', id: answerId });
  }

  /** Continues after a limit, or with calls that did not run; these need approval again. */
  resume(): Promise<AnswerEnd> | undefined {
    if (this.isRunning || !this.choices.model || this.conversation.all.length === 0) return undefined;
    const lock = this.windows.takeLockOrThrow();
    const ids = this.conversation.unrunCalls.map(({ id }) => id);
    if (ids.length > 0) this.record({ type: 'callsReopened', ids });
    return this.turns.answerUnder(lock);
  }

  compact(): Promise<AnswerEnd> | undefined {
    const { model } = this.choices;
    if (this.isRunning || !model || appIdOf(model) !== undefined || this.conversation.all.length === 0)
      return undefined;
    return this.turns.run(this.windows.takeLockOrThrow(), model, async (signal) => {
      await this.turns.catchUp();
      const { compactConversation } = await import('../turn/compactConversation.ts');
      return compactConversation(await this.turns.turnWith(model), signal);
    });
  }

  /** Asks for a title and records the cost; undefined if none was needed or returned. Throws a `SwitchboardError`. */
  async writeTitle(signal: AbortSignal): Promise<string | undefined> {
    const { titleSource, writeTitle } = await import('../editorRequests/writeTitle.ts');
    const source = titleSource(this.conversation);
    if (!source) return undefined;
    const { ask, options } = this.state.context;
    const { title, usage } = await writeTitle(ask, source, options().stream, signal);
    await this.recordNow({ type: 'titleWritten', ...(title && { title }), ...(usage && { usage }) });
    return title;
  }

  stop(): Promise<void> {
    return this.turns.stop();
  }

  /** Closes the socket; the answer stays without an end, so reopening finds it interrupted. */
  dispose(): void {
    this.state.held.dispose();
    this.windows.dispose();
    this.state.turn?.abort.abort();
  }

  leave(): void {
    this.windows.dispose();
  }

  showAgain(itemId: string): void {
    this.state.changes.fire({ type: 'itemChanged', id: itemId });
  }

  record(event: ChatEvent): void {
    this.state.record(event);
  }

  /** Resolves when the event would survive a crash. */
  async recordNow(event: ChatEvent): Promise<void> {
    this.record(event);
    await this.state.context.store.flush();
  }

  private say(message: QueuedMessage, lock: TurnLock, inputs?: FilledForm): Promise<AnswerEnd> {
    this.queue.addAll([message]);
    return this.turns.answerUnder(lock, { inputs });
  }
}
