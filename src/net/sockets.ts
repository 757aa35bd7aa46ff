import { lookup } from 'node:dns/promises';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { sanitizeServerMessage } from '../base/sanitizeServerMessage.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { atProxy, proxyRefused } from './httpErrors.ts';
import { connectBySocks } from './socks.ts';

// The steps of a connection, which requests take one after the other and a diagnosis alone. Everything rejects with the
// system's own error.

/**
 * How long one address of a host may take before the next one is tried beside it. Node's own 250 ms fail on far servers,
 * since it tries no address twice; the names of most hosts have two kinds of addresses, of which one may be dead.
 */
const familyAttemptMs = 500;

/** Where a socket goes, and how long it may take. */
export interface Target {
  host: string;
  port: number;
  /** Milliseconds. */
  limitMs: number;
  signal: AbortSignal;
}

/** The addresses of a host, the preferred one first. */
export async function lookUp(
  host: string,
  signal: AbortSignal,
): Promise<{ address: string; family: number }[]> {
  return untilAborted(lookup(host, { all: true }), signal);
}

const usualPorts = new Map([
  ['https:', 443],
  ...['socks:', 'socks5:', 'socks5h:'].map((scheme) => [scheme, 1080] as const),
]);

/** The target of a request's connection: `host` without the brackets of IPv6, `port` also where it is the usual one. */
export function hostAndPort(url: URL): { host: string; port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || (usualPorts.get(url.protocol) ?? 80) };
}

/** @param find replaces the name server, in tests */
export function openSocket(
  { host, port, limitMs, signal }: Target,
  find?: net.LookupFunction,
): Promise<net.Socket> {
  const socket = net.connect({
    ...{ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 },
    ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: familyAttemptMs },
    ...(find && { lookup: find }),
  });
  return established(socket, 'connect', limitMs, signal);
}

/**
 * Asks a proxy for a tunnel, over a connection of its own.
 * @param authorization the value of the header `Proxy-Authorization`
 */
export function openTunnel(
  proxyUrl: string,
  target: Target,
  connect: tls.ConnectionOptions,
  authorization: string | undefined,
): Promise<net.Socket> {
  const url = new URL(proxyUrl);
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      return tunnelByConnect(url, target, connect, authorization);
    case 'socks:':
    case 'socks5:':
    case 'socks5h:':
      return tunnelBySocks(url, target, authorization);
    default:
      return Promise.reject(proxyRefused('unsupported'));
  }
}

async function tunnelBySocks(
  proxy: URL,
  { host, port, limitMs, signal }: Target,
  authorization: string | undefined,
): Promise<net.Socket> {
  const limit = new AbortController();
  const timer = limitMs > 0 ? setTimeout(() => limit.abort(timedOut(limitMs)), limitMs) : undefined;
  const limited = AbortSignal.any([signal, limit.signal]);
  const socket = await openSocket({ ...hostAndPort(proxy), limitMs, signal });
  try {
    await connectBySocks(socket, { host, port, authorization, signal: limited });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function tunnelByConnect(
  proxy: URL,
  { host, port, limitMs, signal }: Target,
  connect: tls.ConnectionOptions,
  authorization: string | undefined,
): Promise<net.Socket> {
  const { Client } = await import('./undici.ts');
  const client = new Client(proxy.origin, {
    connect: { ...connect, timeout: limitMs },
    headersTimeout: limitMs,
  });
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const request = {
    ...{ path: target, signal },
    headers: { host: target, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
    // Else undici takes the name in the header for that of the proxy.
    servername: net.isIP(hostAndPort(proxy).host) === 0 ? proxy.hostname : '',
  };
  try {
    const { statusCode, socket } = await client.connect(request).catch((error: unknown) => {
      throw atProxy(error);
    });
    // What breaks later is heard by those who use it. (undici gives the type of streams; it is the socket.)
    socket.on('error', () => undefined);
    if (statusCode === 200) return socket as net.Socket;
    socket.destroy();
    throw proxyRefused(statusCode);
  } finally {
    // What became a tunnel is no longer the client's.
    void client.close();
  }
}

/** Secures a socket for a host. The options name the protocols that are offered. */
export function secureSocket(
  socket: net.Socket,
  { host, limitMs, signal }: Target,
  options: tls.ConnectionOptions,
): Promise<tls.TLSSocket> {
  const servername = net.isIP(host) === 0 ? { servername: host } : {};
  return established(
    tls.connect({ ...options, socket, host, ...servername }),
    'secureConnect',
    limitMs,
    signal,
  );
}

/** What a server said of itself before the first request. */
export interface TlsFacts {
  /** Such as `TLSv1.3`. */
  version: string;
  offersHttp2: boolean;
  issuer: string;
  /** As the certificate has it. */
  validTo: string;
}

export function readTlsFacts(socket: tls.TLSSocket): TlsFacts {
  const { issuer, valid_to: validTo } = socket.getPeerCertificate();
  return {
    version: socket.getProtocol() ?? '',
    offersHttp2: socket.alpnProtocol === 'h2',
    // Some servers are known by an organisation alone; Node gives nothing where a session is resumed.
    issuer: sanitizeServerMessage(String(issuer?.CN ?? issuer?.O ?? '')),
    validTo,
  };
}

/** The socket once it stands; destroyed if it does not in time. */
function established<S extends net.Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  limitMs: number,
  signal: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (!error) return resolve(socket);
      reject(error);
      socket.destroy();
    };
    const onAbort = (): void => end(signal.reason as Error);
    const timer = limitMs > 0 ? setTimeout(() => end(timedOut(limitMs)), limitMs) : undefined;
    signal.addEventListener('abort', onAbort, { once: true });
    // Also what comes later has to be heard by somebody.
    socket.on('error', end);
    socket.once(event, () => end());
    if (signal.aborted) onAbort();
  });
}

/** Named like the system's own failure to connect in time. */
function timedOut(limitMs: number): Error {
  return Object.assign(new Error(`No connection within ${limitMs} ms`), { code: 'ETIMEDOUT' });
}
