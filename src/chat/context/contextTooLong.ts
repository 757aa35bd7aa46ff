import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber } from '../../base/text/format.ts';

export interface Excess {
  needed: number;
  model: string;
  window: number;
  /** The newest message alone doesn't fit; otherwise compacting would free too little. */
  isMessage: boolean;
}

export function contextTooLong({ needed, model, window, isMessage }: Excess): SwitchboardError {
  const facts = [formatNumber(needed), model, formatNumber(window)] as const;
  const message = isMessage
    ? l10n.t(
        "The message wasn't sent: it needs about {0} tokens, and the context window of {1} has {2}, including the answer. Shorten the message, remove attachments, or choose a model with a larger context window.",
        ...facts,
      )
    : l10n.t(
        'The conversation needs about {0} tokens, and the context window of {1} has {2}, including the answer. Compacting it would free less than 20 %. Choose a model with a larger context window.',
        ...facts,
      );
  return new SwitchboardError('context-too-long', message);
}
