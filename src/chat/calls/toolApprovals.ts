import { Emitter } from '../../base/emitter.ts';
import { UrgentWork } from '../../base/urgentWork.ts';
import type { ToolRule } from '../../tools/tool.ts';
import type { Consent, Decision, Question } from './toolBox.ts';

/** How the user answered; `always` holds for the tool as long as the conversation is open, or for what the question says. */
export type Answer = 'allow' | 'always' | 'deny';

/** A question that waits for the user's answer. */
export interface PendingApproval {
  readonly conversationId: string;
  readonly question: Question;
}

interface Waiting extends PendingApproval {
  settle(decision: Decision): void;
}

/** Where tool calls wait for the user's answer, in the order in which they were asked. */
export class ToolApprovals {
  private readonly waiting = new Map<string, Waiting>();
  /** By conversation: the tools that need no question there. */
  private readonly always = new Map<string, Set<string>>();
  private readonly changes = new Emitter<void>();
  /** A question was asked, answered or withdrawn. An edit that is allowed is made before it is told. */
  readonly onDidChange = this.changes.event;

  /**
   * @param ruleFor `switchboard.tools.approval`
   * @param urgent making an edit that the user has just allowed
   */
  constructor(
    private readonly ruleFor: (name: string) => ToolRule | undefined,
    private readonly urgent = new UrgentWork(),
  ) {}

  get pending(): readonly PendingApproval[] {
    return [...this.waiting.values()];
  }

  /** The question about a call; undefined if none waits. */
  find(id: string): PendingApproval | undefined {
    return this.waiting.get(id);
  }

  /** The user's say over the calls of one conversation. */
  forConversation(conversationId: string): Consent {
    return {
      ruleFor: (name) => {
        const rule = this.ruleFor(name);
        return rule !== 'deny' && this.always.get(conversationId)?.has(name) ? 'allow' : rule;
      },
      ask: (question, signal) => this.ask({ conversationId, question }, signal),
    };
  }

  /**
   * Settles a question. One that is not waiting any more, because it was answered elsewhere or its turn was stopped,
   * is left alone: then it returns false.
   */
  answer(id: string, answer: Answer, reason?: string): boolean {
    const entry = this.waiting.get(id);
    if (!entry) return false;
    const { conversationId, question } = entry;
    // A question that no rule can answer makes none either.
    if (answer === 'always' && question.always) question.always.keep();
    else if (answer === 'always' && question.why === undefined) {
      const tools = this.always.get(conversationId) ?? new Set();
      this.always.set(conversationId, tools.add(question.name));
    }
    this.waiting.delete(id);
    if (answer !== 'deny' && question.proposal) this.urgent.begin();
    const why = reason?.trim();
    entry.settle(answer === 'deny' ? { allow: false, ...(why && { reason: why }) } : { allow: true });
    this.urgent.afterwards(() => this.changes.fire());
    return true;
  }

  /** What was always allowed ends with its conversation: it holds only in those named from now on. */
  keepOnly(conversationIds: readonly string[]): void {
    for (const id of this.always.keys()) {
      if (!conversationIds.includes(id)) this.always.delete(id);
    }
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
