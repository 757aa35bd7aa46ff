import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { UnseenTurn, UnseenTurns } from './unseenTurns.ts';

export interface TurnNotifierDependencies {
  unseen: Pick<UnseenTurns, 'all' | 'onDidChange' | 'setTold'>;
  /** Resolves with true to show the conversation. `signal` is aborted when the turn is seen. */
  notify(conversationId: string, turn: UnseenTurn, signal: AbortSignal): Promise<boolean>;
  /** Turns that a closed window left unannounced; a killed window also leaves those that were seen. */
  notifyLeft(count: number): void;
  show(conversationId: string): void;
}

export class TurnNotifier implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly notified = new Map<string, AbortController>();

  constructor(private readonly deps: TurnNotifierDependencies) {
    const { unseen } = deps;
    this.parts.add(unseen.onDidChange(() => this.update()));
    const left = Object.entries(unseen.all).filter(([, { isTold }]) => !isTold);
    if (left.length > 1) {
      for (const [id] of left) unseen.setTold(id);
      deps.notifyLeft(left.length);
    }
    this.update();
  }

  dispose(): void {
    this.parts.dispose();
  }

  private update(): void {
    const { unseen } = this.deps;
    const { all } = unseen;
    for (const [id, notification] of this.notified) {
      if (all[id]?.isTold) continue;
      notification.abort();
      this.notified.delete(id);
    }
    for (const [id, turn] of Object.entries(all)) {
      if (turn.isTold) continue;
      unseen.setTold(id);
      const notification = new AbortController();
      this.notified.set(id, notification);
      void this.notify(id, turn, notification.signal);
    }
  }

  private async notify(id: string, turn: UnseenTurn, signal: AbortSignal): Promise<void> {
    if (await this.deps.notify(id, turn, signal)) this.deps.show(id);
  }
}
