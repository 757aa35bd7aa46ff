import { isIP } from 'node:net';
import * as l10n from '@vscode/l10n';
import { isUnencrypted } from '../base/address.ts';
import { shownAddress } from '../base/urls.ts';
import { isCancelled, SwitchboardError } from '../base/errors/errors.ts';
import type { RoutedHttpClient, WayTo } from '../net/httpClient.ts';
import { isProxySignIn, toNetworkError } from '../net/httpErrors.ts';
import { type DirectReason, proxyOf, type ProxyRoute, type Route, routeWithout } from '../net/routes.ts';
import { hostAndPort, lookUp, openSocket, openTunnel, readTlsFacts, secureSocket } from '../net/sockets.ts';
import type { Timeouts } from '../net/transport.ts';
import type { Finding, Step } from './step.ts';

export interface NetworkAccess {
  http: RoutedHttpClient;
  timeouts: Timeouts;
}

/** The context with fresh routes: the user may have signed in to a proxy since. */
interface WayAccess extends NetworkAccess {
  lookForWay(): Promise<WayTo>;
}

/** Steps from an address to a secure connection, without any key. */
export function networkSteps(baseUrl: string, { route, connect }: WayTo, access: WayAccess): Step[] {
  const url = new URL(baseUrl);
  const way = new Way(url, route, connect, access);
  return [
    { name: 'address', run: async () => addressFinding(baseUrl, url) },
    { name: 'name', run: (signal) => way.orEditors(signal, () => way.findName(signal)) },
    { name: 'tcp', run: (signal) => way.orEditors(signal, () => way.connect(signal)) },
    { name: 'proxy', run: (signal) => way.checkProxy(signal) },
    { name: 'tls', run: (signal) => way.secure(signal) },
  ];
}

function addressFinding(baseUrl: string, url: URL): Finding {
  const text = shownAddress(baseUrl);
  return isUnencrypted({ baseUrl, origin: url.origin })
    ? {
        verdict: 'warning',
        text: l10n.t("{0} isn't encrypted, so others on the network can read the key.", text),
        advice: l10n.t('Use https:// if the server supports it.'),
      }
    : { verdict: 'ok', text };
}

class Way {
  private isBehindEditor = false;
  private addresses: readonly { address: string; family: number }[] = [];

  constructor(
    private readonly url: URL,
    private route: Route,
    private readonly connectOptions: WayTo['connect'],
    private readonly access: WayAccess,
  ) {}

  private get first(): { host: string; port: number } {
    const { route, url } = this;
    return hostAndPort(route.type === 'proxy' ? new URL(route.proxyUrl) : url);
  }

  /** Asks the editor (PAC file, system) for a proxy if none is set, and drops an unreachable one, like requests do. */
  async orEditors(signal: AbortSignal, look: () => Promise<Finding>): Promise<Finding> {
    if (this.isBehindEditor) return this.byEditor('skipped');
    try {
      return await look();
    } catch (error) {
      const { route } = this;
      if (!route.fallible || isCancelled(error)) throw error;
      if (route.type === 'proxy') {
        this.route = routeWithout(route);
        this.addresses = [];
        return this.orEditors(signal, look);
      }
      if (!(await this.isReached(signal))) throw error;
      this.isBehindEditor = true;
      return this.byEditor('warning');
    }
  }

  async findName(signal: AbortSignal): Promise<Finding> {
    const { host } = this.first;
    if (isIP(host)) return { verdict: 'skipped', text: l10n.t('{0} is an IP address.', host) };
    this.addresses = await this.told(() => lookUp(host, signal));
    const shown = [...new Set(this.addresses.map(({ address }) => address))];
    return { verdict: 'ok', text: l10n.t('{0} is {1}.', host, shown.join(', ')) };
  }

  async connect(signal: AbortSignal): Promise<Finding> {
    const { host, port } = this.first;
    const limitMs = this.access.timeouts.connectMs;
    (await this.told(() => openSocket({ host, port, limitMs, signal }))).destroy();
    const text = l10n.t('Connected to {0}.', `${host}:${port}`);
    const silent = await this.silentFamily(signal);
    return silent === undefined
      ? { verdict: 'ok', text }
      : {
          verdict: 'warning',
          text: `${text} ${l10n.t("Its {0} address isn't reachable.", silent)}`,
          advice: l10n.t(
            'Requests use the other address. If connecting is slow, contact your network administrator.',
          ),
        };
  }

  async checkProxy(signal: AbortSignal): Promise<Finding> {
    if (this.isBehindEditor) return this.byEditor('ok');
    try {
      return await this.proxyFinding(signal);
    } catch (error) {
      // A request would ask the user to sign in, or sign in as the system's user.
      const mayBeSignedIn = error instanceof SwitchboardError && isProxySignIn(error);
      if (!mayBeSignedIn || !(await this.isReached(signal))) throw error;
    }
    const { route, isBehindEditor } = await this.access.lookForWay();
    this.isBehindEditor = isBehindEditor;
    if (isBehindEditor) return this.byEditor('ok');
    this.route = route;
    return this.proxyFinding(signal);
  }

  private async proxyFinding(signal: AbortSignal): Promise<Finding> {
    const { route } = this;
    if (route.type === 'direct') {
      return route.unreached
        ? withoutProxy(route.unreached)
        : { verdict: 'ok', text: directText(route.because) };
    }
    await this.told(async () => (await this.tunnel(signal)).destroy());
    return {
      verdict: 'ok',
      text: l10n.t('{0} (from {1}) connects to the server.', shownAddress(route.proxyUrl), route.source),
    };
  }

  async secure(signal: AbortSignal): Promise<Finding> {
    if (this.url.protocol !== 'https:') {
      return { verdict: 'skipped', text: l10n.t('The address starts with http://.') };
    }
    if (this.isBehindEditor) return this.byEditor('skipped');
    const { host, port } = hostAndPort(this.url);
    const limitMs = this.access.timeouts.connectMs;
    const target = { host, port, limitMs, signal };
    const options = await this.told(() => this.connectOptions());
    const facts = await this.told(async () => {
      const socket = this.route.type === 'proxy' ? await this.tunnel(signal) : await openSocket(target);
      const offer = { ...options, ALPNProtocols: ['h2', 'http/1.1'] };
      return secureSocket(socket, target, offer)
        .then(readTlsFacts)
        .finally(() => socket.destroy());
    }, signal);
    const protocol = facts.offersHttp2 ? `${facts.version}, HTTP/2` : facts.version;
    if (options.rejectUnauthorized === false) {
      return {
        verdict: 'warning',
        text: l10n.t('{0}; certificates are not checked.', protocol),
        advice: l10n.t('Turn on the setting "http.proxyStrictSSL".'),
      };
    }
    const until = new Date(facts.validTo);
    const day = Number.isNaN(until.getTime()) ? facts.validTo : until.toISOString().slice(0, 10);
    return {
      verdict: 'ok',
      text: l10n.t('{0}; certificate issued by {1}, valid until {2}.', protocol, facts.issuer, day),
    };
  }

  private byEditor<V extends Finding['verdict']>(verdict: V): Finding & { verdict: V } {
    return {
      verdict,
      text: l10n.t("{0} is reached only through the editor's own proxy (PAC or system).", this.url.host),
    };
  }

  /** Checks for any HTTP answer; no key is sent. */
  private async isReached(signal: AbortSignal): Promise<boolean> {
    try {
      (await this.ask(signal)).close();
      return true;
    } catch (error) {
      if (isCancelled(error)) throw error;
      return false;
    }
  }

  private ask(signal: AbortSignal) {
    const { http, timeouts } = this.access;
    return http.send({ method: 'GET', url: `${this.url.origin}/`, headers: {}, timeouts, signal });
  }

  private async tunnel(signal: AbortSignal) {
    const { route } = this;
    if (route.type === 'direct') throw new Error('There is no proxy');
    const { host, port } = hostAndPort(this.url);
    const limitMs = this.access.timeouts.connectMs;
    return openTunnel(
      route.proxyUrl,
      { host, port, limitMs, signal },
      route.proxyUrl.startsWith('https:') ? await this.connectOptions() : {},
      route.authorization,
    );
  }

  private async silentFamily(signal: AbortSignal): Promise<string | undefined> {
    const families = new Map(
      this.addresses.toReversed().map(({ family, address }) => [family, address] as const),
    );
    if (families.size < 2) return undefined;
    const limitMs = 3_000;
    for (const [family, host] of families) {
      try {
        (await openSocket({ host, port: this.first.port, limitMs, signal })).destroy();
      } catch {
        signal.throwIfAborted();
        return `IPv${family}`;
      }
    }
    return undefined;
  }

  /** Describes a failure as requests do. With `signal` the client is asked as well: it may know more than a step. */
  private async told<T>(look: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await look();
    } catch (error) {
      const { route, url, access } = this;
      const failure = toNetworkError(error, {
        url: url.href,
        connectMs: access.timeouts.connectMs,
        proxy: proxyOf(route),
      });
      if (!signal || isCancelled(failure)) throw failure;
      const same = await this.ask(signal).then(
        (response) => response.close(),
        (other: unknown) => other,
      );
      throw same instanceof SwitchboardError && same.code === failure.code ? same : failure;
    }
  }
}

function withoutProxy({ proxyUrl, source }: ProxyRoute): Finding {
  return {
    verdict: 'warning',
    text: l10n.t(
      "The proxy {0} (from {1}) isn't reachable, so requests go directly.",
      shownAddress(proxyUrl),
      source,
    ),
    advice: l10n.t('Ask your network administrator for the correct proxy.'),
  };
}

function directText(because: DirectReason): string {
  switch (because) {
    case 'loopback':
      return l10n.t('Not used for this computer.');
    case 'exempt':
      return l10n.t('Not used for this host ("http.noProxy", "http.proxySupport" or NO_PROXY).');
    case 'no-proxy-named':
      return l10n.t('No proxy is set.');
  }
}
