import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { Address } from '../../base/address.ts';
import { cancelled } from '../../base/errors/errors.ts';
import { readPastedConnection } from '../../connections/connectionLink.ts';
import type { RelayAccess, RelayConnections } from '../../connections/relayConnections.ts';
import type { RelayEditor } from '../../connections/relayEditor.ts';
import { chooseRelay, renameRelay } from './chooseRelay.ts';
import type { DiagnoseDependencies } from './diagnoseConnection.ts';
import { connectServer, type ServerQuestions, type UnencryptedOrigins } from './connectServer.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import { askModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface ConnectRelayDependencies extends DiagnoseDependencies {
  relays: RelayConnections;
  relayEditor(): Promise<RelayEditor>;
  memory: UnencryptedOrigins;
  models: Pick<RelayModels, 'list'>;
  notifications: Notifications;
}

export interface ConnectRelayResult {
  connected: boolean;
  address?: string;
  models?: number;
  isFurther?: true;
}

export async function connectRelay(
  deps: ConnectRelayDependencies,
  wanted?: Address & { key?: string },
): Promise<ConnectRelayResult> {
  const { relays, memory, models } = deps;
  await relays.ready;
  const editor = await deps.relayEditor();
  const choice = wanted ? undefined : await chooseRelay(deps.notifications, editor);
  if (!wanted && !choice) return { connected: false };
  const place = wanted
    ? editor.placeFor(wanted.origin)
    : editor.place(choice === 'another' ? undefined : choice?.changed);
  const isKnown = relays.known.some(({ origin }) => origin === wanted?.origin);
  let saved: string | undefined;
  const isFurther = () => saved !== undefined && saved !== relays.current?.origin;
  const questions: ServerQuestions<RelayAccess> = {
    connections: {
      baseUrl: wanted && !isKnown ? wanted.baseUrl : place.baseUrl,
      accessFor: (typed) => place.accessFor(typed),
      async save(access) {
        const isBeside = choice === 'another' && (await isForAnotherKey(relays, access));
        saved = await (isBeside ? editor.saveBeside(access) : place.save(access));
      },
    },
    unencrypted: memory,
    keyKind: 'relay',
    addressTitle: l10n.t('Connect Relay (1/2): Address'),
    addressPrompt: l10n.t('The base address of your relay, or a connection copied from its console'),
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
      const model = { notAsked: l10n.t("The connection isn't saved yet.") };
      const { diagnoseServers } = await import('./diagnoseConnection.ts');
      return diagnoseServers(deps, [{ kind: 'relay', baseUrl: access.baseUrl, access, model }]);
    },
    readPasted: readPastedConnection,
    tell: (outcome) => void tell(deps.notifications, editor, outcome, isFurther() ? saved : undefined),
  };
  const { key } = wanted ?? {};
  const outcome = await connectServer(
    deps.notifications,
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

async function isForAnotherKey(relays: RelayConnections, { origin, key }: RelayAccess): Promise<boolean> {
  const known = relays.all.find((relay) => relay.origin === origin);
  if (!known || known.key === key) return false;
  const [both, replace] = [l10n.t('Use Both'), l10n.t('Replace Key')];
  const answer = await askModal(
    {
      severity: 'information',
      text: l10n.t('{0} is connected with another key.', known.name),
      detail: l10n.t('If you use both, each key becomes a separate relay with the models it can use.'),
    },
    both,
    replace,
  );
  if (answer === undefined) throw cancelled();
  return answer === both;
}

async function tell(
  notifications: Notifications,
  editor: RelayEditor,
  outcome: string,
  added: string | undefined,
): Promise<void> {
  const rename = l10n.t('Rename…');
  const answer = await notifications.information(outcome, ...(added ? [rename] : []));
  const known = answer === rename && editor.relays.known.find(({ origin }) => origin === added);
  if (known) await renameRelay(editor, known);
}

function outcomeOf(baseUrl: string, models: number): string {
  return models > 0
    ? plural(
        models,
        l10n.t('Connected to {0}: 1 model.', baseUrl),
        l10n.t('Connected to {0}: {1} models.', baseUrl, formatNumber(models)),
      )
    : l10n.t(
        'Connected to {0}. It lists no models: type a model ID in the picker, or add models to the setting "switchboard.relay.models".',
        baseUrl,
      );
}
