import type { Conversation } from '../conversation/conversation.ts';
import type { ModelEvent } from '../../relay/messages.ts';
import type { AppEvent } from '../../apps/app.ts';
import type { ChatEvent, ChatStatus } from '../store/events.ts';
import { readsInput } from '../calls/callMessage.ts';

export type TurnProgress =
  | Extract<ModelEvent, { type: 'retryScheduled' | 'budgetAsked' | 'requestSent' }>
  | Extract<AppEvent, { type: 'stalled' }>
  | { type: 'summaryStarted' | 'searchStarted' }
  | { type: 'uploading'; name: string }
  | { type: 'outputAdded'; id: string; lines: string };

/** A turn changes its conversation only through this log. */
export interface TurnLog {
  /** Applies, saves and shows an event, in call order. Resolves when later steps may rely on it being saved. */
  record(event: ChatEvent): Promise<void>;
  show(progress: TurnProgress): void;
}

interface RecordedIn {
  readonly conversation: Conversation;
  readonly turnStatus: ChatStatus;
  setTurnStatus(status: ChatStatus): void;
  record(event: ChatEvent): void;
  readonly context: { now(): number };
  readonly changes: { fire(change: { type: 'itemChanged'; id: string }): void };
}

export class ShownTurnLog implements TurnLog {
  /** @param flush resolves when all recorded events are on disk */
  constructor(
    private readonly session: RecordedIn,
    private readonly flush: () => Promise<void>,
  ) {}

  async record(event: ChatEvent): Promise<void> {
    const status = this.statusOf(event);
    if (status) this.session.setTurnStatus(status);
    this.session.record(event);
    if (event.type === 'editBegun') await this.flush();
  }

  show(progress: TurnProgress): void {
    if (progress.type === 'outputAdded') return this.showOutput(progress.id, progress.lines);
    this.session.setTurnStatus(this.statusDuring(progress));
  }

  /** Kept with the call in memory only: the file gets its result. */
  private showOutput(id: string, lines: string): void {
    const call = this.session.conversation.all.findLast((item) => item.id === id);
    if (call?.type !== 'tool') return;
    call.live = { sinceMs: call.live?.sinceMs ?? this.session.context.now(), lines };
    this.session.changes.fire({ type: 'itemChanged', id });
  }

  private statusDuring(progress: Exclude<TurnProgress, { type: 'outputAdded' }>): ChatStatus {
    const { context } = this.session;
    switch (progress.type) {
      case 'retryScheduled':
        return { type: 'retrying', untilMs: context.now() + progress.delayMs, why: progress.why };
      case 'budgetAsked':
        return { type: 'asking' };
      case 'requestSent':
        return { type: 'waiting', sinceMs: context.now() };
      case 'summaryStarted':
        return { type: 'summarising' };
      case 'searchStarted':
        return { type: 'searching' };
      case 'uploading':
        return progress;
      case 'stalled':
        return { type: 'stalled', state: progress.state, sinceMs: context.now() - progress.forMs };
    }
  }

  private statusOf(event: ChatEvent): ChatStatus | undefined {
    const become = (type: 'connecting' | 'answering') =>
      this.session.turnStatus.type === type ? undefined : { type };
    switch (event.type) {
      case 'toolStateChanged':
        return event.state === 'asking' ? { type: 'asking' } : this.running(event.id);
      case 'answerStarted':
      case 'answerContinued':
      case 'turnsSummarised':
      case 'knowledgeSearched':
        return become('connecting');
      case 'stepChanged':
        return event.step.status === 'running' && this.session.turnStatus.type !== 'answering'
          ? { type: 'runningStep', title: event.step.title }
          : undefined;
      case 'toolsCalled':
        return { type: 'runningTools' };
      case 'textAdded':
      case 'pictureAdded':
      case 'reasoningAdded':
        return become('answering');
      default:
        return undefined;
    }
  }

  private running(callId: string): ChatStatus {
    const call = this.session.conversation.all.find(({ id }) => id === callId);
    return { type: 'runningTools', ...(call?.type === 'tool' && readsInput(call) && { readsInput: true }) };
  }
}
