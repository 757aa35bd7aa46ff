import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { lazy, memoize } from '../base/async/lazy.ts';
import type { Log } from '../base/log.ts';
import type { NetworkSettings, ResolveProxy, RoutedHttpClient } from '../net/httpClient.ts';
import type { NetworkSecrets, Timeouts } from '../net/transport.ts';
import type { DialectMemory } from '../platform/platformDialect.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { PlatformConnection, PlatformContext } from '../platform/platformCall.ts';
import type { CheckOptions } from '../relay/check/checkModel.ts';
import type { ModelCheck } from '../relay/check/checkReport.ts';
import type { ModelProfiles } from '../relay/profile/modelFacts.ts';
import type { RelayClient } from '../relay/relayClient.ts';
import type { PlatformAccess } from './serverConnections.ts';
import type { RelayAccess } from './relayConnections.ts';
import type { AskModel } from '../relay/streamModel.ts';

export interface Clients extends Disposable {
  /** The same client for the same access: it keeps what it learns about models. */
  relay(access: RelayAccess): Promise<RelayClient>;
  /** Checks what a relay really serves for a model; its cost counts like any request's. */
  checkModel(
    access: RelayAccess,
    options: Pick<CheckOptions, 'model' | 'signal' | 'onStep'>,
  ): Promise<ModelCheck>;
  /** Completes code at the caret (`completionModel.ts`); the cost counts like any request's. */
  completions(access: RelayAccess): Promise<AskModel>;
  platform(access: PlatformAccess): Promise<PlatformClient>;
  /** Context for further clients of the platform. Do not copy: a copy would freeze the time limits. */
  contextOf(connection: PlatformConnection): Promise<PlatformContext>;
  http(): Promise<RoutedHttpClient>;
}

export interface ClientsDependencies {
  log: Log;
  dialects: DialectMemory;
  profiles(access: RelayAccess): ModelProfiles;
  network(): Promise<() => NetworkSettings>;
  networkSecrets(): Promise<NetworkSecrets>;
  proxyResolver?(): Promise<ResolveProxy | undefined>;
  timeouts(): Timeouts;
  meter?(client: RelayClient): Promise<AskModel>;
}

export function createClients({
  log,
  dialects,
  profiles,
  network,
  networkSecrets,
  proxyResolver,
  timeouts,
  meter,
}: ClientsDependencies): Clients {
  const disposables = new DisposableStore();
  const http = lazy(async () => {
    const { createHttpClient } = await import('../net/httpClient.ts');
    const [settings, secrets, resolveProxy] = await Promise.all([
      network(),
      networkSecrets(),
      proxyResolver?.(),
    ]);
    return disposables.add(createHttpClient({ log, settings, secrets, resolveProxy }));
  });
  const contextOf = async <C>(connection: C) => ({
    ...{ http: await http(), log, connection, dialects },
    get timeouts() {
      return timeouts();
    },
  });
  const relayContextOf = async (access: RelayAccess) =>
    Object.assign(await contextOf(access), { profiles: profiles(access) });
  const relay = memoize(async (access: RelayAccess) => {
    const { createRelayClient } = await import('../relay/relayClient.ts');
    const client = createRelayClient(await relayContextOf(access));
    return meter ? { ...client, ask: await meter(client) } : client;
  });
  const metered = async (access: RelayAccess, ask: AskModel) =>
    meter ? meter({ ...(await relay(access)), ask }) : ask;
  return {
    relay,
    async checkModel(access, options) {
      const { checkModel } = await import('../relay/check/checkModel.ts');
      const price = await (await relay(access)).price(options.model);
      const meterOf = (ask: AskModel) => metered(access, ask);
      return checkModel(await relayContextOf(access), { ...options, price, meter: meterOf });
    },
    completions: memoize(async (access: RelayAccess) => {
      const { completionModel } = await import('../relay/completionModel.ts');
      return metered(access, completionModel(await relayContextOf(access)));
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
