import * as l10n from '@vscode/l10n';
import { SwitchboardError } from './errors.ts';
import { formatSize } from './format.ts';

/** Characters of text, reasoning and arguments together; the longest context of today is about half of it. */
export const longestAnswer = 8_000_000;

/** Counts what one answer brings. Throws `truncated` when it is more than any answer has, and says how much that is. */
export class AnswerLimit {
  /** What was counted so far. */
  size = 0;

  constructor(private readonly address: string) {}

  add(characters: number): void {
    this.size += characters;
    if (this.size > longestAnswer) {
      const message = l10n.t(
        'The answer was stopped because it is longer than {0}. The partial answer was kept.',
        formatSize(longestAnswer),
      );
      throw new SwitchboardError('truncated', message, { address: this.address });
    }
  }
}
