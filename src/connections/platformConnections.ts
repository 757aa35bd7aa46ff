import type { KeyStore } from './keyStore.ts';
import { type ConnectionSettings, type ServerAccess, ServerConnections } from './serverConnections.ts';

export type PlatformAccess = ServerAccess;

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
