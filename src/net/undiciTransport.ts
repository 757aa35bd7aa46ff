import type { LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { Disposable } from '../base/disposable.ts';
import { cancelled } from '../base/cancelled.ts';
import { flatHeaders, type Transport, type WireRequest, type WireResponse } from './transport.ts';

/** Where requests of one kind go; each distinct value has its own pool of sockets. */
export interface ConnectionOptions {
  /** Undefined: straight to the server. */
  proxyUrl?: string;
  /** The value of `Proxy-Authorization`. */
  proxyAuthorization?: string;
  strictTls: boolean;
  /** Built when the first https connection needs it. */
  trust: (() => Promise<SecureContext>) | undefined;
  /** Distinguishes options whose trust differs. */
  trustKey: string;
  /** Offers HTTP/2 to servers that speak it. */
  allowsHttp2: boolean;
}

/** Long enough for the next round of a tool exchange, short enough that an idle editor holds no socket. */
const keepAliveMs = 4_000;
const keepAliveMaxMs = 15_000;

/**
 * How long one address of a host may take before the next one is tried beside it. Node's own 250 ms fail on far servers,
 * since it tries no address twice; the names of most hosts have two kinds of addresses, of which one may be dead.
 */
const familyAttemptMs = 500;

/** undici's `request` with one dispatcher per set of options. Sockets close after a few idle seconds, or on dispose. */
export class UndiciTransport implements Disposable {
  private readonly dispatchers = new Map<string, Promise<Dispatcher>>();
  private disposed = false;

  /** @param lookup replaces the name server, in tests */
  constructor(private readonly lookup?: LookupFunction) {}

  on(options: ConnectionOptions): Transport {
    return async (request) => {
      const dispatcher = await this.dispatcher(options, request.connectMs);
      request.signal.throwIfAborted();
      return send(dispatcher, request);
    };
  }

  /** Makes new connections from now on; requests under way come to their end. */
  renew(): void {
    const before = [...this.dispatchers.values()];
    this.dispatchers.clear();
    // What could not be opened has nothing to close.
    for (const dispatcher of before) void dispatcher.then((it) => it.close()).catch(() => undefined);
  }

  dispose(): void {
    this.disposed = true;
    for (const dispatcher of this.dispatchers.values()) {
      // One that could not be made has nothing to be ended.
      void dispatcher.then((it) => it.destroy()).catch(() => undefined);
    }
    this.dispatchers.clear();
  }

  private dispatcher(options: ConnectionOptions, connectMs: number): Promise<Dispatcher> {
    if (this.disposed) return Promise.reject(cancelled());
    const { proxyUrl, proxyAuthorization, strictTls, trustKey, allowsHttp2 } = options;
    const parts = [proxyUrl, proxyAuthorization, strictTls, trustKey, allowsHttp2, connectMs];
    const key = JSON.stringify(parts);
    let dispatcher = this.dispatchers.get(key);
    if (!dispatcher) {
      dispatcher = createDispatcher(options, connectMs, this.lookup);
      this.dispatchers.set(key, dispatcher);
      // A certificate file that could not be read may be there the next time.
      dispatcher.catch(() => this.dispatchers.delete(key));
    }
    return dispatcher;
  }
}

async function createDispatcher(
  options: ConnectionOptions,
  connectMs: number,
  lookup: LookupFunction | undefined,
): Promise<Dispatcher> {
  const { Agent, Pool, ProxyAgent } = await import('./undici.ts');
  const secureContext = await options.trust?.();
  const connect = {
    timeout: connectMs,
    rejectUnauthorized: options.strictTls,
    allowH2: options.allowsHttp2,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: familyAttemptMs,
    ...(lookup && { lookup }),
    ...(secureContext && { secureContext }),
  };
  // Answers may take minutes and hours: undici's own limits are off, ours are in `responseTimeouts.ts`.
  const common = {
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    allowH2: options.allowsHttp2,
  };
  if (!options.proxyUrl) return new Agent({ ...common, connect });
  return new ProxyAgent({
    ...common,
    uri: options.proxyUrl,
    ...(options.proxyAuthorization && { token: options.proxyAuthorization }),
    requestTls: connect,
    proxyTls: connect,
    // The answer to CONNECT is part of connecting, so it has the same limit.
    clientFactory: (origin, poolOptions) => new Pool(origin, { ...poolOptions, headersTimeout: connectMs }),
  });
}

async function send(dispatcher: Dispatcher, request: WireRequest): Promise<WireResponse> {
  const { url, body } = request;
  const response = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    headers: withLength(request),
    body: typeof body === 'string' ? (announced(body, request.onSent) as unknown as string) : body?.(),
    signal: request.signal,
  });
  return { status: response.statusCode, headers: flatHeaders(response.headers), body: response.body };
}

function withLength({ headers, body }: WireRequest): Record<string, string> {
  return typeof body === 'string'
    ? { ...headers, 'content-length': String(Buffer.byteLength(body)) }
    : headers;
}

/**
 * undici pulls an iterable when the connection stands and never before, which is how we learn of that moment.
 * (It accepts any iterable; its types know only some.)
 */
function* announced(body: string, onSent: (() => void) | undefined): Iterable<Uint8Array> {
  onSent?.();
  yield Buffer.from(body);
}
