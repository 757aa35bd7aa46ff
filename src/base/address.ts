import * as l10n from '@vscode/l10n';

/** A server's base address: no trailing slash, no `/v1`; `origin` is what keys are stored under. */
export interface Address {
  baseUrl: string;
  origin: string;
}

/**
 * Reads what the user typed or pasted as a server's address: with or without scheme, with `/v1`, or a whole
 * endpoint copied from a manual. A path before `/v1` is kept, since some relays live below one.
 * Returns the problem as a sentence instead when it cannot be an address. Its own result reads as itself.
 */
export function normaliseAddress(input: string): Address | { problem: string } {
  const typed = unwrap(input.trim());
  if (!typed) return { problem: l10n.t('Enter the address of your service.') };
  if (/\s/.test(typed)) {
    return { problem: l10n.t('The address contains spaces. Remove them and try again.') };
  }
  if (/^sk-[\w-]*$/i.test(typed)) {
    return { problem: l10n.t('This looks like a key, not an address. The key is entered separately.') };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]?.toLowerCase();
  if (scheme && scheme !== 'http' && scheme !== 'https') {
    return { problem: l10n.t('Addresses start with https:// or http://, not {0}://.', scheme) };
  }
  const url = parse(typed);
  if (!url) {
    return { problem: l10n.t('This is not an address. It should look like https://relay.example.com.') };
  }
  if (url.username || url.password) {
    return {
      problem: l10n.t(
        'The address contains a user name or password. Remove it; the key is entered separately.',
      ),
    };
  }
  return { baseUrl: url.origin + withoutEndpoint(url.pathname), origin: url.origin };
}

/** True for hosts that never leave this machine. `hostname` is as `URL` gives it: IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  );
}

/** True for an address whose requests can be read on their way: plain HTTP to another machine. */
export function isUnencrypted({ baseUrl }: Address): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopback(hostname);
}

/** The same host over HTTPS and the same port. */
export function overHttps({ baseUrl }: Address): Address {
  const url = new URL(baseUrl);
  url.protocol = 'https:';
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin };
}

const mostShorter = 6;

/**
 * Where the service may be when the address of one of its pages was pasted: every path above, the nearest first, and
 * below the origin where some serve their API. Never another origin.
 */
export function shorterAddresses({ baseUrl, origin }: Address): Address[] {
  const parts = baseUrl.slice(origin.length).split('/').slice(1, mostShorter);
  const above = parts.map((_, index) => [origin, ...parts.slice(0, index)].join('/')).toReversed();
  return [...new Set([...above, `${origin}/api`])]
    .filter((candidate) => candidate !== baseUrl)
    .map((candidate) => ({ baseUrl: candidate, origin }));
}

/** An address fit for the user or a log: no user, no password, no query, no hash. */
export function shownAddress(address: string | URL): string {
  try {
    const url = new URL(address);
    if (url.origin !== 'null') return url.origin + url.pathname.replace(/\/+$/, '');
  } catch {
    // Shown as it is, but for what follows.
  }
  // What is no address of the web may have a password all the same.
  return String(address)
    .replace(/[?#].*$/s, '')
    .replace(/^((?:[a-z][a-z0-9+.-]*:)?\/\/)?[^/]*@/i, '$1');
}

/** Quotes, back quotes and angle brackets come along when an address is copied out of a document. */
function unwrap(text: string): string {
  const pairs = ['""', "''", '``', '<>'];
  let inner = text;
  while (inner.length > 1 && pairs.includes(inner.charAt(0) + inner.charAt(inner.length - 1))) {
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}

function parse(typed: string): URL | undefined {
  // `https:/host` and `//host` are slips of the hand, not other schemes.
  const rest = typed.replace(/^(https?:)?\/*/i, '');
  const given = /^(https?):/i.exec(typed)?.[1];
  try {
    const secure = new URL(`https://${rest}`);
    if (!secure.hostname) return undefined;
    const scheme = given?.toLowerCase() ?? (isLoopback(secure.hostname) ? 'http' : 'https');
    return new URL(`${scheme}://${rest}`);
  } catch {
    return undefined;
  }
}

/** First words of the paths that both services serve below `/v1`. */
const served =
  'chat|completions|models|responses|messages|embeddings|rerank|moderations|images|audio|files|dashboard|' +
  'chat-messages|completion-messages|workflows|datasets|conversations|parameters|info|meta|site|apps|workspaces';

const endpoint = new RegExp(`/v1/(?:${served})(?:/.*)?$`, 'i');
/** These words are unmistakable even where somebody forgot the `/v1`. */
const bareEndpoint = /\/(?:chat\/completions|chat-messages|completion-messages|workflows\/run)$/i;

function withoutEndpoint(pathname: string): string {
  let path = pathname.replace(/\/{2,}/g, '/');
  for (;;) {
    const shorter = path
      .replace(/\/+$/, '')
      .replace(endpoint, '')
      .replace(bareEndpoint, '')
      .replace(/\/v1$/i, '');
    if (shorter === path) return path;
    path = shorter;
  }
}
