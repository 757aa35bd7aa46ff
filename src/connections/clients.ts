import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { lazy } from '../base/lazy.ts';
import type { Log } from '../base/log.ts';
import { memoize } from '../base/memoize.ts';
import type { NetworkSettings, ResolveProxy, RoutedHttpClient } from '../net/httpClient.ts';
import type { NetworkSecrets } from '../net/networkSecrets.ts';
import type { Timeouts } from '../net/transport.ts';
import type { DialectMemory } from '../platform/dialect.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { PlatformConnection, PlatformContext } from '../platform/platformCall.ts';
import type { StreamModel } from '../relay/messages.ts';
import type { ProtocolChoice } from '../relay/protocol.ts';
import type { ParameterMemory } from '../relay/refusedParameters.ts';
import type { RelayClient } from '../relay/relayClient.ts';
import type { PlatformAccess } from './platformConnections.ts';
import type { RelayAccess } from './relayConnections.ts';

/** The clients of the servers in use. Their code, and the network's, is loaded with the first request. */
export interface Clients extends Disposable {
  /** The same one for the same access: it keeps what it learns about the relay's models. */
  relay(access: RelayAccess): Promise<RelayClient>;
  platform(access: PlatformAccess): Promise<PlatformClient>;
  /** What another client of the platform needs. Not to be copied: a copy would hold on to the time limits of now. */
  contextOf(connection: PlatformConnection): Promise<PlatformContext>;
  /** What all of them share. */
  http(): Promise<RoutedHttpClient>;
}

export interface ClientsDependencies {
  log: Log;
  /** What servers of the platform were found to want. */
  dialects: DialectMemory;
  /** How the models of a relay are asked. */
  protocols(access: RelayAccess): ProtocolChoice;
  /** What the models of a relay were found not to support. */
  parameters?(access: RelayAccess): ParameterMemory;
  /** Read for each connection. */
  network(): NetworkSettings;
  networkSecrets(): Promise<NetworkSecrets>;
  /** The editor's resolver of proxies, if there is one. */
  proxyResolver?(): Promise<ResolveProxy | undefined>;
  /** Read for each request. */
  timeouts(): Timeouts;
  /** Asks the models of a relay, with what is to be done beside: counting what it costs. */
  meter?(client: RelayClient): Promise<StreamModel>;
}

export function createClients({
  log,
  dialects,
  protocols,
  parameters,
  network,
  networkSecrets,
  proxyResolver,
  timeouts,
  meter,
}: ClientsDependencies): Clients {
  const disposables = new DisposableStore();
  const http = lazy(async () => {
    const { createHttpClient } = await import('../net/httpClient.ts');
    const [secrets, resolveProxy] = await Promise.all([networkSecrets(), proxyResolver?.()]);
    return disposables.add(createHttpClient({ log, settings: network, secrets, resolveProxy }));
  });
  const contextOf = async <C>(connection: C) => ({
    ...{ http: await http(), log, connection, dialects },
    get timeouts() {
      return timeouts();
    },
  });
  return {
    relay: memoize(async (access: RelayAccess) => {
      const { createRelayClient } = await import('../relay/relayClient.ts');
      const context = Object.assign(await contextOf(access), {
        protocols: protocols(access),
        ...(parameters && { parameters: parameters(access) }),
      });
      const client = createRelayClient(context);
      return meter ? { ...client, streamModel: await meter(client) } : client;
    }),
    platform: memoize(async (access: PlatformAccess) => {
      const { createPlatformClient } = await import('../platform/platformClient.ts');
      return createPlatformClient(await contextOf(access));
    }),
    contextOf,
    http,
    dispose: () => disposables.dispose(),
  };
}
