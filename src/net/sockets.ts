import { lookup } from 'node:dns/promises';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { sanitizeServerMessage } from '../base/text/sanitizeServerMessage.ts';
import { untilAborted } from '../base/async/promises.ts';
import { atProxy, proxyRefused } from './httpErrors.ts';
import { connectBySocks } from './socks.ts';

// The steps of a connection, shared by requests and diagnoses. All reject with the system's own error.

/** Per address. Node's 250 ms fail for distant servers: no address is tried twice, and IPv4 or IPv6 may be dead. */
const familyAttemptMs = 500;

export interface Target {
  host: string;
  port: number;
  limitMs: number;
  signal: AbortSignal;
}

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

/** `host` without the brackets of IPv6; `port` is always set. */
export function hostAndPort(url: URL): { host: string; port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || (usualPorts.get(url.protocol) ?? 80) };
}

export function openSocket(
  { host, port, limitMs, signal }: Target,
  find?: net.LookupFunction,
): Promise<net.Socket> {
  const socket = net.connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: familyAttemptMs,
    ...(find && { lookup: find }),
  });
  return established(socket, 'connect', limitMs, signal);
}

/** @param authorization the value of `Proxy-Authorization` */
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
    path: target,
    signal,
    headers: { host: target, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
    // undici would take the name in the header for the proxy's.
    servername: net.isIP(hostAndPort(proxy).host) === 0 ? proxy.hostname : '',
  };
  try {
    const { statusCode, socket } = await client.connect(request).catch((error: unknown) => {
      throw atProxy(error);
    });
    // Users of the socket handle later failures. undici's type is a stream; it is the socket.
    socket.on('error', () => undefined);
    if (statusCode === 200) return socket as net.Socket;
    socket.destroy();
    throw proxyRefused(statusCode);
  } finally {
    void client.close();
  }
}

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

export interface TlsFacts {
  version: string;
  offersHttp2: boolean;
  issuer: string;
  validTo: string;
}

export function readTlsFacts(socket: tls.TLSSocket): TlsFacts {
  const { issuer, valid_to: validTo } = socket.getPeerCertificate();
  return {
    version: socket.getProtocol() ?? '',
    offersHttp2: socket.alpnProtocol === 'h2',
    // Some issuers have only an organization; Node returns none for a resumed session.
    issuer: sanitizeServerMessage(String(issuer?.CN ?? issuer?.O ?? '')),
    validTo,
  };
}

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
    // Later errors need a listener, too.
    socket.on('error', end);
    socket.once(event, () => end());
    if (signal.aborted) onAbort();
  });
}

function timedOut(limitMs: number): Error {
  return Object.assign(new Error(`No connection within ${limitMs} ms`), { code: 'ETIMEDOUT' });
}
