import * as l10n from '@vscode/l10n';
import { shownAddress } from '../base/urls.ts';
import { cancelled, messageOf, rejudge, SwitchboardError } from '../base/errors/errors.ts';
import { formatDuration } from '../base/text/formatTime.ts';
import { maskSecrets } from '../base/secrets/maskSecrets.ts';
import { sanitizeServerMessage } from '../base/text/sanitizeServerMessage.ts';
import { withSignInHint } from './captivePortal.ts';
import { type ProxyRoute, proxySetting } from './routes.ts';

function proxyRefusal(text: string): string | undefined {
  return /^Proxy response \(([^)]+)\)/.exec(text)?.[1];
}

export function isProxySignIn(error: SwitchboardError): boolean {
  return error.code === 'proxy' && isSignInAsked(error.cause);
}

export function isSignInAsked(error: unknown): boolean {
  return proxyRefusal(messageOf(error)) === '407';
}

/** @param refusal an HTTP status, to which other proxies' refusals are mapped, or words */
export function proxyRefused(refusal: number | string): Error {
  return new Error(`Proxy response (${refusal})`);
}

const failedAtProxy = new WeakSet<Error>();

/** Marks a failure of the connection to the proxy, whose certificate is not the server's. */
export function atProxy(error: unknown): unknown {
  if (error instanceof Error) failedAtProxy.add(error);
  return error;
}

export interface RequestInfo {
  url: string;
  proxy?: Omit<ProxyRoute, 'type'> | undefined;
  connectMs: number;
  /** The server has answered before, so it speaks HTTP. */
  hasAnswered?: boolean;
}

const unreachable = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  // A proxy that doesn't tell if it reaches the server.
  'UND_ERR_HEADERS_TIMEOUT',
]);

/** True if no connection was made, so nothing was sent. */
export function isUnreachable(error: unknown): boolean {
  return unreachable.has(codeOf(error));
}

export function toNetworkError(error: unknown, request: RequestInfo): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return cancelled();
  const text = messageOf(error);
  const details = {
    systemError: systemErrorText(text, code),
    address: shownAddress(request.url),
    cause: error,
  };

  const refusal = proxyRefusal(text);
  if (request.proxy && (refusal || isUnreachable(error))) {
    return new SwitchboardError('proxy', proxyMessage(request.proxy, refusal, request.url), details);
  }
  if (isTlsCode(code)) {
    const isOfProxy = error instanceof Error && failedAtProxy.has(error);
    const host = hostOf((isOfProxy && request.proxy?.proxyUrl) || request.url);
    return new SwitchboardError('tls', tlsMessage(code, text, host), details);
  }
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new SwitchboardError('timeout-connect', connectTimeoutMessage(request), details);
  }
  if (isUnreachable(error))
    return new SwitchboardError('offline', offlineMessage(code, request.url), details);
  if (/^Z_|^ERR_(?:BROTLI_DECODER|_?ERROR_FORMAT)/.test(code)) {
    return new SwitchboardError(
      'transient',
      l10n.t(
        'The response from {0} is incomplete or incorrectly compressed. Try again.',
        hostOf(request.url),
      ),
      details,
    );
  }
  const isNotHttp = !request.hasAnswered && isBrokenHttp(code, text);
  if (isNotHttp || code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_URL') {
    return new SwitchboardError(
      'wrong-address',
      l10n.t("The server at {0} doesn't speak HTTP. Check the address and the port.", hostOf(request.url)),
      details,
    );
  }
  return new SwitchboardError(
    'transient',
    l10n.t(
      'The connection to {0} was closed. Try again. If it happens often, check the network.',
      hostOf(request.url),
    ),
    details,
  );
}

export function firstTokenTimeout(address: string, limitMs: number): SwitchboardError {
  return new SwitchboardError(
    'timeout-first-token',
    l10n.t(
      '{0} didn\'t respond within {1}. Try again, or increase the setting "switchboard.network.firstTokenTimeoutSeconds".',
      hostOf(address),
      formatDuration(limitMs),
    ),
    { address: shownAddress(address) },
  );
}

export function idleTimeout(address: string, limitMs: number): SwitchboardError {
  return new SwitchboardError(
    'timeout-idle',
    l10n.t(
      '{0} sent no data for {1} in the middle of its answer. Try again, or increase the setting "switchboard.network.idleTimeoutSeconds".',
      hostOf(address),
      formatDuration(limitMs),
    ),
    { address: shownAddress(address) },
  );
}

/** @param skewMs how far this computer's clock is ahead of the server's */
export function clockIsWrong(error: SwitchboardError, url: URL, skewMs: number): SwitchboardError {
  const duration = formatDuration(Math.abs(skewMs), 'about');
  const message =
    skewMs > 0
      ? l10n.t(
          "This computer's clock is {0} ahead of {1}'s, so its certificate seems to have expired. Correct the date and time.",
          duration,
          url.host,
        )
      : l10n.t(
          "This computer's clock is {0} behind {1}'s, so its certificate doesn't seem to be valid yet. Correct the date and time.",
          duration,
          url.host,
        );
  return rejudge(error, 'tls', message);
}

export function isAboutTime(error: SwitchboardError): boolean {
  return error.code === 'tls' && /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(codeOf(error.cause));
}

/** Keys are only sent to the address they were entered for. */
export function redirected(
  url: URL,
  target: URL,
  status: number,
  secrets: readonly string[],
): SwitchboardError {
  const targetAddress = maskSecrets(shownAddress(target), secrets);
  const message =
    target.origin === url.origin
      ? l10n.t('{0} redirects to {1}. Enter that address if you trust it.', shownAddress(url), targetAddress)
      : l10n.t(
          '{0} redirects to another server, {1}, to which keys are not sent. If you trust that server, enter its address.',
          shownAddress(url),
          targetAddress,
        );
  const details = { address: shownAddress(url), status };
  return new SwitchboardError('wrong-address', withSignInHint(message, url.href), details);
}

function proxyMessage(
  { proxyUrl, authorization, fallible, source }: NonNullable<RequestInfo['proxy']>,
  refusal: string | undefined,
  url: string,
): string {
  const proxy = shownAddress(proxyUrl);
  if (refusal === '407') {
    return authorization === undefined
      ? l10n.t(
          'The proxy {0} requires a user name and password. Enter them when asked, or set "http.proxyAuthorization".',
          proxy,
        )
      : l10n.t(
          'The proxy {0} rejected the user name or the password. Enter them again when asked, or set "http.proxyAuthorization".',
          proxy,
        );
  }
  if (refusal === 'unsupported') {
    return l10n.t('The proxy {0} uses an unsupported protocol. Use an HTTP, HTTPS or SOCKS5 proxy.', proxy);
  }
  if (refusal) {
    return l10n.t('The proxy {0} blocked the request to {1} (status {2}).', proxy, hostOf(url), refusal);
  }
  if (fallible) {
    return l10n.t(
      "Couldn't connect to {0}, neither through the proxy {1} (from {2}) nor directly. Check the network and any VPN.",
      hostOf(url),
      proxy,
      source,
    );
  }
  return source === proxySetting
    ? l10n.t('Couldn\'t connect to the proxy {0}. Check the setting "{1}".', proxy, source)
    : l10n.t("Couldn't connect to the proxy {0}. Check the variable {1}.", proxy, source);
}

function connectTimeoutMessage({ url, connectMs }: RequestInfo): string {
  return connectMs > 0
    ? l10n.t(
        "Couldn't connect to {0} within {1}. Check the address, the network and any VPN or proxy.",
        hostOf(url),
        formatDuration(connectMs),
      )
    : l10n.t(
        "Couldn't connect to {0} in time. Check the address, the network and any VPN or proxy.",
        hostOf(url),
      );
}

function offlineMessage(code: string, url: string): string {
  const host = hostOf(url);
  switch (code) {
    case 'ENOTFOUND':
      return l10n.t('Host {0} not found. Check the address for a typo, and the network connection.', host);
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return l10n.t("Couldn't look up {0}. Check the network connection.", host);
    case 'ECONNREFUSED':
      return l10n.t(
        'Connection refused by {0}. Check the address and the port, and that the server is running.',
        host,
      );
    default:
      return l10n.t("Couldn't reach {0}. Check the network and any VPN or proxy.", host);
  }
}

function isBrokenHttp(code: string, text: string): boolean {
  return code.startsWith('HPE_') || text.includes('does not match the HTTP');
}

function isTlsCode(code: string): boolean {
  return (
    /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|PATH_LENGTH)/.test(
      code,
    ) ||
    code === 'EPROTO' ||
    code === 'UND_ERR_PRX_TLS'
  );
}

function tlsMessage(code: string, text: string, host: string): string {
  if (code === 'CERT_HAS_EXPIRED') {
    return l10n.t('The certificate of {0} has expired. Only its operator can renew it.', host);
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return l10n.t("The certificate of {0} isn't valid yet. Check this computer's date.", host);
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return l10n.t(
      'The certificate of {0} is for another name. Check the address for a typo. If this network has a sign-in page, sign in first.',
      host,
    );
  }
  if (/certificate.?required|alert.bad.certificate/i.test(`${code} ${text}`)) {
    return l10n.t(
      '{0} requires a client certificate. Set its file in the setting "switchboard.network.clientCertificateFile".',
      host,
    );
  }
  if (code === 'EPROTO' || /wrong version number|packet length too long/i.test(text)) {
    return l10n.t(
      "A secure connection to {0} failed. If the server doesn't use TLS, start the address with http://.",
      host,
    );
  }
  return l10n.t(
    'The certificate of {0} isn\'t trusted. If your organization issues its own certificates, set the issuer\'s file in the setting "switchboard.network.caFile".',
    host,
  );
}

function systemErrorText(text: string, code: string): string {
  const [, reason = text] = /^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/i.exec(text) ?? [];
  const plain = reason.replace(/; if the root CA is installed locally, try running Node\.js with \S+/, '');
  return sanitizeServerMessage(code && !plain.includes(code) ? `${plain} (${code})` : plain);
}

function codeOf(error: unknown): string {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
    const code = (inner as NodeJS.ErrnoException).code;
    if (typeof code === 'string' && code !== 'UND_ERR_ABORTED') return code;
    if (inner instanceof AggregateError && inner.errors[0] !== undefined) return codeOf(inner.errors[0]);
  }
  return '';
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return shownAddress(url);
  }
}
