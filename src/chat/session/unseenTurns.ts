import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { ChatController, TurnEnd } from '../chatController.ts';

export interface UnseenTurn {
  outcome: 'done' | 'failed';
  title: string;
  isTold?: true;
}

export type UnseenRecord = Readonly<Record<string, UnseenTurn>>;

const longestTitle = 60;

export class UnseenTurns implements Disposable {
  private readonly parts = new DisposableStore();
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

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

  setTold(conversationId: string): void {
    const turn = this.all[conversationId];
    if (turn) this.memory.unseenTurns = { ...this.all, [conversationId]: { ...turn, isTold: true } };
  }

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
    // Turns stopped by the user need no notification.
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

/** `background`: visible in a window without focus; `hidden`: another conversation is shown, or the panel is hidden. */
export type Sight = 'seen' | 'background' | 'hidden';

export interface Sights {
  of(conversationId: string): Sight;
  readonly onDidChange: Event<void>;
}
