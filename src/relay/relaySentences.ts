import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../base/errors.ts';

export interface SentenceDetails {
  /** The address called, without query. */
  address: string;
  retryAfterMs?: number | undefined;
  /** Inside a stream the answer had begun. */
  stage?: 'answer' | 'stream';
}

/** What a refusal means for the person: what happened, and where it is natural, what to do about it. */
export function sentenceFor(code: ErrorCode, about: SentenceDetails): string {
  const { address } = about;
  switch (code) {
    case 'wrong-address':
      return l10n.t("No model service answers at {0}. Check the relay's base address.", address);
    case 'key':
      return l10n.t(
        'The relay refused the key. It may be mistyped, expired, disabled or used up; set a working one.',
      );
    case 'vendor-key':
      return l10n.t(
        "The relay's own account at the model's vendor was refused. Your key is fine: choose another model, or tell the relay's operator.",
      );
    case 'balance':
      return l10n.t(
        'The balance does not cover this request. Top up, choose a cheaper model, or lower the setting "switchboard.chat.maxTokens", which counts in advance.',
      );
    case 'model':
      return l10n.t(
        'The relay does not serve this model to your key at present. Choose another one from its list.',
      );
    case 'not-permitted':
      return l10n.t(
        'The relay does not permit this request with your key: the model, the group or your network may be excluded.',
      );
    case 'context-too-long':
      return l10n.t(
        'The conversation is longer than the model can take. Start a new chat, or remove attachments.',
      );
    case 'too-large':
      return l10n.t(
        'The request is larger than the server accepts. Remove attachments, or start a new chat.',
      );
    case 'rate-limit':
      return about.retryAfterMs === undefined
        ? l10n.t('Too many requests at present. Wait a moment, then try again.')
        : l10n.t(
            'Too many requests at present. The server asks to wait {0} s.',
            Math.ceil(about.retryAfterMs / 1000),
          );
    case 'request':
      return l10n.t(
        'The server did not accept the request. What it says may name the setting or the message at fault.',
      );
    case 'truncated':
      return l10n.t(
        'The answer broke off before the model finished it. What arrived is kept; ask again for the rest.',
      );
    case 'empty-reply':
      return l10n.t('The model finished without an answer. Try again, or choose another model.');
    default:
      return about.stage === 'stream'
        ? l10n.t('The relay or the vendor behind it failed while answering. Try again in a moment.')
        : l10n.t('The relay or the vendor behind it has trouble at present. Try again in a moment.');
  }
}
