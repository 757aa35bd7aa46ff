import { Emitter } from '../../src/base/emitter.ts';
import { RelayModels } from '../../src/chat/models/relayModels.ts';
import { createClients } from '../../src/connections/clients.ts';
import { RelayConnections } from '../../src/connections/relayConnections.ts';
import { RelayEditor } from '../../src/connections/relayEditor.ts';
import type { ConnectionSettings } from '../../src/connections/serverConnections.ts';
import { noNetworkSecrets } from '../../src/net/transport.ts';
import type { ModelOverride } from '../../src/relay/list/modelOverrides.ts';
import type { RelayClient } from '../../src/relay/relayClient.ts';
import type { AskModel } from '../../src/relay/streamModel.ts';
import { Memory } from '../../src/settings/memory.ts';
import type { RelayServer } from '../servers/sandbox.ts';
import { createMemento } from './memento.ts';
import { silentLog } from './silentLog.ts';
import { createMemoryKeys } from './memoryKeys.ts';

/** A window without an editor. */
export function openRelayWindow(
  values: Record<string, unknown>,
  meter?: (client: RelayClient) => Promise<AskModel>,
) {
  const changed = new Emitter<(name: string) => boolean>();
  const settings = {
    get: (name: string) => values[name],
    async set(name: string, value: unknown) {
      values[name] = value;
      changed.fire((each) => each === name);
    },
    onDidChange: changed.event,
  };
  const keys = createMemoryKeys();
  const memory = new Memory(createMemento(), createMemento());
  const relays = new RelayConnections(settings as ConnectionSettings, keys, {});
  const relayEditor = new RelayEditor(relays, settings as ConnectionSettings, keys);
  const clients = createClients({
    ...{ log: silentLog, dialects: memory.dialects },
    profiles: ({ origin }) => models.profiles.of(origin),
    network: async () => () => ({ noProxy: [], strictTls: true }),
    networkSecrets: async () => noNetworkSecrets,
    timeouts: () => ({ connectMs: 20_000, firstTokenMs: 60_000, idleMs: 60_000 }),
    ...(meter && { meter }),
  });
  const models: RelayModels = new RelayModels({ relays, clients, settings: settings as never, memory });
  return {
    relays,
    relayEditor,
    clients,
    models,
    close() {
      models.dispose();
      clients.dispose();
      relays.dispose();
    },
  };
}

/** A window that hasn't asked any of the relay's models yet. @param overrides the setting `relay.models` */
export async function connectWindow(
  server: Pick<RelayServer, 'url' | 'key'>,
  overrides: readonly ModelOverride[] = [],
) {
  const window = openRelayWindow({
    ...{ 'relay.baseUrl': '', 'relay.connections': [], 'relay.headers': {} },
    ...{ 'relay.models': overrides, 'relay.protocol': 'auto', 'chat.model': '' },
  });
  const place = window.relayEditor.place();
  const { origin } = new URL(server.url);
  await place.save(await place.accessFor({ baseUrl: server.url, origin, key: server.key }));
  await window.models.catalog.ensure();
  return window;
}
