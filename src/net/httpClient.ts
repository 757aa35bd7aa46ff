import { shownAddress } from '../base/address.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { createTrust } from './certificates.ts';
import { cancelled } from '../base/cancelled.ts';
import { isUnreachable, redirected, toNetworkError } from './httpErrors.ts';
import { createResponse, type HttpResponse } from './httpResponse.ts';
import { createNodeTransport } from './nodeTransport.ts';
import { ResponseTimeouts } from './responseTimeouts.ts';
import { chooseRoute, type ProxySettings, type Route } from './routes.ts';
import type { RequestBody, Timeouts, Transport, WireRequest, WireResponse } from './transport.ts';
import { UndiciTransport } from './undiciTransport.ts';

export interface NetworkSettings extends ProxySettings {
  /** A PEM file with further certificates to trust (`network.caFile`). */
  caFile?: string;
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: RequestBody;
  timeouts: Timeouts;
  signal: AbortSignal;
  /** Besides the key, what is not to be shown when the server repeats it. */
  secrets?: readonly string[];
  /** Called when a body is on its way to the server; without body, at once. */
  onSent?: () => void;
  /** The first-token limit runs on until `response.onFirstByte()`, since headers and pings are no answer yet. */
  beginsWithEvent?: boolean;
}

export interface HttpClient extends Disposable {
  /**
   * Sends one request, once. Resolves with any status. Throws a `SwitchboardError`: `offline`,
   * `tls`, `proxy`, `timeout-…`, `transient` (the connection broke), `wrong-address` (a redirect elsewhere),
   * `cancelled`. Aborting the signal closes the socket, also while the body is read.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpClientOptions {
  /** Read for every request, so a changed setting holds from the next one on. */
  settings: () => NetworkSettings;
  log: Log;
  environment?: Record<string, string | undefined>;
  clock?: Clock;
  /** Replaces the network, in tests. */
  direct?: Transport;
  /** Replaces `node:http`, in tests. */
  fallback?: Transport;
}

const maxRedirects = 3;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  return new Client(options);
}

class Client implements HttpClient {
  private readonly undici = new UndiciTransport();
  private readonly environment: Record<string, string | undefined>;
  private readonly clock: Clock;
  /** Origins that only the editor's own transport reaches. */
  private readonly behindEditor = new Set<string>();
  /** Origins that have answered before. */
  private readonly answered = new Set<string>();

  constructor(private readonly options: HttpClientOptions) {
    this.environment = options.environment ?? process.env;
    this.clock = options.clock ?? systemClock;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const ending = new AbortController();
    const signal = AbortSignal.any([request.signal, ending.signal]);
    const url = new URL(request.url);
    const address = shownAddress(url);
    const route = chooseRoute(url, this.options.settings(), this.environment);
    const timeouts = new ResponseTimeouts({
      ...request.timeouts,
      address,
      clock: this.clock,
      onExpired: (error) => ending.abort(error),
    });
    const toError = (error: unknown): SwitchboardError => {
      if (signal.aborted) return signal.reason instanceof SwitchboardError ? signal.reason : cancelled();
      return toNetworkError(error, {
        url: request.url,
        connectMs: request.timeouts.connectMs,
        hasAnswered: this.answered.has(url.origin),
        ...(route.type === 'proxy' && { proxyUrl: route.proxyUrl }),
      });
    };
    const onSent = (): void => {
      timeouts.onSent();
      request.onSent?.();
    };
    try {
      // Nothing tells when a request without body is out, so its limit includes connecting.
      if (request.body === undefined) onSent();
      const wire = await this.follow(url, request, route, {
        method: request.method,
        headers: request.headers,
        ...(request.body !== undefined && { body: announcing(request.body, onSent) }),
        connectMs: request.timeouts.connectMs,
        signal,
        onSent,
      });
      this.answered.add(url.origin);
      // A server may answer before it has read the whole body.
      timeouts.onSent();
      if (!request.beginsWithEvent) timeouts.onFirstByte();
      return createResponse({ wire, address, timeouts, toError, close: () => ending.abort(cancelled()) });
    } catch (error) {
      timeouts.dispose();
      throw toError(error);
    }
  }

  dispose(): void {
    this.undici.dispose();
  }

  private async follow(
    start: URL,
    request: HttpRequest,
    route: Route,
    parts: Omit<WireRequest, 'url'>,
  ): Promise<WireResponse> {
    let url = start;
    for (let redirects = 0; ; redirects++) {
      const response = await this.transmit({ ...parts, url }, route);
      const target = redirectTarget(response, url);
      if (!target) return response;
      await discard(response.body);
      if (target.origin !== start.origin || request.method !== 'GET' || redirects === maxRedirects) {
        throw redirected(url, target, response.status, secretsIn(request));
      }
      url = target;
    }
  }

  private async transmit(request: WireRequest, route: Route): Promise<WireResponse> {
    const direct = this.options.direct ?? this.undici.on(this.line(request.url, route));
    if (route.type === 'proxy' || !route.fallible) return direct(request);
    const fallback = this.options.fallback ?? createNodeTransport(this.options.settings().strictTls);
    const { origin } = request.url;
    if (this.behindEditor.has(origin)) return fallback(request);
    try {
      return await direct(request);
    } catch (error) {
      if (request.signal.aborted || !isUnreachable(error)) throw error;
      this.options.log.debug(`${origin} is not reachable directly; trying the editor's own way`);
      const response = await fallback(request);
      this.behindEditor.add(origin);
      return response;
    }
  }

  private line(url: URL, route: Route) {
    const { strictTls, caFile } = this.options.settings();
    const { proxyUrl = '', authorization } = route.type === 'proxy' ? route : {};
    const secure = url.protocol === 'https:' || proxyUrl.startsWith('https:');
    return {
      ...(proxyUrl && { proxyUrl }),
      ...(authorization && { proxyAuthorization: authorization }),
      strictTls,
      trust: secure && strictTls ? () => createTrust(caFile, this.environment) : undefined,
      trustKey: secure ? (caFile ?? '') : 'none',
    };
  }
}

/** A streamed body is out when it was read to its end; a string's sending is announced by the transport. */
function announcing(body: RequestBody, onSent: () => void): RequestBody {
  return typeof body === 'string' ? body : () => body().once('end', onSent);
}

/** Leaving after the first piece closes the socket; bodies that end at once keep it usable. */
async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body) break;
}

function redirectTarget({ status, headers }: WireResponse, from: URL): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || !location) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** What a server must not get to show by sending it back in an address. */
function secretsIn({ headers, secrets = [] }: HttpRequest): string[] {
  const { authorization } = headers;
  return [...secrets, ...(authorization === undefined ? [] : [authorization.replace(/^Bearer /, '')])];
}
