import { withSecrets } from '../relay/headers.ts';
import type { KeyStore } from './keyStore.ts';
import { type ConnectionSettings, type ServerAccess, ServerConnections } from './serverConnections.ts';

/** A relay that can be called. */
export interface RelayAccess extends ServerAccess {
  /** Extra headers from settings. */
  headers: Readonly<Record<string, string>>;
  headerSecrets: readonly string[];
}

/** Knows which relay is connected now. */
export class RelayConnections extends ServerConnections<RelayAccess> {
  constructor(settings: ConnectionSettings, keys: KeyStore, environment: NodeJS.ProcessEnv) {
    super(
      {
        keyKind: 'relay',
        addressSetting: 'relay.baseUrl',
        otherSettings: ['relay.headers'],
        environmentUrl: 'SWITCHBOARD_RELAY_URL',
        environmentKey: 'SWITCHBOARD_RELAY_KEY',
        complete: async (access) => ({
          ...access,
          ...(await withSecrets(settings.get('relay.headers'), (name) =>
            keys.get({ kind: `header:${name}`, origin: access.origin }),
          )),
        }),
      },
      settings,
      keys,
      environment,
    );
  }
}
