import type { AppliedEdit } from '../../tools/edits/editJournal.ts';
import { interruptedEdits, lostCommands, recordInterruptions } from '../conversation/recordInterruptions.ts';
import type { OtherWindows } from './otherWindows.ts';
import type { SessionState } from './sessionState.ts';

export class InterruptedWork {
  private ending: Promise<void> | undefined;

  constructor(
    private readonly state: SessionState,
    private readonly windows: OtherWindows,
  ) {}

  end(): Promise<void> | undefined {
    // An unfinished answer may have just started in another window.
    if (!this.isLeft() || this.windows.findTurn()) return this.ending;
    const { turn, conversation } = this.state;
    const edits = turn ? [] : interruptedEdits(conversation);
    if (edits.length > 0) this.ending ??= this.endEdits(edits).finally(() => (this.ending = undefined));
    else this.record(turn ? 'commands' : 'all');
    return this.ending;
  }

  /** A turn that begins meanwhile waits for this before it answers. */
  private async endEdits(edits: readonly AppliedEdit[]): Promise<void> {
    const { context, conversation } = this.state;
    const made = await Promise.all(edits.map((edit) => context.findMade(conversation.id, edit)));
    this.record(
      'all',
      made.filter((edit) => edit !== undefined),
    );
  }

  private isLeft(): boolean {
    let isLeft = lostCommands(this.state.conversation).length > 0;
    // A turn running here owns its unfinished answer.
    if (!this.state.turn) recordInterruptions(this.state.conversation, () => (isLeft = true));
    return isLeft;
  }

  private record(what: 'all' | 'commands', made?: readonly AppliedEdit[]): void {
    const { state } = this;
    if (what === 'all') recordInterruptions(state.conversation, (event) => state.record(event), made);
    for (const event of lostCommands(state.conversation)) state.record(event);
  }
}
