import { normaliseAddress } from '../base/address.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { checkKey } from '../base/secrets/checkKey.ts';
import type { Log } from '../base/log.ts';
import type { PlatformConnection } from '../platform/platformCall.ts';
import type { AppInfo, AppKind } from './app.ts';
import { type AppRecord, type AppRegistry, nothingKnown } from './appRegistry.ts';
import type { AppClient } from './client/appClient.ts';
import { sha256 } from '../base/sha256.ts';

export interface EnvironmentApp {
  id: string;
  baseUrl: string;
  key: string;
}

export interface KnownApps {
  kindOf(id: string): AppKind | undefined;
  findByKey(connection: PlatformConnection): Promise<AppRecord | undefined>;
  tryOut(connection: PlatformConnection): Promise<AppClient>;
  describe(client: AppClient, info: AppInfo, signal: AbortSignal): Promise<AppInfo>;
  change(change: (registry: AppRegistry) => void): Promise<void>;
  log: Log;
}

/** `SWITCHBOARD_APP_KEYS`, comma-separated, at `SWITCHBOARD_PLATFORM_URL`; sent only there and never stored. */
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

  /** Undefined for an app at any other address. */
  keyOf({ id, baseUrl }: Pick<AppRecord, 'id' | 'baseUrl'>): string | undefined {
    return this.all.find((app) => app.id === id && app.baseUrl === baseUrl)?.key;
  }

  /** Requests descriptions of new apps. One that does not answer is listed undescribed and asked again. */
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

/** A stable id, so conversations find their app without its key being stored. */
function idOf(baseUrl: string, key: string): string {
  const hash = sha256(`${baseUrl}\n${key}`);
  return `environment-${hash.slice(0, 24)}`;
}
