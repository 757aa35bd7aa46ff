import * as l10n from '@vscode/l10n';
import { SwitchboardError } from './errors/errors.ts';
import { formatSize } from './text/formatSize.ts';

/** In characters of text, reasoning and arguments together: twice the longest context windows. */
export const longestAnswer = 8_000_000;

export class AnswerLimit {
  size = 0;

  constructor(
    private readonly address: string,
    private readonly longest = longestAnswer,
  ) {}

  add(characters: number): void {
    this.size += characters;
    if (this.size > this.longest) {
      const message = l10n.t(
        'The answer was stopped because it is longer than {0}. The partial answer was kept.',
        formatSize(this.longest),
      );
      throw new SwitchboardError('truncated', message, { address: this.address });
    }
  }
}
