import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors.ts';
import { formatNumber } from '../../base/format.ts';

export interface Excess {
  /** Tokens of the least that could be sent. */
  needed: number;
  model: string;
  /** The model's context window, in tokens. */
  window: number;
  /** The turn has run tools: it grew by itself. */
  isWorking: boolean;
}

/** What the user is told instead of sending what the model would refuse. */
export function contextTooLong({ needed, model, window, isWorking }: Excess): SwitchboardError {
  const message = isWorking
    ? l10n.t(
        'This turn no longer fits the context window: it needs about {0} tokens, and {1} has {2}, including the answer. Send a message to continue; the steps so far are then summarised.',
        formatNumber(needed),
        model,
        formatNumber(window),
      )
    : l10n.t(
        'The message was not sent: it needs about {0} tokens, and the context window of {1} has {2}, including the answer. Shorten the message, remove attachments, or choose a model with a larger context window.',
        formatNumber(needed),
        model,
        formatNumber(window),
      );
  return new SwitchboardError('context-too-long', message);
}
