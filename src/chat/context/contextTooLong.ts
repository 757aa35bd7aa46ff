import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors.ts';
import { formatNumber } from '../../base/format.ts';

export interface Excess {
  /** Tokens of the least that could be sent. */
  needed: number;
  model: string;
  /** The model's context window, in tokens. */
  window: number;
  /** The newest message alone does not fit; else compacting would free too little. */
  isMessage: boolean;
}

/** What the user is told instead of sending what the model would refuse. */
export function contextTooLong({ needed, model, window, isMessage }: Excess): SwitchboardError {
  const facts = [formatNumber(needed), model, formatNumber(window)] as const;
  const message = isMessage
    ? l10n.t(
        'The message was not sent: it needs about {0} tokens, and the context window of {1} has {2}, including the answer. Shorten the message, remove attachments, or choose a model with a larger context window.',
        ...facts,
      )
    : l10n.t(
        'The conversation needs about {0} tokens, and the context window of {1} has {2}, including the answer. Compacting it would free less than 20 %. Choose a model with a larger context window.',
        ...facts,
      );
  return new SwitchboardError('context-too-long', message);
}
