import { hostOf } from '../relay/relayModelId.ts';
import type { KeyStore } from './keyStore.ts';
import {
  type ConnectionSettings,
  type KnownAddress,
  type ServerAccess,
  ServerConnections,
} from './serverConnections.ts';
import { originOf } from './serverPlace.ts';

export interface RelayAccess extends ServerAccess {
  name: string;
  headers: Readonly<Record<string, string>>;
  headerSecrets: readonly string[];
}

export interface KnownRelay extends KnownAddress {
  name: string;
  headers: Readonly<Record<string, string>>;
}

/** Relays are identified by origin. An entry with the origin of `relay.baseUrl` only names that relay. */
export class RelayConnections extends ServerConnections<RelayAccess> {
  constructor(
    private readonly relaySettings: ConnectionSettings,
    relayKeys: KeyStore,
    environment: NodeJS.ProcessEnv,
  ) {
    super(
      {
        keyKind: 'relay',
        addressSetting: 'relay.baseUrl',
        otherSettings: ['relay.headers', 'relay.connections'],
        environmentUrl: 'SWITCHBOARD_RELAY_URL',
        environmentKey: 'SWITCHBOARD_RELAY_KEY',
        further: () => relaySettings.get('relay.connections').map(({ baseUrl }) => baseUrl),
        complete: async (access, isDefault) => {
          const { name, headers } = describe(relaySettings, access.origin, isDefault);
          if (Object.keys(headers).length === 0) return { ...access, name, headers, headerSecrets: [] };
          const { withSecrets } = await import('../relay/headers.ts');
          const filled = await withSecrets(headers, (secret) =>
            relayKeys.get({ kind: `header:${secret}`, origin: access.origin }),
          );
          return { ...access, name, ...filled };
        },
      },
      relaySettings,
      relayKeys,
      environment,
    );
  }

  get known(): readonly KnownRelay[] {
    return this.addresses.map((each) => ({
      ...each,
      ...describe(this.relaySettings, each.origin, each.isDefault),
    }));
  }
}

/** Settings of an origin's relay. `relay.headers` apply to `relay.baseUrl` only. */
function describe(
  settings: ConnectionSettings,
  origin: string,
  isDefault: boolean,
): Pick<KnownRelay, 'name' | 'headers'> {
  const entry = settings.get('relay.connections').find((each) => originOf(each) === origin);
  return {
    name: entry?.name?.trim() || hostOf(origin),
    headers: { ...(isDefault && settings.get('relay.headers')), ...entry?.headers },
  };
}
