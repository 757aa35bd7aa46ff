import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';

export interface Excess {
  /** Tokens of the least that could be sent. */
  needed: number;
  model: string;
  /** The model's context window, in tokens. */
  window: number;
  /** The turn has run tools: it grew by itself. */
  isWorking: boolean;
}

/** What the person is told instead of sending what the model would refuse. */
export function contextTooLong({ needed, model, window, isWorking }: Excess): SwitchboardError {
  const sentence = isWorking
    ? l10n.t(
        'This turn has outgrown the context: it takes about {0} tokens, and {1} has {2}, part of which is kept for the answer. Send a message to go on; the steps so far are then summarised.',
        needed,
        model,
        window,
      )
    : l10n.t(
        'This does not fit: it takes about {0} tokens, and the context of {1} has {2}, part of which is kept for the answer. Nothing was sent. Shorten the message, remove attachments, or choose a model with a larger context.',
        needed,
        model,
        window,
      );
  return new SwitchboardError('context-too-long', sentence);
}
