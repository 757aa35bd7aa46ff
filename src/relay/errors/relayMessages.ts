import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../../base/errors/errors.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { withSignInHint } from '../../net/captivePortal.ts';

export interface MessageDetails {
  address: string;
  waitMs?: number | undefined;
  stage?: 'answer' | 'stream';
  isEmpty?: boolean;
  cause?: Cause | undefined;
  rule?: string;
}

/** Distinguishes failures with the same code. `minute`: the account's token limit per minute. */
export type Cause = 'expired' | 'disabled' | 'usedUp' | 'region' | 'minute' | 'wordFilter';

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
      if (about.cause === 'expired') return expiredMessage();
      if (about.cause === 'disabled') return disabledMessage();
      return l10n.t(
        'The relay rejected the key. It may be mistyped, expired, disabled or used up. Enter another key.',
      );
    case 'vendor-key':
      return l10n.t(
        "The upstream provider rejected the relay's credentials. Your key and balance are fine. Choose another model, or contact the relay's operator.",
      );
    case 'balance':
      if (about.cause === 'usedUp') return usedUpMessage();
      return l10n.t(
        'Your balance doesn\'t cover this request. Top up, choose a cheaper model, or lower the setting "switchboard.chat.maxTokens", which counts in advance.',
      );
    case 'vendor-balance':
      return l10n.t(
        "The relay has no credit left at the upstream provider. Your key and balance are fine. Choose another model, or contact the relay's operator.",
      );
    case 'vendor-not-permitted':
      return about.cause === 'region'
        ? l10n.t(
            "The upstream provider doesn't serve the relay's region. Your key and balance are fine. Choose another model, or contact the relay's operator.",
          )
        : l10n.t(
            "The upstream provider doesn't permit this request with the relay's account. Your key and balance are fine. Choose another model, or contact the relay's operator.",
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
      if (about.cause === 'minute') {
        return l10n.t(
          "The request exceeds the token limit per minute, so waiting doesn't help. Compact the conversation, shorten your message, or choose another model.",
        );
      }
      return l10n.t(
        'The request is larger than the server accepts. Compact the conversation, remove attachments, or start a new chat.',
      );
    case 'rate-limit':
      return wait === undefined
        ? l10n.t('Rate limit reached. Wait a moment, then try again.')
        : l10n.t('Rate limit reached. Try again in {0}.', wait);
    case 'content-filter':
      return filterMessage(about);
    case 'request':
      return l10n.t("The server rejected the request. See the server's message.");
    case 'truncated':
      return about.isEmpty
        ? l10n.t('The answer was cut off before the model finished it. Try again.')
        : l10n.t('The answer was cut off before the model finished it. The partial answer was kept.');
    case 'empty-reply':
      return l10n.t('The model finished without an answer. Try again, or choose another model.');
    default:
      return unavailableMessage(wait, about.stage);
  }
}

function filterMessage(about: MessageDetails): string {
  if (about.rule) {
    return l10n.t('The guardrail "{0}" blocked the request. Edit your message.', about.rule);
  }
  if (about.cause === 'wordFilter') {
    return l10n.t("The relay's word filter blocked the request. Edit your message.");
  }
  if (about.isEmpty) {
    return l10n.t(
      'The answer ended before it began, probably because a content filter blocked the request. Edit your message, or choose another model.',
    );
  }
  return l10n.t('A content filter blocked the request. Edit your message, or choose another model.');
}

function unavailableMessage(wait: string | undefined, stage: MessageDetails['stage']): string {
  if (wait !== undefined) {
    return l10n.t('The relay or the upstream provider is unavailable. Try again in {0}.', wait);
  }
  return stage === 'stream'
    ? l10n.t('The relay or the upstream provider failed while answering. Try again in a moment.')
    : l10n.t('The relay or the upstream provider failed. Try again in a moment.');
}

export function expiredMessage(expiredAt?: string): string {
  return expiredAt === undefined
    ? l10n.t("The key has expired. Create a new one on the relay's site and connect with it.")
    : l10n.t("The key expired on {0}. Create a new one on the relay's site and connect with it.", expiredAt);
}

export function usedUpMessage(): string {
  return l10n.t("The key's quota is used up. Raise it on the relay's site, or connect with another key.");
}

export function disabledMessage(): string {
  return l10n.t("The key is disabled. Enable it on the relay's site, or connect with another key.");
}
