import { toFailure } from '../../base/errors/failureRecord.ts';
import type { FilledForm } from '../../apps/appForm.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import type { AnswerItem } from '../conversation/items.ts';
import type { TurnLock } from '../store/chatStore.ts';
import type { AnswerEnd } from '../store/events.ts';
import type { ChatTurn } from '../turn/chatTurn.ts';
import type { Choices } from './choices.ts';
import type { InterruptedWork } from './interruptedWork.ts';
import type { SessionState } from './sessionState.ts';

export interface TurnStart {
  inputs?: FilledForm | undefined;
  continues?: AnswerItem | undefined;
}

interface Waiting {
  isSteered(): boolean;
  addSteering(): boolean;
  /** Takes the ended turn's messages and returns a function that sends the next ones. */
  onTurnEnd(): (end: AnswerEnd) => boolean;
}

export class TurnRunner {
  constructor(
    private readonly state: SessionState,
    private readonly choices: Choices,
    private readonly interrupted: InterruptedWork,
    private readonly waiting: Waiting,
  ) {}

  answerUnder(lock: TurnLock, { inputs, continues }: TurnStart = {}): Promise<AnswerEnd> {
    const model = continues?.model ?? this.choices.model ?? '';
    return this.run(lock, model, (signal) => this.answer(model, { inputs, continues }, signal));
  }

  async stop(): Promise<void> {
    const { turn } = this.state;
    turn?.abort.abort();
    await turn?.ended;
  }

  run<End extends AnswerEnd | undefined>(
    lock: TurnLock,
    model: string,
    work: (signal: AbortSignal) => Promise<End>,
  ): Promise<End> {
    const { state } = this;
    state.setTurnStatus({ type: 'connecting' });
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
      state.turn = undefined;
      const sendNext = this.waiting.onTurnEnd();
      if (end && sendNext(end)) return;
      if (end && !state.held.isDisposed) state.changes.fire({ type: 'turnEnded', end });
      state.setTurnStatus({ type: 'idle' });
    });
    state.turn = { abort, ended, model };
    return ended;
  }

  /** Answers by a model or an app. A turn that couldn't start is recorded as failed. */
  async answer(model: string, { inputs, continues }: TurnStart, signal: AbortSignal): Promise<AnswerEnd> {
    const { context } = this.state;
    const appId = appIdOf(model);
    try {
      await this.catchUp();
      const turn = await this.turnWith(model, continues?.id);
      if (appId !== undefined) {
        return await (await context.appConversations()).answer(turn, appId, inputs?.answers, signal);
      }
      await context.modes.load(this.choices.modeId);
      const { answerQuestion } = await import('../turn/answerQuestion.ts');
      return await answerQuestion(turn, signal);
    } catch (error) {
      return this.failAtOnce(model, error, continues?.id);
    }
  }

  async catchUp(): Promise<void> {
    await this.state.held.takeNews();
    await this.loadEarlier();
    await this.interrupted.end();
    if (this.state.turn) this.state.turn.isCaughtUp = true;
  }

  async loadEarlier(): Promise<void> {
    const hasLoaded = await this.state.held.loadEarlier();
    if (hasLoaded && !this.state.isElsewhere) void this.interrupted.end();
  }

  async turnWith(model: string, continuesId?: string): Promise<ChatTurn> {
    const { ShownTurnLog } = await import('../turn/turnLog.ts');
    const { state, waiting, choices } = this;
    const { context, conversation } = state;
    return {
      model,
      continues: continuesId === undefined ? undefined : conversation.answerOf(continuesId),
      conversation,
      deps: { ...context, knowledge: await context.knowledge() },
      options: () => ({ ...context.options(), ...state.conversation.parameters }),
      permissions: () => choices.permissions,
      steering: { isWaiting: () => waiting.isSteered(), add: () => waiting.addSteering() },
      log: new ShownTurnLog(state, () => context.store.flush()),
    };
  }

  private failAtOnce(model: string, error: unknown, continuedId?: string): AnswerEnd {
    const id = continuedId ?? this.state.context.newId();
    const end = toFailure(error);
    if (continuedId === undefined) this.state.record({ type: 'answerStarted', id, model });
    this.state.record({ type: 'answerEnded', id, end });
    return end;
  }

  private async release(lock: TurnLock): Promise<void> {
    const { state } = this;
    const { store, newId } = state.context;
    if (state.conversation.hasOpenEdits) state.record({ type: 'editsMade', id: newId() });
    await store.flush();
    await lock.release();
    // Queued messages of other windows follow; windows that queue later find the lock free.
    await state.held.takeNews({ isOrdered: true }).catch(() => undefined);
  }
}
