import { createHash } from 'node:crypto';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { normaliseAddress } from '../../base/address.ts';
import { checkKey } from '../../base/key.ts';

/** An app whose key the environment has. */
export interface EnvironmentApp {
  /** The same as long as address and key are. */
  id: string;
  baseUrl: string;
  key: string;
}

/**
 * Apps that whoever started the extension host handed over in its environment: `SWITCHBOARD_APP_KEYS`, separated by
 * commas, at `SWITCHBOARD_PLATFORM_URL`. The keys go to that address alone and are never written anywhere.
 */
export class EnvironmentApps {
  readonly all: readonly EnvironmentApp[];

  constructor(environment: NodeJS.ProcessEnv) {
    const address = normaliseAddress(environment['SWITCHBOARD_PLATFORM_URL'] ?? '');
    const given = (environment['SWITCHBOARD_APP_KEYS'] ?? '').split(',').filter((text) => text.trim() !== '');
    const keys = given.flatMap((text) => {
      const checked = checkKey(text, 'app');
      return 'key' in checked ? [checked.key] : [];
    });
    this.all =
      'problem' in address
        ? []
        : [...new Set(keys)].map((key) => ({
            id: idOf(address.baseUrl, key),
            baseUrl: address.baseUrl,
            key,
          }));
  }

  /** Undefined for an app at any other address than the environment's. */
  keyOf({ id, baseUrl }: Pick<AppRecord, 'id' | 'baseUrl'>): string | undefined {
    return this.all.find((app) => app.id === id && app.baseUrl === baseUrl)?.key;
  }
}

/** Conversations name their app by its id, so it must be found again without the key being kept. */
function idOf(baseUrl: string, key: string): string {
  const hash = createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex');
  return `environment-${hash.slice(0, 24)}`;
}
