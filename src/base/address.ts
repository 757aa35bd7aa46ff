import * as l10n from '@vscode/l10n';

/** A server's base address: no trailing slash, no `/v1`; `origin` is what keys are stored under. */
export interface Address {
  baseUrl: string;
  origin: string;
}

const longestAddress = 2000;
const longestHost = 253;

/** Accepts no scheme, `/v1` or a whole endpoint path. A path before `/v1` stays: some relays are served below one. */
export function normaliseAddress(input: string): Address | { problem: string } {
  const tooLong = { problem: l10n.t('The address is too long.') };
  if (input.length > longestAddress) return tooLong;
  const typed = unwrap(input.trim());
  if (!typed) return { problem: l10n.t('Enter the address of your service.') };
  if (/\s/.test(typed)) {
    return { problem: l10n.t('The address contains spaces. Remove them and try again.') };
  }
  // A key of the relay, an app or knowledge bases: as a host, it would be shown and looked up.
  if (/^(?:sk|app|dataset)-[\w-]*$/i.test(typed)) {
    return { problem: l10n.t('This looks like a key, not an address. The key is entered separately.') };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]?.toLowerCase();
  if (scheme && scheme !== 'http' && scheme !== 'https') {
    return { problem: l10n.t('Addresses start with https:// or http://, not {0}://.', scheme) };
  }
  const url = parse(typed);
  if (!url || url.hostname.length > longestHost) {
    return { problem: l10n.t('Enter an address such as https://relay.example.com.') };
  }
  if (url.username || url.password) {
    return {
      problem: l10n.t(
        'The address contains a user name or password. Remove it; the key is entered separately.',
      ),
    };
  }
  const baseUrl = url.origin + withoutEndpoint(url.pathname);
  return baseUrl.length > longestAddress ? tooLong : { baseUrl, origin: url.origin };
}

/** True for hosts of this machine. `hostname` comes from `URL`: IPv6 is in brackets. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  );
}

export function isUnencrypted({ baseUrl }: Address): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopback(hostname);
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unwrap(text: string): string {
  const pairs = ['""', "''", '``', '<>'];
  let inner = text;
  while (inner.length > 1 && pairs.includes(inner.charAt(0) + inner.charAt(inner.length - 1))) {
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}

function parse(typed: string): URL | undefined {
  // `https:/host` and `//host` are typos, not other schemes.
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

/** First path segments that both services serve below `/v1`. */
const served = new Set(
  (
    'chat completions models responses messages embeddings rerank moderations images audio files dashboard ' +
    'chat-messages completion-messages workflows datasets conversations parameters info meta site apps workspaces'
  ).split(' '),
);
const bareEndpoints = [
  ['chat', 'completions'],
  ['chat-messages'],
  ['completion-messages'],
  ['workflows', 'run'],
  ['v1'],
];

function withoutEndpoint(pathname: string): string {
  const parts = pathname.split('/').filter(Boolean);
  const words = parts.map((part) => part.toLowerCase());
  const endpoint = words.findIndex((word, at) => word === 'v1' && served.has(words[at + 1] ?? ''));
  if (endpoint >= 0) words.length = endpoint;
  const endsWith = (end: readonly string[]) => end.every((word, at) => words.at(at - end.length) === word);
  for (let end = bareEndpoints.find(endsWith); end; end = bareEndpoints.find(endsWith))
    words.length -= end.length;
  return ['', ...parts.slice(0, words.length)].join('/');
}
