import { isIP } from 'node:net';
import * as l10n from '@vscode/l10n';
import { isLoopback } from '../base/address.ts';
import { shownAddress } from '../base/urls.ts';
import { SwitchboardError } from '../base/errors/errors.ts';

// Captive portals answer in place of every server until the user has signed in. With TLS the certificate fails.

export interface PortalSigns {
  status: number;
  contentType: string;
  target: URL | undefined;
  hasAnswered: boolean;
}

/** True only for status 511, or over plain HTTP for a page or another site where the server has answered before. */
export function isOfPortal(url: URL, { status, contentType, target, hasAnswered }: PortalSigns): boolean {
  if (status === 511) return true;
  if (!canBeReplaced(url) || !hasAnswered) return false;
  return target ? siteOf(target) !== siteOf(url) : status === 200 && /\bhtml\b/i.test(contentType);
}

export function captivePortal(url: URL, status: number): SwitchboardError {
  const address = shownAddress(url);
  return new SwitchboardError(
    'offline',
    l10n.t(
      'This network asks you to sign in before it connects to {0}. Sign in with a browser, then try again.',
      url.host,
    ),
    { address, status },
  );
}

export function withSignInHint(message: string, address: string): string {
  const url = URL.parse(address);
  return url && canBeReplaced(url)
    ? `${message} ${l10n.t('If this network has a sign-in page, sign in with a browser first.')}`
    : message;
}

function canBeReplaced(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url.hostname);
}

function siteOf({ hostname }: URL): string {
  return isIP(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}
