import type { KeyStore } from '../keyStore.ts';
import { ServerConnections, type ServerAccess } from '../serverConnections.ts';
import type { Settings } from '../settings.ts';

/** A platform whose knowledge bases can be reached. */
export type PlatformAccess = ServerAccess;

/** Knows which platform is connected now. */
export class PlatformConnections extends ServerConnections<PlatformAccess> {
  constructor(settings: Settings, keys: KeyStore, environment: NodeJS.ProcessEnv) {
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
