import { randomUUID } from 'node:crypto';
import { AppService } from '../../apps/appService.ts';
import type { Log } from '../../base/log.ts';
import type { Clients } from '../../connections/clients.ts';
import type { KeyStore } from '../../connections/keyStore.ts';
import type { Memory } from '../../settings/memory.ts';
import type { Settings } from '../settings.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';

export interface CreateAppsDependencies {
  clients: Clients;
  keys: KeyStore;
  memory: Memory;
  settings: Settings;
  tools(): Promise<WorkspaceTools>;
  folders: { pictures: string };
  log: Log;
}

/** The user's apps, over what is saved of them and the workspace whose files they are sent. */
export function createApps({
  clients,
  keys,
  memory,
  settings,
  tools,
  folders,
  log,
}: CreateAppsDependencies): AppService {
  return new AppService({
    store: memory.apps,
    keys,
    environment: process.env,
    log,
    pictureFolder: folders.pictures,
    async createClient(connection, user) {
      const { createAppClient } = await import('../../apps/client/appClient.ts');
      return createAppClient(Object.assign(await clients.contextOf(connection), { user }));
    },
    user: () => settings.get('platform.user').trim() || memory.platformUser(randomUUID),
    newId: randomUUID,
    now: Date.now,
    async files() {
      const { createLocalFiles } = await import('../../knowledge/workspaceLocalFiles.ts');
      return createLocalFiles((await tools()).dependencies);
    },
    streams: () => settings.get('chat.stream'),
  });
}
