import { BlockList, isIP } from 'node:net';
import { isLoopback, percentDecoded } from '../base/address.ts';

export interface ProxySettings {
  proxyUrl?: string;
  proxyAuthorization?: string;
  noProxy: readonly string[];
  strictTls: boolean;
}

export type DirectReason = 'loopback' | 'exempt' | 'no-proxy-named';

export type Route = DirectRoute | ProxyRoute;

export interface DirectRoute {
  type: 'direct';
  /** No setting rules out a proxy, so another transport may succeed. */
  fallible: boolean;
  because: DirectReason;
  unreached?: ProxyRoute;
}

export interface ProxyRoute {
  type: 'proxy';
  fallible: boolean;
  proxyUrl: string;
  authorization?: string;
  source: string;
}

type Environment = Record<string, string | undefined>;

/** The editor's settings win over the environment. Loopback is never proxied. */
export function chooseRoute(url: URL, settings: ProxySettings, environment: Environment): Route {
  if (isLoopback(url.hostname)) return { type: 'direct', fallible: false, because: 'loopback' };
  const noProxy = settings.noProxy.length > 0 ? settings.noProxy : environmentNoProxy(environment);
  if (isExempt(url, noProxy)) return { type: 'direct', fallible: false, because: 'exempt' };
  const named = settings.proxyUrl
    ? { value: settings.proxyUrl, source: proxySetting }
    : environmentProxy(url, environment);
  if (!named) return { type: 'direct', fallible: true, because: 'no-proxy-named' };
  return routeBy(named.value, settings, named.source, false);
}

export const proxySetting = 'http.proxy';

export function routeBy(
  proxy: string,
  settings: ProxySettings,
  source: string,
  fallible: boolean,
): ProxyRoute {
  const { proxyUrl, authorization } = readProxy(proxy, settings.proxyAuthorization);
  return { type: 'proxy', fallible, proxyUrl, ...(authorization && { authorization }), source };
}

export function routeWithout(unreached: ProxyRoute): DirectRoute {
  return { type: 'direct', fallible: true, because: 'no-proxy-named', unreached };
}

export function proxyOf(route: Route): ProxyRoute | undefined {
  return route.type === 'proxy' ? route : route.unreached;
}

/** Scheme, host and port: the key of a proxy's saved sign-in, even for schemes without an origin. */
export function originOfProxy({ proxyUrl }: ProxyRoute): string {
  const { protocol, host } = new URL(proxyUrl);
  return `${protocol}//${host}`;
}

/** The editor's authorization wins over a user name and password in the address. */
function readProxy(
  value: string,
  given: string | undefined,
): { proxyUrl: string; authorization?: string | undefined } {
  const proxyUrl = withScheme(value);
  const url = URL.parse(proxyUrl);
  if (!url?.username && !url?.password) return { proxyUrl, authorization: given };
  const authorization = given || basic(percentDecoded(url.username), percentDecoded(url.password));
  url.username = '';
  url.password = '';
  return { proxyUrl: url.href.replace(/\/$/, ''), authorization };
}

/** Masked if a proxy or a server repeats them. */
export function secretsOfRoute(route: Route): string[] {
  if (route.type === 'direct' || !route.authorization) return [];
  const [, scheme = '', value = ''] = /^(\S+)\s+(.*)$/.exec(route.authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [value || route.authorization];
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return [value, password].filter(Boolean);
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function environmentProxy(url: URL, environment: Environment): { value: string; source: string } | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  for (const source of [name, name.toUpperCase(), 'all_proxy', 'ALL_PROXY']) {
    const value = environment[source];
    if (value) return { value, source };
  }
  return undefined;
}

function environmentNoProxy(environment: Environment): string[] {
  return (environment['no_proxy'] || environment['NO_PROXY'] || '').split(/[\s,]+/).filter(Boolean);
}

/** `proxy.example:8080` is a common form. */
function withScheme(proxyUrl: string): string {
  return /^[a-z0-9+.-]+:\/\//i.test(proxyUrl) ? proxyUrl : `http://${proxyUrl}`;
}

/** Entries are `*`, `host`, `.domain`, `*.domain`, each also with `:port`, or an address range such as `10.0.0.0/8`. */
function isExempt(url: URL, noProxy: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy.some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(entry, host);
  // Without brackets its last part would look like a port.
  if (isIP(entry) === 6) return isInRange(`${entry}/128`, host);
  const [, name = '', entryPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort && entryPort !== port) return false;
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isInRange(range: string, host: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(host);
  if (!family || isIP(network) !== family || !/^\d+$/.test(bits)) return false;
  const list = new BlockList();
  const name = family === 6 ? 'ipv6' : 'ipv4';
  try {
    list.addSubnet(network, Number(bits), name);
  } catch {
    return false;
  }
  return list.check(host, name);
}
