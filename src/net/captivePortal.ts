import { isIP } from 'node:net';
import * as l10n from '@vscode/l10n';
import { isLoopback, shownAddress } from '../base/address.ts';
import { SwitchboardError } from '../base/errors.ts';

// Networks of hotels and trains answer in the place of every server until somebody has signed in. Over TLS they cannot,
// so a certificate is then what fails.

/** An answer, as far as it tells who gave it. */
export interface PortalSigns {
  status: number;
  contentType: string;
  /** Where it redirects to. */
  target: URL | undefined;
  /** The server has answered before. */
  hasAnswered: boolean;
}

/**
 * Whether a network surely answered in the place of the server: by the status that is made for it, or over plain HTTP by
 * a page or another site where there were answers before.
 */
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

/** Says of a wrong address that a sign-in page may be what answered, where that is possible. */
export function withSignInHint(message: string, address: string): string {
  const url = URL.parse(address);
  return url && canBeReplaced(url)
    ? `${message} ${l10n.t('If this network has a sign-in page, sign in with a browser first.')}`
    : message;
}

function canBeReplaced(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url.hostname);
}

/** The last two parts of a name; an address of numbers is a site of its own. */
function siteOf({ hostname }: URL): string {
  return isIP(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}
