import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  sensitiveHeaders,
} from 'node:http2';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { flatHeaders, type WireRequest, type WireResponse } from './transport.ts';

/** The server did not process the request, so any method may be sent again. */
export class NotProcessed extends Error {}

/** HTTP/2 itself failed: not all servers and proxies that offer it speak it. */
export class Http2Unusable extends Error {}

/** The usual 64 KB are slow with distant servers. Node counts received bytes, so an unread answer blocks no others. */
const windowBytes = 1024 * 1024;

/** In MB. Counts unsent data, too, and Node rejects answers beyond it; its default of 10 is less than some requests. */
const sessionMemoryMb = 1024;

export interface SessionLimits {
  keepAliveMs: number;
  /** Silence before the connection is pinged: the computer may have slept. */
  silenceMs: number;
  pingMs: number;
}

const protocolFaults = new Set([
  constants.NGHTTP2_PROTOCOL_ERROR,
  constants.NGHTTP2_FLOW_CONTROL_ERROR,
  constants.NGHTTP2_SETTINGS_TIMEOUT,
  constants.NGHTTP2_FRAME_SIZE_ERROR,
  constants.NGHTTP2_COMPRESSION_ERROR,
  constants.NGHTTP2_ENHANCE_YOUR_CALM,
  constants.NGHTTP2_INADEQUATE_SECURITY,
  constants.NGHTTP2_HTTP_1_1_REQUIRED,
]);

const notSent = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'http2-settings'],
  ...['host', 'te'],
]);

export class Http2Session {
  private readonly session: ClientHttp2Session;
  private running = 0;
  private idle: NodeJS.Timeout | undefined;
  private heardAt = performance.now();
  private asking: Promise<boolean> | undefined;
  private isDestroyed = false;

  constructor(
    origin: string,
    private readonly socket: TLSSocket,
    private readonly limits: SessionLimits,
    onEnd: () => void,
  ) {
    this.session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes },
      maxSessionMemory: sessionMemoryMb,
    });
    this.session.once('connect', () => this.session.setLocalWindowSize(windowBytes));
    // Each stream reports its failure.
    this.session.on('error', () => undefined);
    this.session.once('close', () => {
      clearTimeout(this.idle);
      onEnd();
    });
    this.onIdle();
  }

  get hasRoom(): boolean {
    const { closed, destroyed, remoteSettings } = this.session;
    return !closed && !destroyed && this.running < (remoteSettings.maxConcurrentStreams ?? Infinity);
  }

  /** Pings after a long silence. A connection without an answer gets no further request. */
  async isAlive(): Promise<boolean> {
    if (performance.now() - this.heardAt < this.limits.silenceMs) return true;
    this.asking ??= this.ping().finally(() => (this.asking = undefined));
    if (!(await this.asking)) this.close();
    return this.hasRoom;
  }

  /**
   * Throws `NotProcessed`, `Http2Unusable`, the signal's reason or the system's error.
   * @param onUnusable called if HTTP/2 turns out not to work, even while the body is read
   */
  send(request: WireRequest, onUnusable: () => void): Promise<WireResponse> {
    const { body, signal, onSent } = request;
    const stream = this.open(request);
    const onAbort = (): void => cancel(stream);
    signal.addEventListener('abort', onAbort, { once: true });
    stream.once('close', () => signal.removeEventListener('abort', onAbort));
    const toFailure = (error?: unknown): Error => {
      if (signal.aborted) {
        const { code } = signal.reason as NodeJS.ErrnoException;
        // Some proxies speak HTTP/2 but hold answers back.
        if (code === 'timeout-first-token' || code === 'timeout-idle') onUnusable();
        return signal.reason as Error;
      }
      if (this.isDestroyed) return disposed();
      const failure = failureOf(stream.rstCode, error);
      if (isProtocolFault(stream.rstCode, error)) onUnusable();
      return failure;
    };
    return new Promise((resolve, reject) => {
      stream.once('response', ({ ':status': status = 0, ...headers }) => {
        this.heardAt = performance.now();
        resolve({ status, headers: flatHeaders(headers), body: this.read(stream, toFailure) });
      });
      let failed: unknown;
      stream.on('error', (error) => (failed = error));
      stream.once('close', () => reject(toFailure(failed)));
      if (typeof body === 'function') pipe(body(), stream);
      else {
        if (body !== undefined) onSent?.();
        stream.end(body);
      }
    });
  }

  close(): void {
    if (this.running === 0) return this.end();
    if (!this.session.closed) this.session.close();
  }

  destroy(): void {
    this.isDestroyed = true;
    this.end();
  }

  /** Skips HTTP/2's graceful shutdown, in which Node waits for a server that may be gone. */
  private end(): void {
    this.session.destroy();
    this.socket.destroy();
  }

  private open(request: WireRequest): ClientHttp2Stream {
    let stream: ClientHttp2Stream;
    try {
      stream = this.session.request(headersOf(request), { endStream: request.body === undefined });
    } catch (cause) {
      if (!this.isDestroyed && !this.hasRoom) throw new NotProcessed('The connection was closed', { cause });
      throw this.isDestroyed ? disposed() : cause;
    }
    clearTimeout(this.idle);
    this.running++;
    stream.once('close', () => {
      this.running--;
      if (this.running === 0) this.onIdle();
    });
    return stream;
  }

  private async *read(
    stream: ClientHttp2Stream,
    toFailure: (error?: unknown) => Error,
  ): AsyncGenerator<Uint8Array, void> {
    let isComplete = false;
    try {
      for await (const piece of stream as AsyncIterable<Uint8Array>) {
        this.heardAt = performance.now();
        yield piece;
      }
      // A canceled stream ends without an error, too.
      isComplete = stream.rstCode === constants.NGHTTP2_NO_ERROR;
    } catch (error) {
      throw toFailure(error);
    } finally {
      // A server may answer without reading the request.
      if (!isComplete || !stream.writableFinished) cancel(stream);
    }
    if (!isComplete) throw toFailure();
  }

  private ping(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.limits.pingMs);
      const onAnswer = (error: Error | null): void => {
        clearTimeout(timer);
        if (!error) this.heardAt = performance.now();
        resolve(!error);
      };
      if (this.session.destroyed || !this.session.ping(onAnswer)) onAnswer(new Error('Not sent'));
    });
  }

  private onIdle(): void {
    if (this.session.closed) this.end();
    else this.idle = setTimeout(() => this.close(), this.limits.keepAliveMs);
  }
}

function headersOf({ method, url, headers, body }: WireRequest) {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const given = new Map(lower);
  return {
    ':method': method,
    ':scheme': 'https',
    ':authority': given.get('host') ?? url.host,
    ':path': url.pathname + url.search,
    ...Object.fromEntries(lower.filter(([name]) => !notSent.has(name))),
    ...(typeof body === 'string' && { 'content-length': String(Buffer.byteLength(body)) }),
    [sensitiveHeaders]: ['authorization', 'x-api-key'].filter((name) => given.has(name)),
  };
}

function cancel(stream: ClientHttp2Stream): void {
  stream.close(constants.NGHTTP2_CANCEL);
}

/** `pipeline` would destroy a canceled stream before Node has told the server. */
function pipe(source: Readable, stream: ClientHttp2Stream): void {
  source.once('error', (error) => stream.destroy(error));
  stream.once('close', () => source.destroy());
  source.pipe(stream);
}

function failureOf(rstCode: number, error: unknown): Error {
  if (rstCode === constants.NGHTTP2_REFUSED_STREAM || rstCode === constants.NGHTTP2_HTTP_1_1_REQUIRED) {
    return new NotProcessed('The server did not process the request', { cause: error });
  }
  if (isProtocolFault(rstCode, error)) return new Http2Unusable('HTTP/2 failed', { cause: error });
  return error instanceof Error ? error : new Error(`The server ended the answer (HTTP/2 error ${rstCode})`);
}

function isProtocolFault(rstCode: number, error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return protocolFaults.has(rstCode) || code === 'ERR_HTTP2_ERROR' || code === 'ERR_HTTP2_SESSION_ERROR';
}

function disposed(): Error {
  return Object.assign(new Error('The client was disposed'), { code: 'UND_ERR_DESTROYED' });
}
