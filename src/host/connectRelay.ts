import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';
import type { Address } from '../base/address.ts';
import { readPastedConnection } from '../connections/connectionLink.ts';
import type { RelayAccess, RelayConnections } from '../connections/relayConnections.ts';
import type { DiagnoseDependencies } from './diagnoseConnection.ts';
import { connectServer, type ServerQuestions, type UnencryptedOrigins } from './connectServer.ts';
import type { RelayModels } from '../chat/relayModels.ts';

export interface ConnectRelayDependencies extends DiagnoseDependencies {
  relays: RelayConnections;
  memory: UnencryptedOrigins;
  models: Pick<RelayModels, 'list'>;
}

/** What the command returns: whether a connection was saved, where to, and how many models it listed. */
export interface ConnectRelayResult {
  connected: boolean;
  address?: string;
  models?: number;
}

/** @param given what a link has; the user is asked for address and key, if absent */
export async function connectRelay(
  deps: ConnectRelayDependencies,
  given?: Address & { key: string },
): Promise<ConnectRelayResult> {
  const { relays, memory, models } = deps;
  const questions: ServerQuestions<RelayAccess> = {
    connections: relays,
    unencrypted: memory,
    keyKind: 'relay',
    addressTitle: l10n.t('Connect Relay (1/2): Address'),
    addressPrompt: l10n.t('The base address of your relay, or what its console copies as a connection'),
    addressExample: 'https://relay.example.com',
    keyTitle: l10n.t('Connect Relay (2/2): Key'),
    keyExample: 'sk-…',
    triedPath: '/v1/models',
    notTried: l10n.t("Couldn't test the connection to the relay."),
    async tryServer(access, signal) {
      const { length } = await models.list(access, signal);
      return { outcome: outcomeOf(access.baseUrl, length), count: length };
    },
    async diagnose(access) {
      const model = { notAsked: l10n.t('The connection is not saved yet.') };
      const { diagnoseServers } = await import('./diagnoseConnection.ts');
      return diagnoseServers(deps, [{ kind: 'relay', baseUrl: access.baseUrl, access, model }]);
    },
    readPasted: readPastedConnection,
  };
  const { isConnected, count, ...place } = await connectServer(questions, given);
  return { connected: isConnected, ...place, ...(count !== undefined && { models: count }) };
}

function outcomeOf(baseUrl: string, models: number): string {
  return models > 0
    ? plural(
        models,
        l10n.t('Connected to {0}: 1 model.', baseUrl),
        l10n.t('Connected to {0}: {1} models.', baseUrl, formatNumber(models)),
      )
    : l10n.t(
        'Connected to {0}. It lists no models: type a model id in the picker, or name them in the setting "switchboard.relay.models".',
        baseUrl,
      );
}
