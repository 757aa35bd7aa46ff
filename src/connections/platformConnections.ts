import type { KeyStore } from './keyStore.ts';
import { type ConnectionSettings, type ServerAccess, ServerConnections } from './serverConnections.ts';

/** A platform whose knowledge bases can be reached. */
export type PlatformAccess = ServerAccess;

/** Knows which platform is connected now. */
export class PlatformConnections extends ServerConnections<PlatformAccess> {
  constructor(settings: ConnectionSettings, keys: KeyStore, environment: NodeJS.ProcessEnv) {
    super(
      {
        keyKind: 'dataset',
        addressSetting: 'platform.baseUrl',
        otherSettings: [],
        environmentUrl: 'SWITCHBOARD_PLATFORM_URL',
        environmentKey: 'SWITCHBOARD_DATASET_KEY',
        complete: (access) => access,
      },
      settings,
      keys,
      environment,
    );
  }
}
