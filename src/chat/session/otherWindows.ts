import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { type TurnLock, runningElsewhere } from '../store/chatStore.ts';
import type { TakeNews } from './heldConversation.ts';
import type { SessionState } from './sessionState.ts';

/** Poll interval while another window's turn is running, in ms. */
const pollMs = 5000;

export class OtherWindows implements Disposable {
  private readonly following = new DisposableStore();
  private updating: Promise<void> | undefined;

  constructor(
    private readonly state: SessionState,
    private readonly listener: { onFree(): void; onTurnEnd(): void },
  ) {}

  get isRunning(): boolean {
    return this.state.isElsewhere;
  }

  update(): Promise<void> {
    this.updating ??= this.state.held.inOrder((takeNews) => {
      this.updating = undefined;
      return this.look(takeNews);
    });
    return this.updating;
  }

  findTurn(): boolean {
    const { turn, context, conversation } = this.state;
    const isElsewhere = !turn && context.store.isRunningElsewhere(conversation.id);
    if (isElsewhere) this.setRunning(true);
    return isElsewhere;
  }

  areIdle(): boolean {
    return !this.state.isBusy && !this.findTurn();
  }

  /** Must be taken before recording a turn. Undefined while another window holds it; its turn is then followed. */
  takeLock(): TurnLock | undefined {
    const { context, conversation } = this.state;
    const lock = context.store.beginTurn(conversation.id);
    if (!lock) this.setRunning(true);
    return lock;
  }

  takeLockOrThrow(): TurnLock {
    const lock = this.state.isElsewhere ? undefined : this.takeLock();
    if (lock) return lock;
    throw runningElsewhere();
  }

  /** Polls while another window's turn runs, since a killed window records no end. */
  follow(): void {
    const stop = () => clearInterval(timer);
    const look = async () => {
      // Continuing the conversation reports why it can't be read.
      await this.update().catch(() => undefined);
      if (!this.state.isElsewhere || this.state.held.isDisposed) stop();
    };
    const timer = setInterval(() => void look(), pollMs);
    timer.unref?.();
    this.following.add({ dispose: stop });
  }

  dispose(): void {
    this.following.dispose();
  }

  private async look(takeNews: TakeNews): Promise<void> {
    const { turn, context, conversation, held } = this.state;
    // The turn itself applies the events it continues; later ones wait behind it.
    if (turn?.isCaughtUp) await takeNews({ isOrdered: true });
    if (turn) return;
    const isElsewhere = context.store.isRunningElsewhere(conversation.id);
    await takeNews();
    if (this.state.turn || held.isDisposed) return;
    const hasEnded = this.state.isElsewhere && !isElsewhere;
    this.setRunning(isElsewhere);
    if (hasEnded) this.listener.onTurnEnd();
  }

  private setRunning(isElsewhere: boolean): void {
    const { state } = this;
    if (isElsewhere === state.isElsewhere) return;
    state.isElsewhere = isElsewhere;
    if (isElsewhere) this.follow();
    else this.listener.onFree();
    state.changes.fire({ type: 'statusChanged', status: state.status });
  }
}
