import { Emitter } from '../../base/emitter.ts';
import type { AppConversations } from '../apps/appConversations.ts';
import type { ChatDependencies } from '../chatDependencies.ts';
import type { ContextKnowledge } from '../context/contextKnowledge.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { AnswerEnd, ChatEvent, ChatStatus } from '../store/events.ts';
import type { HeldChange, HeldConversation } from './heldConversation.ts';

export type SessionChange =
  | HeldChange
  | { type: 'statusChanged'; status: ChatStatus }
  | { type: 'grantsChanged' }
  /** A part of an item that isn't stored changed. */
  | { type: 'itemChanged'; id: string }
  /** The turn ended and no queued message follows. */
  | { type: 'turnEnded'; end: AnswerEnd };

export interface SessionContext extends ChatDependencies {
  knowledge(): Promise<ContextKnowledge>;
  appConversations(): Promise<AppConversations>;
}

export interface RunningTurn {
  abort: AbortController;
  ended: Promise<AnswerEnd | undefined>;
  model: string;
  isCaughtUp?: true;
}

export class SessionState {
  readonly changes = new Emitter<SessionChange>();
  turn: RunningTurn | undefined;
  isElsewhere = false;
  private statusHere: ChatStatus = { type: 'idle' };

  constructor(
    readonly held: HeldConversation,
    readonly context: SessionContext,
  ) {}

  get conversation(): Conversation {
    return this.held.conversation;
  }

  /** True while a turn runs in any window: a second one would extend the same path. */
  get isBusy(): boolean {
    return this.turn !== undefined || this.isElsewhere;
  }

  get status(): ChatStatus {
    return this.isElsewhere ? { type: 'runningElsewhere' } : this.statusHere;
  }

  get turnStatus(): ChatStatus {
    return this.statusHere;
  }

  setTurnStatus(status: ChatStatus): void {
    this.statusHere = status;
    this.changes.fire({ type: 'statusChanged', status });
  }

  has(itemId: string): boolean {
    return this.conversation.all.some(({ id }) => id === itemId);
  }

  record(event: ChatEvent): void {
    this.held.record(event);
  }

  recordAll(events: Iterable<ChatEvent>): void {
    for (const event of events) this.record(event);
  }
}
