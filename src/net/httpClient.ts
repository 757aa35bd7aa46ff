import type { LookupFunction } from 'node:net';
import type { ConnectionOptions, SecureContext } from 'node:tls';
import * as l10n from '@vscode/l10n';
import { shownAddress } from '../base/urls.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { cancelled, messageOf, SwitchboardError } from '../base/errors/errors.ts';
import type { Log } from '../base/log.ts';
import { untilAborted } from '../base/async/promises.ts';
import { createTrust, type TrustSettings } from './certificates.ts';
import { acceptedCodings } from './contentCoding.ts';
import { captivePortal, isOfPortal } from './captivePortal.ts';
import {
  clockIsWrong,
  isAboutTime,
  isProxySignIn,
  isSignInAsked,
  isUnreachable,
  proxyRefused,
  redirected,
  toNetworkError,
} from './httpErrors.ts';
import { createResponse, type HttpResponse } from './httpResponse.ts';
import {
  type NetworkSecrets,
  noNetworkSecrets,
  type RequestBody,
  type Timeouts,
  type Transport,
  type WireRequest,
  type WireResponse,
} from './transport.ts';
import { createNodeTransport } from './nodeTransport.ts';
import { ResponseTimeouts } from './responseTimeouts.ts';
import {
  chooseRoute,
  originOfProxy,
  proxyOf,
  type ProxyRoute,
  type ProxySettings,
  type Route,
  routeBy,
  routeWithout,
} from './routes.ts';
import { type ConnectionOptions as LineOptions, SocketTransport } from './socketTransport.ts';

export interface NetworkSettings extends ProxySettings, TrustSettings {}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: RequestBody;
  timeouts: Timeouts;
  signal: AbortSignal;
  secrets?: readonly string[];
  /** By default, those to the same origin are followed, and others refused. `return` gives them as responses. */
  redirects?: 'refuse' | 'return';
  /** Called when the body is being sent; without a body, at once. */
  onSent?: () => void;
  /** The first-token limit runs until `response.onFirstByte()`: headers and pings are no answer. */
  beginsWithEvent?: boolean;
}

export interface HttpClient extends Disposable {
  /**
   * Sends one request, once; resolves with any status. Throws `offline`, `tls`, `proxy`, `timeout-…`, `transient`
   * (it broke), `wrong-address` (a redirect elsewhere), `cancelled`. Aborting closes the socket, even during the body.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface RoutedHttpClient extends HttpClient {
  wayTo(url: URL, signal: AbortSignal): Promise<WayTo>;
  askAgain(): void;
}

export interface WayTo {
  route: Route;
  isBehindEditor: boolean;
  connect(): Promise<ConnectionOptions>;
}

export type ResolveProxy = (url: string) => Promise<string | undefined>;

export interface HttpClientOptions {
  settings: () => NetworkSettings;
  log: Log;
  secrets?: NetworkSecrets;
  resolveProxy?: ResolveProxy | undefined;
  environment?: Record<string, string | undefined>;
  clock?: Clock;
  lookup?: LookupFunction;
  direct?: Transport;
  fallback?: Transport;
}

const maxRedirects = 3;
/** Networks with a proxy often drop direct connections silently. */
const directLimitMs = 4_000;
/** A PAC file may be far away, or its server gone. */
const resolveLimitMs = 5_000;
const proxyPauseMs = 60_000;
const clockAskMs = 3_000;
/** Certificates are renewed days before they expire; synchronized clocks differ by seconds. */
const clockToleranceMs = 60 * 60_000;

export function createHttpClient(options: HttpClientOptions): RoutedHttpClient {
  return new Client(options);
}

class Client implements RoutedHttpClient {
  private readonly sockets: SocketTransport;
  private readonly environment: Record<string, string | undefined>;
  private readonly clock: Clock;
  private readonly secrets: NetworkSecrets;
  private readonly behindEditor = new Set<string>();
  private trusted: { key: string; context: Promise<SecureContext> } | undefined;
  private readonly unreached = new Map<string, number>();
  private readonly answered = new Set<string>();

  constructor(private readonly options: HttpClientOptions) {
    this.sockets = new SocketTransport(options.lookup);
    this.environment = options.environment ?? process.env;
    this.clock = options.clock ?? systemClock;
    this.secrets = options.secrets ?? noNetworkSecrets;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const route = await this.routeTo(new URL(request.url), request.signal);
    try {
      return await this.sendOn(route, request);
    } catch (error) {
      if (!(error instanceof SwitchboardError)) throw error;
      if (route.type !== 'proxy' || !isProxySignIn(error)) throw error;
      const authorization = await this.signIn(route);
      if (authorization === undefined) throw error;
      return this.sendOn({ ...route, authorization }, request);
    }
  }

  async wayTo(url: URL, signal: AbortSignal): Promise<WayTo> {
    const { strictTls } = this.options.settings();
    const trust = this.neededTrust();
    const connect = async () => ({
      rejectUnauthorized: strictTls,
      ...(trust && { secureContext: await trust() }),
    });
    const route = await this.routeTo(url, signal);
    return { route, isBehindEditor: route.fallible && this.behindEditor.has(url.origin), connect };
  }

  askAgain(): void {
    this.secrets.askAgain();
  }

  private async routeTo(url: URL, signal: AbortSignal): Promise<Route> {
    const chosen = chooseRoute(url, this.options.settings(), this.environment);
    const route = chosen.fallible ? ((await this.askEditor(url, signal)) ?? chosen) : chosen;
    if (route.type === 'direct' || route.authorization) return route;
    const authorization = await this.secrets.get('proxy', originOfProxy(route));
    return authorization === undefined ? route : { ...route, authorization };
  }

  private async askEditor(url: URL, signal: AbortSignal): Promise<Route | undefined> {
    const { resolveProxy, log } = this.options;
    if (!resolveProxy) return undefined;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(resolveLimitMs)]);
    try {
      const found = await untilAborted(resolveProxy(url.href), limited);
      if (!found) return undefined;
      const route = routeBy(found, this.options.settings(), l10n.t('the system or a PAC file'), true);
      return this.isPassedOver(route) ? routeWithout(route) : route;
    } catch (error) {
      if (signal.aborted) throw cancelled();
      log.debug(`No proxy was found out for ${url.origin}: ${messageOf(error)}`);
      return undefined;
    }
  }

  private isPassedOver({ proxyUrl }: ProxyRoute): boolean {
    return (this.unreached.get(proxyUrl) ?? 0) > this.clock.now();
  }

  /** Nothing was sent yet, and no limit runs while the user types. */
  private signIn(route: ProxyRoute): Promise<string | undefined> {
    return this.secrets.ask('proxy', originOfProxy(route), route.authorization);
  }

  private trust(): Promise<SecureContext> {
    const settings = this.options.settings();
    const key = trustKey(settings);
    if (this.trusted?.key !== key) {
      const context = createTrust(settings, this.environment, this.secrets);
      this.trusted = { key, context };
      context.catch(() => (this.trusted = undefined));
    }
    return this.trusted.context;
  }

  private forgetTrust(): void {
    this.trusted = undefined;
    this.sockets.renew();
  }

  private async sendOn(route: Route, request: HttpRequest): Promise<HttpResponse> {
    const ending = new AbortController();
    const signal = AbortSignal.any([request.signal, ending.signal]);
    const url = new URL(request.url);
    const address = shownAddress(url);
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
        proxy: proxyOf(route),
      });
    };
    const onSent = (): void => {
      timeouts.onSent();
      request.onSent?.();
    };
    try {
      signal.throwIfAborted();
      // Nothing signals when a request without body is out, so its limit includes connecting.
      if (request.body === undefined) onSent();
      const wire = await this.follow(url, request, route, {
        method: request.method,
        headers:
          request.method === 'GET'
            ? { 'accept-encoding': acceptedCodings, ...request.headers }
            : request.headers,
        ...(request.body !== undefined && { body: announcing(request.body, onSent) }),
        connectMs: request.timeouts.connectMs,
        signal,
        onSent,
      });
      this.answered.add(url.origin);
      // A server may answer before it has read the body.
      timeouts.onSent();
      if (!request.beginsWithEvent) timeouts.onFirstByte();
      return createResponse({ wire, address, timeouts, toError, close: () => ending.abort(cancelled()) });
    } catch (error) {
      timeouts.dispose();
      const failure = toError(error);
      if (failure.code === 'tls') this.forgetTrust();
      throw isAboutTime(failure) ? await this.explainClock(failure, url, route, request.signal) : failure;
    }
  }

  dispose(): void {
    this.sockets.dispose();
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
      const { status, headers } = response;
      const contentType = headers['content-type'] ?? '';
      const hasAnswered = this.answered.has(url.origin);
      if (isOfPortal(url, { status, contentType, target, hasAnswered })) {
        await discard(response.body);
        throw captivePortal(url, status);
      }
      if (!target || request.redirects === 'return') return response;
      await discard(response.body);
      const mayFollow = request.method === 'GET' && request.redirects !== 'refuse';
      if (target.origin !== start.origin || !mayFollow || redirects === maxRedirects) {
        throw redirected(url, target, status, secretsIn(request));
      }
      url = target;
    }
  }

  /** Asks the server for its time, without key or trust, to explain an invalid certificate. */
  private async explainClock(
    failure: SwitchboardError,
    url: URL,
    route: Route,
    signal: AbortSignal,
  ): Promise<SwitchboardError> {
    const line = { ...this.line(url, route), strictTls: false, trust: undefined };
    const request = { method: 'HEAD', url: new URL('/', url), headers: {}, connectMs: clockAskMs };
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(clockAskMs)]);
      const { headers, body } = await this.sockets.on(line)({ ...request, signal: limited });
      await discard(body);
      const skewMs = Date.now() - Date.parse(headers['date'] ?? '');
      return Math.abs(skewMs) > clockToleranceMs ? clockIsWrong(failure, url, skewMs) : failure;
    } catch {
      return failure;
    }
  }

  private async transmit(request: WireRequest, route: Route): Promise<WireResponse> {
    const wire = this.options.direct ?? this.sockets.on(this.line(request.url, route));
    if (!route.fallible) return wire(request);
    const { origin } = request.url;
    if (this.behindEditor.has(origin)) return this.transmitByEditor(request);
    const connectMs = route.type === 'direct' ? leastOf(request.connectMs, directLimitMs) : request.connectMs;
    try {
      return await wire({ ...request, connectMs });
    } catch (error) {
      const isOut = isUnreachable(error);
      if (request.signal.aborted || !(isOut || isSignInAsked(error))) throw error;
      if (route.type === 'proxy' && isOut) {
        this.unreached.set(route.proxyUrl, this.clock.now() + proxyPauseMs);
        return this.transmit(request, routeWithout(route));
      }
      this.options.log.debug(`${origin} is not reachable so; trying the editor's own way`);
      try {
        const response = await this.transmitByEditor(request);
        this.behindEditor.add(origin);
        return response;
      } catch (other) {
        throw isOut ? other : error;
      }
    }
  }

  /** The editor signs in to proxies as the system's user (Kerberos). */
  private async transmitByEditor(request: WireRequest): Promise<WireResponse> {
    const { strictTls } = this.options.settings();
    const { fallback, lookup } = this.options;
    const transport = fallback ?? createNodeTransport(strictTls, this.neededTrust(), lookup);
    const response = await transport(request);
    if (response.status !== 407) return response;
    await discard(response.body);
    throw proxyRefused(407);
  }

  /** A server whose certificate isn't checked may ask for ours all the same. */
  private neededTrust(): LineOptions['trust'] {
    const { strictTls, clientCertificate } = this.options.settings();
    return strictTls || clientCertificate ? () => this.trust() : undefined;
  }

  private line(url: URL, route: Route): LineOptions {
    const settings = this.options.settings();
    const { strictTls } = settings;
    const { proxyUrl = '', authorization } = route.type === 'proxy' ? route : {};
    const secure = url.protocol === 'https:' || proxyUrl.startsWith('https:');
    return {
      ...(proxyUrl && { proxyUrl }),
      ...(authorization && { proxyAuthorization: authorization }),
      strictTls,
      trust: secure ? this.neededTrust() : undefined,
      trustKey: secure ? trustKey(settings) : 'none',
    };
  }
}

/** A streamed body is sent when read to its end; the transport announces strings. */
function announcing(body: RequestBody, onSent: () => void): RequestBody {
  return typeof body === 'string' ? body : () => body().once('end', onSent);
}

/** Leaving after the first piece closes the socket; bodies that end at once keep it usable. */
async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body) break;
}

function trustKey({ caFile, systemCertificates, clientCertificate }: NetworkSettings): string {
  return JSON.stringify([caFile, systemCertificates, clientCertificate]);
}

function leastOf(limitMs: number, otherMs: number): number {
  return limitMs > 0 ? Math.min(limitMs, otherMs) : otherMs;
}

function redirectTarget({ status, headers }: WireResponse, from: URL): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || !location) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

function secretsIn({ headers, secrets = [] }: HttpRequest): string[] {
  const { authorization } = headers;
  return [...secrets, ...(authorization === undefined ? [] : [authorization.replace(/^Bearer /, '')])];
}
