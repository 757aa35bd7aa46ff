import { randomUUID } from 'node:crypto';
import { AppService } from '../../apps/appService.ts';
import type { Log } from '../../base/log.ts';
import type { ChatApps } from '../../chat/apps/chatApp.ts';
import type { Clients } from '../../connections/clients.ts';
import type { KeyStore } from '../../connections/keyStore.ts';
import type { Memory } from '../memory.ts';
import type { Settings } from '../settings.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';
import { createChatApps } from './chatApps.ts';

export interface CreateAppsDependencies {
  clients: Clients;
  keys: KeyStore;
  memory: Memory;
  settings: Settings;
  tools(): Promise<WorkspaceTools>;
  log: Log;
}

/** The user's apps: all of them, and those that conversations can be held with. */
export function createApps({ clients, keys, memory, settings, tools, log }: CreateAppsDependencies): {
  apps: AppService;
  chatApps: ChatApps;
} {
  const apps = new AppService({
    store: memory.apps,
    keys,
    environment: process.env,
    log,
    createClient: (connection, user) => clients.app(connection, user),
    user: () => settings.get('platform.user').trim() || memory.platformUser(randomUUID),
    newId: randomUUID,
    now: Date.now,
  });
  const chatApps = createChatApps({
    apps,
    files: async () => {
      const { createLocalFiles } = await import('../knowledge/workspaceLocalFiles.ts');
      return createLocalFiles((await tools()).needs);
    },
    streams: () => settings.get('chat.stream'),
    chats: memory.appChats,
  });
  return { apps, chatApps };
}
