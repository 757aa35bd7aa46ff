import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { Agent, buildConnector } from 'undici';
import { cancelled } from '../base/errors/errors.ts';
import type { Disposable } from '../base/disposable.ts';
import { untilAborted } from '../base/async/promises.ts';
import { Http2Session, Http2Unusable, NotProcessed, type SessionLimits } from './http2Session.ts';
import { hostAndPort, openSocket, openTunnel, secureSocket } from './sockets.ts';
import { flatHeaders, type Transport, type WireRequest, type WireResponse } from './transport.ts';

/** Options of a connection; each distinct value has its own sockets. */
export interface ConnectionOptions {
  proxyUrl?: string;
  proxyAuthorization?: string;
  strictTls: boolean;
  trust: (() => Promise<SecureContext>) | undefined;
  trustKey: string;
}

const keepAliveMs = 4_000;
const keepAliveMaxMs = 15_000;
const sessionLimits: SessionLimits = { keepAliveMs, silenceMs: 5_000, pingMs: 3_000 };
const mostResends = 2;

/** HTTP/2 is Node's own: undici 7 silently fails all answers at a server's GOAWAY, undici 8 won't load on Node 20. */
export class SocketTransport implements Disposable {
  private readonly connections = new Map<string, Promise<Connections>>();
  private disposed = false;

  constructor(private readonly lookup?: LookupFunction) {}

  on(options: ConnectionOptions): Transport {
    return async (request) => {
      const connections = await this.connectionsOf(options, request.connectMs);
      request.signal.throwIfAborted();
      return connections.send(request);
    };
  }

  renew(): void {
    const before = [...this.connections.values()];
    this.connections.clear();
    // A failed connection has nothing to close.
    for (const connections of before) void connections.then((it) => it.close()).catch(() => undefined);
  }

  dispose(): void {
    this.disposed = true;
    for (const connections of this.connections.values()) {
      // A failed connection has nothing to destroy.
      void connections.then((it) => it.destroy()).catch(() => undefined);
    }
    this.connections.clear();
  }

  private connectionsOf(options: ConnectionOptions, connectMs: number): Promise<Connections> {
    if (this.disposed) return Promise.reject(cancelled());
    const { proxyUrl, proxyAuthorization, strictTls, trustKey } = options;
    const key = JSON.stringify([proxyUrl, proxyAuthorization, strictTls, trustKey, connectMs]);
    let connections = this.connections.get(key);
    if (!connections) {
      connections = createConnections(new Connector(options, connectMs, this.lookup));
      this.connections.set(key, connections);
      // The certificate file may be readable the next time.
      connections.catch(() => this.connections.delete(key));
    }
    return connections;
  }
}

class Connector {
  private secureContext: SecureContext | undefined;
  private readonly tlsSessions = new Map<string, Buffer>();

  constructor(
    private readonly options: ConnectionOptions,
    readonly limitMs: number,
    private readonly lookup: LookupFunction | undefined,
  ) {}

  async loadTrust(): Promise<void> {
    this.secureContext = await this.options.trust?.();
  }

  /** @param protocols offered by ALPN, the preferred one first */
  async open(url: URL, protocols: string[], signal: AbortSignal): Promise<Socket> {
    const target = { ...hostAndPort(url), limitMs: this.limitMs, signal };
    const { proxyUrl, proxyAuthorization, strictTls } = this.options;
    const trust = {
      rejectUnauthorized: strictTls,
      ...(this.secureContext && { secureContext: this.secureContext }),
    };
    const socket =
      proxyUrl === undefined
        ? await openSocket(target, this.lookup)
        : await openTunnel(proxyUrl, target, trust, proxyAuthorization);
    if (url.protocol !== 'https:') return socket;
    const session = this.tlsSessions.get(url.origin);
    const secured = await secureSocket(socket, target, {
      ...trust,
      ALPNProtocols: protocols,
      ...(session && { session }),
    });
    secured.on('session', (fresh) => this.tlsSessions.set(url.origin, fresh));
    return secured;
  }
}

async function createConnections(connector: Connector): Promise<Connections> {
  const [{ Agent }] = await Promise.all([import('./undici.ts'), connector.loadTrust()]);
  return new Connections(connector, Agent);
}

class Connections {
  private readonly agent: Agent;
  private readonly sessions = new Map<string, Set<Http2Session>>();
  private readonly opening = new Map<string, Promise<Http2Session | undefined>>();
  /** Sockets on which a server chose HTTP/1.1, until undici asks for one. */
  private readonly unused = new Map<string, { socket: Socket; timer: NodeJS.Timeout }>();
  private readonly withoutHttp2 = new Set<string>();
  private readonly ending = new AbortController();

  constructor(
    private readonly connector: Connector,
    agent: typeof Agent,
  ) {
    // Answers may take hours: undici's limits are off, ours are in `responseTimeouts.ts`.
    this.agent = new agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMaxMs,
      connect: (options, done) => void this.connectForUndici(options, done),
    });
  }

  async send(request: WireRequest): Promise<WireResponse> {
    const { url, method } = request;
    for (let resends = 0; ;) {
      const session = url.protocol === 'https:' ? await this.sessionTo(url, request.signal) : undefined;
      if (!session) return sendByUndici(this.agent, request);
      try {
        return await session.send(request, () => this.withoutHttp2.add(url.origin));
      } catch (error) {
        if (error instanceof NotProcessed && resends++ < mostResends) continue;
        // A read changes nothing, so it is sent again at once.
        if (error instanceof Http2Unusable && method === 'GET') continue;
        throw error;
      }
    }
  }

  close(): void {
    void this.agent.close();
    for (const session of this.allSessions()) session.close();
  }

  destroy(): void {
    this.ending.abort(cancelled());
    void this.agent.destroy();
    for (const session of this.allSessions()) session.destroy();
    for (const origin of this.unused.keys()) this.takeUnused(origin)?.destroy();
  }

  private allSessions(): Http2Session[] {
    return [...this.sessions.values()].flatMap((sessions) => [...sessions]);
  }

  /** A session with room for another request; undefined where the server speaks HTTP/1.1. */
  private async sessionTo(url: URL, signal: AbortSignal): Promise<Http2Session | undefined> {
    const { origin } = url;
    if (this.withoutHttp2.has(origin)) return undefined;
    for (const session of this.sessions.get(origin) ?? []) {
      if (session.hasRoom && (await untilAborted(session.isAlive(), signal))) return session;
    }
    let opening = this.opening.get(origin);
    if (!opening) {
      opening = this.openSession(url).finally(() => this.opening.delete(origin));
      this.opening.set(origin, opening);
    }
    return untilAborted(opening, signal);
  }

  private async openSession(url: URL): Promise<Http2Session | undefined> {
    const { origin } = url;
    const socket = (await this.connector.open(url, ['h2', 'http/1.1'], this.ending.signal)) as TLSSocket;
    if (socket.alpnProtocol !== 'h2') {
      this.withoutHttp2.add(origin);
      this.keepForUndici(origin, socket);
      return undefined;
    }
    const sessions = this.sessions.get(origin) ?? new Set();
    this.sessions.set(origin, sessions);
    const session = new Http2Session(origin, socket, sessionLimits, () => sessions.delete(session));
    sessions.add(session);
    return session;
  }

  private async connectForUndici(
    { protocol, host }: buildConnector.Options,
    done: buildConnector.Callback,
  ): Promise<void> {
    try {
      // undici doesn't expect a synchronous callback.
      done(null, await this.socketFor(new URL(`${protocol}//${host}`)));
    } catch (error) {
      done(error as Error, null);
    }
  }

  private async socketFor(url: URL): Promise<Socket> {
    return this.takeUnused(url.origin) ?? this.connector.open(url, ['http/1.1'], this.ending.signal);
  }

  private keepForUndici(origin: string, socket: Socket): void {
    const timer = setTimeout(() => this.takeUnused(origin)?.destroy(), keepAliveMs);
    this.unused.set(origin, { socket, timer });
  }

  private takeUnused(origin: string): Socket | undefined {
    const { socket, timer } = this.unused.get(origin) ?? {};
    this.unused.delete(origin);
    clearTimeout(timer);
    return socket?.destroyed ? undefined : socket;
  }
}

async function sendByUndici(agent: Agent, request: WireRequest): Promise<WireResponse> {
  const { url, body } = request;
  const response = await agent.request({
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

/** undici pulls an iterable only once it is connected, which signals that moment. */
function* announced(body: string, onSent: (() => void) | undefined): Iterable<Uint8Array> {
  onSent?.();
  yield Buffer.from(body);
}
