import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';
import type { Address } from '../base/address.ts';
import { readPastedConnection } from '../connections/connectionLink.ts';
import type { RelayAccess, RelayConnections, RelayPlace } from '../connections/relayConnections.ts';
import { chooseRelay, renameRelay } from './chooseRelay.ts';
import type { DiagnoseDependencies } from './diagnoseConnection.ts';
import { connectServer, type ServerQuestions, type UnencryptedOrigins } from './connectServer.ts';
import type { RelayModels } from '../chat/relayModels.ts';
import { showInformation } from './notifications.ts';

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
  /** It is used beside others. */
  isFurther?: true;
}

/** @param wanted what a link has, or which relay is meant; the user is asked for what it lacks */
export async function connectRelay(
  deps: ConnectRelayDependencies,
  wanted?: Address & { key?: string },
): Promise<ConnectRelayResult> {
  const { relays, memory, models } = deps;
  await relays.ready;
  const place = wanted ? placeFor(relays, wanted) : await choosePlace(relays);
  if (!place) return { connected: false };
  const isKnown = relays.known.some(({ origin }) => origin === wanted?.origin);
  let saved: RelayAccess | undefined;
  const isFurther = () => saved && saved.origin !== relays.current?.origin;
  const questions: ServerQuestions<RelayAccess> = {
    connections: {
      baseUrl: wanted && !isKnown ? wanted.baseUrl : place.baseUrl,
      accessFor: (typed) => place.accessFor(typed),
      async save(access) {
        await place.save(access);
        saved = access;
      },
    },
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
    tell: (outcome) => void tell(relays, outcome, isFurther() ? saved : undefined),
  };
  const { key } = wanted ?? {};
  const outcome = await connectServer(
    questions,
    wanted && key !== undefined ? { ...wanted, key } : undefined,
  );
  return {
    connected: outcome.isConnected,
    ...(outcome.address !== undefined && { address: outcome.address }),
    ...(outcome.count !== undefined && { models: outcome.count }),
    ...(isFurther() && { isFurther: true }),
  };
}

/** The place of a relay whose address is known. While none is connected, what was to be connected gives its place up. */
export function placeFor(relays: RelayConnections, { origin }: Pick<Address, 'origin'>): RelayPlace {
  const known = relays.known.find((each) => each.origin === origin);
  return relays.place(known ?? (relays.all.length === 0 ? relays.known[0] : undefined));
}

async function choosePlace(relays: RelayConnections): Promise<RelayPlace | undefined> {
  const choice = await chooseRelay(relays);
  if (!choice) return undefined;
  return relays.place(choice === 'another' ? undefined : choice.changed);
}

/** What was added beside others is known by its host, which the user may want to change. */
async function tell(
  relays: RelayConnections,
  outcome: string,
  added: RelayAccess | undefined,
): Promise<void> {
  const rename = l10n.t('Rename…');
  const answer = await showInformation(outcome, ...(added ? [rename] : []));
  const known = answer === rename && relays.known.find(({ origin }) => origin === added?.origin);
  if (known) await renameRelay(relays, known);
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
