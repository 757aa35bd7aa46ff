import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { PendingApproval, ToolApprovals } from './toolApprovals.ts';
import type { Sights } from '../session/unseenTurns.ts';

export interface ApprovalNotifierDependencies {
  approvals: ToolApprovals;
  sights: Sights;
  /** Resolves with the choice, however late. `signal` is aborted when the question is settled or seen. */
  notify(pending: PendingApproval, signal: AbortSignal): Promise<'allow' | 'deny' | 'show' | undefined>;
  show(pending: PendingApproval): void;
  tellSettled(): void;
}

/** Notifies of unseen questions, once per conversation until the user looks at it or answers there. */
export class ApprovalNotifier implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly seen = new Set<string>();
  private readonly notified = new Map<string, AbortController>();
  private readonly told = new Set<string>();

  constructor(private readonly deps: ApprovalNotifierDependencies) {
    this.parts.add(deps.approvals.onDidChange(() => this.update()));
    this.parts.add(deps.sights.onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.parts.dispose();
  }

  private update(): void {
    const { approvals, sights } = this.deps;
    for (const id of this.seen) if (!approvals.find(id)) this.seen.delete(id);
    for (const [id, notification] of this.notified) {
      if (approvals.find(id)) continue;
      notification.abort();
      this.notified.delete(id);
    }
    for (const id of this.told) if (sights.of(id) === 'seen') this.told.delete(id);
    for (const pending of approvals.pending) {
      const { conversationId } = pending;
      const { id } = pending.question;
      const sight = sights.of(conversationId);
      const isTold = this.notified.has(id) || this.told.has(conversationId);
      if (sight === 'seen') {
        this.seen.add(id);
        this.notified.get(id)?.abort();
      }
      // A user who leaves the window with a question in view knows of it.
      else if (!isTold && (sight === 'hidden' || !this.seen.has(id))) {
        const notification = new AbortController();
        this.notified.set(id, notification);
        this.told.add(conversationId);
        void this.notify(pending, notification.signal);
      }
    }
  }

  private async notify(pending: PendingApproval, signal: AbortSignal): Promise<void> {
    const { approvals, notify, show, tellSettled } = this.deps;
    const choice = await notify(pending, signal);
    if (choice === undefined) return;
    this.told.delete(pending.conversationId);
    const { id } = pending.question;
    if (!approvals.find(id)) return tellSettled();
    if (choice === 'show' || !approvals.answer(id, choice)) show(pending);
  }
}
