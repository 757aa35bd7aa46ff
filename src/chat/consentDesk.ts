import type { Consent, Decision, Question } from './toolBox.ts';

/** How the person answered; `always` holds for the tool until another chat is opened. */
export type Answer = 'allow' | 'always' | 'deny';

export interface ConsentDeskDependencies {
  /** `switchboard.tools.approval`. */
  ruleFor(name: string): 'allow' | 'ask' | 'deny' | undefined;
  /** Shows an edit before it is made; what it returns takes the showing back. */
  showProposal(question: Question): () => void;
}

/** Where questions wait for the person's answer. */
export class ConsentDesk implements Consent {
  private readonly waiting = new Map<string, { question: Question; settle: (decision: Decision) => void }>();
  private readonly always = new Set<string>();

  constructor(private readonly deps: ConsentDeskDependencies) {}

  ruleFor(name: string): 'allow' | 'ask' | 'deny' | undefined {
    const rule = this.deps.ruleFor(name);
    return rule !== 'deny' && this.always.has(name) ? 'allow' : rule;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Decision> {
    const hide = this.deps.showProposal(question);
    try {
      return await new Promise<Decision>((settle, reject) => {
        const onAbort = () => reject(signal.reason as Error);
        if (signal.aborted) onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        this.waiting.set(question.id, {
          question,
          settle: (decision) => {
            signal.removeEventListener('abort', onAbort);
            settle(decision);
          },
        });
      });
    } finally {
      this.waiting.delete(question.id);
      hide();
    }
  }

  /** Settles a question; one that is not waiting is left alone. */
  answer(id: string, answer: Answer, reason?: string): void {
    const entry = this.waiting.get(id);
    if (!entry) return;
    if (answer === 'always') this.always.add(entry.question.name);
    if (answer === 'deny') entry.settle({ allow: false, ...(reason?.trim() && { reason: reason.trim() }) });
    else entry.settle({ allow: true });
  }

  /** Another chat: what was always allowed is asked for again. */
  forget(): void {
    this.always.clear();
  }
}
