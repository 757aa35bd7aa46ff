import { randomUUID } from 'node:crypto';
import { AppService } from '../../apps/appService.ts';
import type { Log } from '../../base/log.ts';
import type { Servers } from './createServers.ts';
import type { Tools } from './createTools.ts';
import type { Storage } from './openStorage.ts';
import type { Notifications } from '../ui/notifications.ts';

interface AppsDependencies
  extends
    Pick<Storage, 'keys' | 'memory' | 'settings' | 'folders'>,
    Pick<Servers, 'clients'>,
    Pick<Tools, 'tools'> {
  log: Log;
  notifications: Notifications;
}

export function createApps({
  notifications,
  clients,
  keys,
  memory,
  settings,
  tools,
  folders,
  log,
}: AppsDependencies): AppService {
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
    async createAccountClient({ baseUrl, token, expiresAtMs }, appId) {
      const { createSignedInApp } = await import('../../apps/client/signedInApp.ts');
      const context = await clients.contextOf({ baseUrl, key: token });
      return createSignedInApp(Object.assign(context, { expiresAtMs }), appId);
    },
    async onSignInEnding(app) {
      const { offerToSignInAgain } = await import('../apps/signInAgain.ts');
      await offerToSignInAgain(notifications, app);
    },
    user: () => settings.get('platform.user').trim() || memory.platformUser(randomUUID),
    newId: randomUUID,
    now: () => Date.now(),
    async files() {
      const { createLocalFiles } = await import('../../knowledge/files/workspaceLocalFiles.ts');
      return createLocalFiles((await tools()).dependencies);
    },
    streams: () => settings.get('chat.stream'),
  });
}
