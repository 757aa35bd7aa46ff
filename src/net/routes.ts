import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../base/address.ts';

/** How the editor is told to reach the network (`http.proxy`, `http.noProxy`, `http.proxyStrictSSL`). */
export interface ProxySettings {
  proxyUrl?: string;
  noProxy: readonly string[];
  /** False: certificates are not checked. */
  strictTls: boolean;
}

/** `fallible`: nobody said that there is no proxy, so another transport may know a way when this one fails. */
export type Route = { type: 'direct'; fallible: boolean } | { type: 'proxy'; proxyUrl: string };

type Environment = Record<string, string | undefined>;

/** Chooses the route to an address: the editor's settings first, then the environment. Loopback is never proxied. */
export function chooseRoute(url: URL, settings: ProxySettings, environment: Environment): Route {
  if (isLoopback(url.hostname)) return { type: 'direct', fallible: false };
  const noProxy = settings.noProxy.length > 0 ? settings.noProxy : environmentNoProxy(environment);
  if (isExempt(url, noProxy)) return { type: 'direct', fallible: false };
  const proxyUrl = settings.proxyUrl || environmentProxy(url, environment);
  return proxyUrl ? { type: 'proxy', proxyUrl: withScheme(proxyUrl) } : { type: 'direct', fallible: true };
}

function environmentProxy(url: URL, environment: Environment): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  return (
    environment[name] ||
    environment[name.toUpperCase()] ||
    environment['all_proxy'] ||
    environment['ALL_PROXY']
  );
}

function environmentNoProxy(environment: Environment): string[] {
  return (environment['no_proxy'] || environment['NO_PROXY'] || '').split(/[\s,]+/).filter(Boolean);
}

/** `proxy.example:8080` is a common way to write a proxy. */
function withScheme(proxyUrl: string): string {
  return /^[a-z0-9+.-]+:\/\//i.test(proxyUrl) ? proxyUrl : `http://${proxyUrl}`;
}

/** Entries are `*`, `host`, `.domain`, `*.domain`, each also with `:port`, or an address range as `10.0.0.0/8`. */
function isExempt(url: URL, noProxy: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy.some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(entry, host);
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
