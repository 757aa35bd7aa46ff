import { createHash } from 'node:crypto';
import { normaliseAddress } from '../base/address.ts';
import { SwitchboardError } from '../base/errors.ts';
import { checkKey } from '../base/key.ts';
import type { Log } from '../base/log.ts';
import type { PlatformConnection } from '../platform/platformCall.ts';
import type { AppInfo, AppKind } from './app.ts';
import { type AppRecord, type AppRegistry, nothingKnown } from './appRegistry.ts';
import type { AppClient } from './client/appClient.ts';

/** An app whose key the environment has. */
export interface EnvironmentApp {
  /** The same as long as address and key are. */
  id: string;
  baseUrl: string;
  key: string;
}

/** The apps that are known, and how to ask one. */
export interface KnownApps {
  kindOf(id: string): AppKind | undefined;
  findByKey(connection: PlatformConnection): Promise<AppRecord | undefined>;
  tryOut(connection: PlatformConnection): Promise<AppClient>;
  /** Adds what its site says. */
  describe(client: AppClient, info: AppInfo, signal: AbortSignal): Promise<AppInfo>;
  change(change: (registry: AppRegistry) => void): Promise<void>;
  log: Log;
}

/**
 * Apps that were handed over in the extension host's environment: `SWITCHBOARD_APP_KEYS`, separated by
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

  /** Asks those that are not known yet what they are. One that does not say is listed as it is, and asked again. */
  async discover(apps: KnownApps): Promise<void> {
    const unknown: EnvironmentApp[] = [];
    for (const app of this.all) {
      const own = await apps.findByKey(app);
      const isOwn = own !== undefined && !own.isFromEnvironment;
      if (!isOwn && (apps.kindOf(app.id) ?? 'unknown') === 'unknown') unknown.push(app);
    }
    if (unknown.length === 0) return;
    const infos = await Promise.all(unknown.map((app) => ask(app, apps)));
    await apps.change((registry) => {
      for (const [index, { id, baseUrl }] of unknown.entries()) {
        const info = infos[index];
        if (!registry.find(id)) registry.add({ baseUrl, info: info ?? nothingKnown }, id);
        else if (info) registry.refresh(id, info);
      }
    });
  }
}

async function ask(
  { baseUrl, key }: EnvironmentApp,
  { tryOut, describe, log }: KnownApps,
): Promise<AppInfo | undefined> {
  try {
    const { signal } = new AbortController();
    const client = await tryOut({ baseUrl, key });
    return await describe(client, await client.info(signal), signal);
  } catch (error) {
    const why = error instanceof SwitchboardError ? error.code : String(error);
    log.warn(`An app of SWITCHBOARD_APP_KEYS did not say what it is: ${why}`);
    return undefined;
  }
}

/** Conversations name their app by its id, so it must be found again without the key being saved. */
function idOf(baseUrl: string, key: string): string {
  const hash = createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex');
  return `environment-${hash.slice(0, 24)}`;
}
