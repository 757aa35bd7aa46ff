import type { LookupFunction } from 'node:net';
import type { ConnectionOptions, SecureContext } from 'node:tls';
import * as l10n from '@vscode/l10n';
import { shownAddress } from '../base/address.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { createTrust, type TrustSettings } from './certificates.ts';
import { cancelled } from '../base/cancelled.ts';
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
import { type NetworkSecrets, noNetworkSecrets } from './networkSecrets.ts';
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
import type { RequestBody, Timeouts, Transport, WireRequest, WireResponse } from './transport.ts';
import { type ConnectionOptions as LineOptions, SocketTransport } from './socketTransport.ts';

export interface NetworkSettings extends ProxySettings, TrustSettings {}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: RequestBody;
  timeouts: Timeouts;
  signal: AbortSignal;
  /** Besides the key, what is not to be shown when the server repeats it. */
  secrets?: readonly string[];
  /** False refuses redirects, which are otherwise followed at the same origin. */
  followsRedirects?: boolean;
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

/** A client that tells which way its requests go. */
export interface RoutedHttpClient extends HttpClient {
  /** How a request to an address goes, for those who look at each part of the way. */
  wayTo(url: URL, signal: AbortSignal): Promise<WayTo>;
  /** Lets questions about the network that the user has dismissed be asked again. */
  askAgain(): void;
}

/** The route to a server, and how TLS is set up on it. */
export interface WayTo {
  route: Route;
  /** The server was reached by the editor's own transport alone, whatever the route. */
  isBehindEditor: boolean;
  connect(): Promise<ConnectionOptions>;
}

/** The editor's resolver, which knows PAC files and the system's proxy: the address of one, or undefined for none. */
export type ResolveProxy = (url: string) => Promise<string | undefined>;

export interface HttpClientOptions {
  /** Read for every request, so a changed setting holds from the next one on. */
  settings: () => NetworkSettings;
  log: Log;
  secrets?: NetworkSecrets;
  /** Asked where nobody names a proxy. */
  resolveProxy?: ResolveProxy | undefined;
  environment?: Record<string, string | undefined>;
  clock?: Clock;
  /** Replaces the name server, in tests. */
  lookup?: LookupFunction;
  /** Replaces the network, in tests. */
  direct?: Transport;
  /** Replaces `node:http`, in tests. */
  fallback?: Transport;
}

const maxRedirects = 3;
/** A network that has a proxy often drops what does not go through it, without a word. */
const directLimitMs = 4_000;
/** A PAC file may be far away, or its server gone. */
const resolveLimitMs = 5_000;
/** How long a proxy that was not reached is passed over, if there is another way. */
const proxyPauseMs = 60_000;
const clockAskMs = 3_000;
/** Certificates are renewed days before they expire; clocks that are kept differ by seconds. */
const clockToleranceMs = 60 * 60_000;

export function createHttpClient(options: HttpClientOptions): RoutedHttpClient {
  return new Client(options);
}

class Client implements RoutedHttpClient {
  private readonly sockets: SocketTransport;
  private readonly environment: Record<string, string | undefined>;
  private readonly clock: Clock;
  private readonly secrets: NetworkSecrets;
  /** Origins that only the editor's own transport reaches. */
  private readonly behindEditor = new Set<string>();
  private trusted: { key: string; context: Promise<SecureContext> } | undefined;
  /** Proxies that were not reached, and when they are tried again. */
  private readonly unreached = new Map<string, number>();
  /** Origins that have answered before. */
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
    const connect = async () =>
      strictTls
        ? { rejectUnauthorized: true, secureContext: await this.trust() }
        : { rejectUnauthorized: false };
    const route = await this.routeTo(url, signal);
    return { route, isBehindEditor: route.fallible && this.behindEditor.has(url.origin), connect };
  }

  askAgain(): void {
    this.secrets.askAgain();
  }

  /** With the sign-in that is saved for its proxy, where settings and environment have none. */
  private async routeTo(url: URL, signal: AbortSignal): Promise<Route> {
    const chosen = chooseRoute(url, this.options.settings(), this.environment);
    const route = chosen.fallible ? ((await this.askEditor(url, signal)) ?? chosen) : chosen;
    if (route.type === 'direct' || route.authorization) return route;
    const authorization = await this.secrets.get('proxy', originOfProxy(route));
    return authorization === undefined ? route : { ...route, authorization };
  }

  /** The route by the proxy that only the editor knows of, or without it while it is passed over. */
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

  /** Nothing was sent to the server yet, and no limit runs while the user types. */
  private signIn(route: ProxyRoute): Promise<string | undefined> {
    return this.secrets.ask('proxy', originOfProxy(route), route.authorization);
  }

  /** Read again after a failure, since a file may have been put right or renewed. */
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
      // Nothing tells when a request without body is out, so its limit includes connecting.
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
      // A server may answer before it has read the whole body.
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
      if (!target) return response;
      await discard(response.body);
      const mayFollow = request.method === 'GET' && request.followsRedirects !== false;
      if (target.origin !== start.origin || !mayFollow || redirects === maxRedirects) {
        throw redirected(url, target, status, secretsIn(request));
      }
      url = target;
    }
  }

  /** Asks the server for its time, without a key and without trusting it, and says if the clocks differ. */
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
      // Nobody asked for this; what failed is told.
      return failure;
    }
  }

  /** On the route; where nobody named it, also in the other ways there are. */
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
        // The user can sign in to the proxy that asks for it.
        throw isOut ? other : error;
      }
    }
  }

  /** The editor signs in to proxies as the user of the system (Kerberos), which we cannot. */
  private async transmitByEditor(request: WireRequest): Promise<WireResponse> {
    const { strictTls } = this.options.settings();
    const trust = strictTls ? () => this.trust() : undefined;
    const response = await (this.options.fallback ?? createNodeTransport(strictTls, trust))(request);
    if (response.status !== 407) return response;
    await discard(response.body);
    throw proxyRefused(407);
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
      trust: secure && strictTls ? () => this.trust() : undefined,
      trustKey: secure ? trustKey(settings) : 'none',
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

/** Distinguishes settings by whom they trust and who they say that we are. */
function trustKey({ caFile, systemCertificates, clientCertificate }: NetworkSettings): string {
  return JSON.stringify([caFile, systemCertificates, clientCertificate]);
}

/** Of two limits the shorter; 0 stands for none. */
function leastOf(limitMs: number, otherMs: number): number {
  return limitMs > 0 ? Math.min(limitMs, otherMs) : otherMs;
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
