import { Emitter } from '../../base/emitter.ts';
import { UrgentWork } from '../../base/async/urgentWork.ts';
import { isSeenWhole } from './callTexts.ts';
import type { Consent, Decision, Question } from './toolBox.ts';

/** `always` accepts the question's own rule, `wider` the broader rule that it offers. */
export type Answer = 'allow' | 'always' | 'wider' | 'deny';

export interface PendingApproval {
  readonly conversationId: string;
  readonly question: Question;
}

interface Waiting {
  readonly conversationId: string;
  question: Question;
  settle(decision: Decision): void;
}

export class ToolApprovals {
  private readonly waiting = new Map<string, Waiting>();
  private readonly changes = new Emitter<void>();
  /** Fires when a question is asked, answered or withdrawn. An allowed edit is made before the event. */
  readonly onDidChange = this.changes.event;

  /** `urgent` applies an edit that the user has just allowed. */
  constructor(
    private readonly ruleFor: Consent['ruleFor'],
    private readonly urgent = new UrgentWork(),
  ) {}

  get pending(): readonly PendingApproval[] {
    return [...this.waiting.values()];
  }

  find(id: string): PendingApproval | undefined {
    return this.waiting.get(id);
  }

  unfold(id: string): void {
    const entry = this.waiting.get(id);
    if (entry) entry.question = { ...entry.question, isUnfolded: true };
  }

  forConversation(conversationId: string): Consent {
    return {
      ruleFor: this.ruleFor,
      ask: (question, signal) => this.ask({ conversationId, question }, signal),
    };
  }

  /** Returns false without effect if the question is settled, or is allowed before all of it was shown. */
  answer(id: string, answer: Answer, reason?: string): boolean {
    const entry = this.waiting.get(id);
    if (!entry) return false;
    const { question } = entry;
    if (answer !== 'deny' && !isSeenWhole(question)) return false;
    this.waiting.delete(id);
    if (answer !== 'deny' && question.proposal) this.urgent.begin();
    // Questions without a rule can't create one.
    if (answer === 'always') question.always?.keep();
    else if (answer === 'wider') question.always?.wider?.keep();
    const why = reason?.trim();
    entry.settle(answer === 'deny' ? { allow: false, ...(why && { reason: why }) } : { allow: true });
    this.urgent.afterwards(() => this.changes.fire());
    return true;
  }

  private ask({ conversationId, question }: PendingApproval, signal: AbortSignal): Promise<Decision> {
    return new Promise<Decision>((resolve, reject) => {
      const withdraw = () => {
        if (this.waiting.delete(question.id)) this.changes.fire();
        reject(signal.reason as Error);
      };
      if (signal.aborted) return withdraw();
      signal.addEventListener('abort', withdraw, { once: true });
      this.waiting.set(question.id, {
        ...{ conversationId, question },
        settle: (decision) => {
          signal.removeEventListener('abort', withdraw);
          resolve(decision);
        },
      });
      this.changes.fire();
    });
  }
}
