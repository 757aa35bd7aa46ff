import { appIdOf } from '../../apps/appModelId.ts';
import { deletion, retriedFrom } from '../conversation/rollback.ts';
import type { Choices } from './choices.ts';
import type { OtherWindows } from './otherWindows.ts';
import type { SessionState } from './sessionState.ts';

export class Branches {
  constructor(
    private readonly state: SessionState,
    private readonly windows: OtherWindows,
    private readonly choices: Choices,
  ) {}

  chooseVersion(itemId: string, direction: 'previous' | 'next'): void {
    const id = this.state.conversation.versionBeside(itemId, direction);
    if (this.windows.areIdle() && id !== undefined) this.state.record({ type: 'versionChosen', id });
  }

  goTo(itemId: string): void {
    if (!this.windows.areIdle()) return;
    for (let id; (id = this.state.conversation.turnOff(itemId)) !== undefined;)
      this.state.record({ type: 'versionChosen', id });
  }

  /** Deletes a message and all after it, until `goTo` restores them. False if that isn't possible now. */
  deleteFrom(itemId: string): boolean {
    if (!this.windows.areIdle() || !this.state.has(itemId)) return false;
    for (const event of deletion(this.state.conversation, itemId)) this.state.record(event);
    return true;
  }

  retriedFrom(itemId: string): string | undefined {
    const { model } = this.choices;
    if (this.state.turn || !model) return undefined;
    return retriedFrom(this.state.conversation.all, itemId, appIdOf(model) !== undefined);
  }

  answerLeftByRetry(itemId: string): string | undefined {
    const { all } = this.state.conversation;
    const from = this.retriedFrom(itemId);
    return (
      from && all.slice(all.findIndex(({ id }) => id === from)).find(({ type }) => type === 'answer')?.id
    );
  }
}
