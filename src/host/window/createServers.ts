import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/async/lazy.ts';
import type { Log } from '../../base/log.ts';
import { RelayModels } from '../../chat/models/relayModels.ts';
import { type Clients, createClients } from '../../connections/clients.ts';
import { PlatformConnections } from '../../connections/serverConnections.ts';
import { RelayConnections } from '../../connections/relayConnections.ts';
import type { RelayEditor } from '../../connections/relayEditor.ts';
import type { ModelProfiles } from '../../relay/profile/modelFacts.ts';
import { readTimeouts } from '../settings.ts';
import type { Notifications } from '../ui/notifications.ts';
import type { Storage } from './openStorage.ts';

export interface Servers extends Disposable {
  relays: RelayConnections;
  relayEditor(): Promise<RelayEditor>;
  platforms: PlatformConnections;
  clients: Clients;
  models: RelayModels;
}

export function createServers({
  settings,
  keys,
  memory,
  folders,
  log,
  notifications,
}: Pick<Storage, 'settings' | 'keys' | 'memory' | 'folders'> & {
  log: Log;
  notifications: Notifications;
}): Servers {
  const parts = new DisposableStore();
  const meter = lazy(async () =>
    (await import('./createMeter.ts')).createMeter({
      settings,
      folder: folders.spending,
      log,
      notifications,
    }),
  );
  const relays = parts.add(new RelayConnections(settings, keys, process.env));
  const relayEditor = lazy(async () => {
    const { RelayEditor } = await import('../../connections/relayEditor.ts');
    return new RelayEditor(relays, settings, keys);
  });
  const platforms = parts.add(new PlatformConnections(settings, keys, process.env));
  const clients = parts.add(
    createClients({
      log,
      dialects: memory.dialects,
      profiles: ({ origin }): ModelProfiles => models.profiles.of(origin),
      network: async () => (await import('./networkReader.ts')).createNetworkReader(settings, log),
      networkSecrets: async () => (await import('./networkSecrets.ts')).createNetworkSecrets(keys),
      proxyResolver: async () =>
        (await import('../../net/editorResolver.ts')).findEditorResolver(vscode.env.appRoot),
      timeouts: () => readTimeouts(settings),
      meter: async (client) => (await meter())(client),
    }),
  );
  const models = parts.add(new RelayModels({ relays, clients, settings, memory }));
  return { relays, relayEditor, platforms, clients, models, dispose: () => parts.dispose() };
}
