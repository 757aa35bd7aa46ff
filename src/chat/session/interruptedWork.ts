import type { AppliedEdit } from '../../tools/edits/editJournal.ts';
import { interruptedEdits, interruptions, lostCommands } from '../conversation/interrupted.ts';
import type { ChatEvent } from '../store/events.ts';
import type { OtherWindows } from './otherWindows.ts';
import type { SessionState } from './sessionState.ts';

export class InterruptedWork {
  private ending: Promise<void> | undefined;

  constructor(
    private readonly state: SessionState,
    private readonly windows: OtherWindows,
  ) {}

  /** @returns a promise while files are read to find out which edits were made */
  end(): Promise<void> | undefined {
    // An unfinished answer may have just started in another window.
    if (this.events().next().done || this.windows.findTurn()) return this.ending;
    const edits = this.state.turn ? [] : interruptedEdits(this.state.conversation);
    if (edits.length === 0) this.state.recordAll(this.events());
    else this.ending ??= this.endEdits(edits).finally(() => (this.ending = undefined));
    return this.ending;
  }

  private async endEdits(edits: readonly AppliedEdit[]): Promise<void> {
    const { context, conversation } = this.state;
    const made = await Promise.all(edits.map((edit) => context.wasMade(conversation.id, edit)));
    this.state.recordAll(
      interruptions(
        this.state.conversation,
        edits.filter((_, index) => made[index]),
      ),
    );
    this.state.recordAll(lostCommands(this.state.conversation));
  }

  private *events(): Generator<ChatEvent> {
    // A turn running here owns its unfinished answer.
    if (!this.state.turn) yield* interruptions(this.state.conversation);
    yield* lostCommands(this.state.conversation);
  }
}
