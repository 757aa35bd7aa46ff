import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { oneLine } from '../base/oneLine.ts';
import type { ChatController, TurnEnd } from './chatController.ts';
import type { Sights } from './sight.ts';

/** How a turn ended that the user did not look at. */
export interface UnseenTurn {
  outcome: 'done' | 'failed';
  /** What its conversation is known by. */
  title: string;
  /** The user was told. */
  isTold?: true;
}

/** By the conversation's id. */
export type UnseenRecord = Readonly<Record<string, UnseenTurn>>;

const longestTitle = 60;

/** The conversations that came to rest while the user did not look, each until it is seen. They outlive the window. */
export class UnseenTurns implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  /** @param memory where they are kept */
  constructor(
    chat: Pick<ChatController, 'onDidEndTurn'>,
    private readonly sights: Sights,
    private readonly memory: { unseenTurns: UnseenRecord },
  ) {
    this.parts.add(chat.onDidEndTurn((turn) => this.onTurnEnd(turn)));
    this.parts.add(sights.onDidChange(() => this.forget((id) => sights.of(id) === 'seen')));
  }

  get all(): UnseenRecord {
    return this.memory.unseenTurns;
  }

  /** The user is told of one once. */
  setTold(conversationId: string): void {
    const turn = this.all[conversationId];
    if (turn) this.memory.unseenTurns = { ...this.all, [conversationId]: { ...turn, isTold: true } };
  }

  /** Those that are seen, or exist no longer. */
  forget(isGone: (conversationId: string) => boolean): void {
    const left = Object.entries(this.all).filter(([id]) => !isGone(id));
    if (left.length === Object.keys(this.all).length) return;
    this.memory.unseenTurns = Object.fromEntries(left);
    this.changes.fire();
  }

  dispose(): void {
    this.parts.dispose();
  }

  private onTurnEnd({ conversation: { id, all }, end: { reason } }: TurnEnd): void {
    // What the user stopped is no news.
    if (reason === 'stopped' || reason === 'interrupted' || this.sights.of(id) === 'seen') return;
    const first = all.find((item) => item.type === 'user');
    const words = first?.text.trim() || (first?.attachments?.[0]?.label ?? '');
    this.memory.unseenTurns = {
      ...this.all,
      [id]: { outcome: reason === 'failed' ? 'failed' : 'done', title: oneLine(words, longestTitle) },
    };
    this.changes.fire();
  }
}
