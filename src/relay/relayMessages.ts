import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../base/errors.ts';
import { formatDuration } from '../base/format.ts';
import { withSignInHint } from '../net/captivePortal.ts';

export interface MessageDetails {
  /** The address called, without query. */
  address: string;
  /** What the server asks us to wait. */
  waitMs?: number | undefined;
  /** Inside a stream the answer had begun. */
  stage?: 'answer' | 'stream';
  /** Nothing of the answer came that could be shown. */
  isEmpty?: boolean;
}

/** What a refusal means for the user: the first sentence says what happened, the next what to do about it. */
export function messageFor(code: ErrorCode, about: MessageDetails): string {
  const { address, waitMs } = about;
  const wait = waitMs === undefined || waitMs === 0 ? undefined : formatDuration(waitMs, 'about');
  switch (code) {
    case 'wrong-address':
      return withSignInHint(
        l10n.t("No model service answers at {0}. Check the relay's base address.", address),
        address,
      );
    case 'key':
      return l10n.t(
        'The relay rejected the key. It may be mistyped, expired, disabled or used up. Enter another key.',
      );
    case 'vendor-key':
      return l10n.t(
        "The upstream provider rejected the relay's credentials. Your key and balance are fine. Choose another model, or contact the relay's operator.",
      );
    case 'balance':
      return l10n.t(
        'Your balance doesn\'t cover this request. Top up, choose a cheaper model, or lower the setting "switchboard.chat.maxTokens", which counts in advance.',
      );
    case 'vendor-balance':
      return l10n.t(
        "The relay has no credit left at the upstream provider. Your key and balance are fine. Choose another model, or contact the relay's operator.",
      );
    case 'model':
      return l10n.t("Model not available for this key. Choose another one from the relay's list.");
    case 'images':
      return l10n.t("This model doesn't support images. Choose another model, or remove the images.");
    case 'not-permitted':
      return l10n.t("The relay doesn't permit this request with your key. See the server's message.");
    case 'network-not-allowed':
      return l10n.t(
        "The relay doesn't accept this key from your network. Add your IP address to the key's list on the relay's site, or use a key without such a list.",
      );
    case 'context-too-long':
      return l10n.t(
        "The conversation exceeds the model's context window. Start a new chat, or remove attachments.",
      );
    case 'too-large':
      return l10n.t(
        'The request is larger than the server accepts. Compact the conversation, remove attachments, or start a new chat.',
      );
    case 'rate-limit':
      return wait === undefined
        ? l10n.t('Rate limit reached. Wait a moment, then try again.')
        : l10n.t('Rate limit reached. Try again in {0}.', wait);
    case 'content-filter':
      return l10n.t('A content filter blocked the request. Edit your message, or choose another model.');
    case 'request':
      return l10n.t("The server rejected the request. See the server's message.");
    case 'truncated':
      return about.isEmpty
        ? l10n.t('The answer was cut off before the model finished it. Try again.')
        : l10n.t('The answer was cut off before the model finished it. The partial answer was kept.');
    case 'empty-reply':
      return l10n.t('The model finished without an answer. Try again, or choose another model.');
    default:
      if (wait !== undefined) {
        return l10n.t('The relay or the upstream provider is unavailable. Try again in {0}.', wait);
      }
      return about.stage === 'stream'
        ? l10n.t('The relay or the upstream provider failed while answering. Try again in a moment.')
        : l10n.t('The relay or the upstream provider failed. Try again in a moment.');
  }
}
