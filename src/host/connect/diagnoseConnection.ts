import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appIdOf } from '../../apps/appModelId.ts';
import { isCancelled } from '../../base/errors/errors.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import type { Clients } from '../../connections/clients.ts';
import type { PlatformAccess, PlatformConnections } from '../../connections/serverConnections.ts';
import type { KnownRelay, RelayAccess, RelayConnections } from '../../connections/relayConnections.ts';
import { diagnose, type DiagnosedServer } from '../../diagnose/diagnose.ts';
import { mostTokensAsked, type TestedModel } from '../../diagnose/relaySteps.ts';
import { type Diagnosis, renderReport, stepLabel, worstOf } from '../../diagnose/report.ts';
import type { StepName, StepResult } from '../../diagnose/step.ts';
import { chatFirst, isForChat } from '../../relay/messages.ts';
import { placeOf } from '../../relay/relayModelId.ts';
import { commandId, settingsQueries } from '../ids.ts';
import { offerToConnect } from './chooseRelay.ts';
import { copyText } from '../panel/pageActions.ts';
import { aboutReport, showReport } from '../ui/readOnlyTexts.ts';
import { readTimeouts, type Settings } from '../settings.ts';
import { withProgress } from '../ui/withProgress.ts';
import { secretsOf } from '../../relay/headers.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface DiagnoseDependencies {
  clients: Clients;
  settings: Settings;
  notifications: Notifications;
}

export interface DiagnoseConnectionDependencies extends DiagnoseDependencies {
  relays: RelayConnections;
  platforms: PlatformConnections;
  models: RelayModels;
  chat: ChatController;
}

export type ServerToDiagnose =
  | { kind: 'relay'; baseUrl: string; access: RelayAccess | undefined; model: TestedModel }
  | { kind: 'platform'; baseUrl: string; access: PlatformAccess | undefined };

export async function diagnoseConnection(deps: DiagnoseConnectionDependencies): Promise<string | undefined> {
  const { relays, platforms } = deps;
  await Promise.all([relays.ready, platforms.ready]);
  const { known } = relays;
  const platform: ServerToDiagnose[] = platforms.baseUrl
    ? [{ kind: 'platform', baseUrl: platforms.baseUrl, access: platforms.current }]
    : [];
  if (known.length + platform.length === 0) {
    await offerToConnect(deps.notifications, l10n.t('No relay or platform is connected.'));
    return undefined;
  }
  const [relay] = known;
  if (!relay) return diagnoseServers(deps, platform);
  if (known.length === 1) {
    const server = await withModel(deps, relay);
    return server && diagnoseServers(deps, [server, ...platform]);
  }
  const picked = await vscode.window.showQuickPick(
    [
      ...known.map((each) => ({ label: each.name, description: each.baseUrl, relay: each })),
      ...platform.map(({ baseUrl }) => ({
        label: l10n.t('Platform'),
        description: baseUrl,
        relay: undefined,
      })),
    ],
    {
      title: l10n.t('Diagnose Connection'),
      placeHolder: l10n.t('Select the connection'),
      ignoreFocusOut: true,
    },
  );
  if (!picked) return undefined;
  if (!picked.relay) return diagnoseServers(deps, platform);
  const server = await withModel(deps, picked.relay);
  return server && diagnoseServers(deps, [server]);
}

async function withModel(
  deps: DiagnoseConnectionDependencies,
  { baseUrl, origin }: KnownRelay,
): Promise<ServerToDiagnose | undefined> {
  const access = deps.relays.all.find((each) => each.origin === origin);
  const model = access ? await chooseModel(deps, origin) : { notAsked: '' };
  return model && { kind: 'relay', baseUrl, access, model };
}

export async function diagnoseServers(
  deps: DiagnoseDependencies,
  servers: readonly ServerToDiagnose[],
): Promise<string | undefined> {
  let found: Diagnosis[];
  try {
    found = await withProgress(deps.notifications, l10n.t('Diagnosing connection'), (signal, report) =>
      runAll(deps, servers, signal, (name) => report({ message: stepLabel(name) })),
    );
  } catch (error) {
    if (isCancelled(error)) return undefined;
    throw error;
  }
  const report = renderReport(
    found,
    aboutReport(l10n.t('Switchboard connection report, {0}', new Date().toISOString())),
  );
  await showReport(l10n.t('Connection Report'), report);
  void tell(deps.notifications, found, report);
  return report;
}

async function runAll(
  { clients, settings }: DiagnoseDependencies,
  servers: readonly ServerToDiagnose[],
  signal: AbortSignal,
  onStep: (name: StepName) => void,
): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  for (const server of servers) {
    const { access } = server;
    const network = { http: await clients.http(), timeouts: readTimeouts(settings) };
    const secrets = access ? secretsOf(access) : [];
    found.push(await diagnose(await withClient(clients, server), { network, secrets, signal, onStep }));
  }
  return found;
}

async function withClient(clients: Clients, server: ServerToDiagnose): Promise<DiagnosedServer> {
  return server.kind === 'relay'
    ? { ...server, client: server.access && (await clients.relay(server.access)) }
    : { ...server, client: server.access && (await clients.platform(server.access)) };
}

async function chooseModel(
  { chat, models, relays }: DiagnoseConnectionDependencies,
  origin: string,
): Promise<TestedModel | undefined> {
  const listed = chatFirst(models.catalog.ofRelay(origin)?.state.models ?? []);
  const forChat = listed.filter(isForChat);
  const isApp = chat.shown.choices.model === undefined || appIdOf(chat.shown.choices.model) !== undefined;
  const place = isApp ? undefined : placeOf(relays, chat.shown.choices.model);
  const current = place?.origin === origin ? place.id : undefined;
  const cost = l10n.t(
    'Sends 2 small requests of at most {0} each, which may be charged',
    formatTokens(mostTokensAsked),
  );
  const none = { label: l10n.t('Send no requests to a model'), detail: l10n.t('Everything else is tested') };
  const suggested = current ?? (forChat.length === 1 ? forChat[0]?.id : undefined);
  const others = listed.map(({ id }) => id).filter((id) => id !== suggested);
  const items: (vscode.QuickPickItem & { id?: string })[] = [
    ...(suggested === undefined ? [] : [{ label: suggested, detail: cost, id: suggested }]),
    none,
    ...(others.length > 0
      ? [
          { label: cost, kind: vscode.QuickPickItemKind.Separator },
          ...others.map((id) => ({ label: id, id })),
        ]
      : []),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Diagnose Connection'),
    placeHolder: l10n.t('Select the model to test with'),
    ignoreFocusOut: true,
  });
  if (!picked) return undefined;
  return picked.id === undefined ? { notAsked: l10n.t('No model was selected.') } : { id: picked.id };
}

async function tell(
  notifications: Notifications,
  found: readonly Diagnosis[],
  report: string,
): Promise<void> {
  const copy = l10n.t('Copy Report');
  const worst = worstOf(found);
  const action = worst && actionFor(worst, found.find(({ results }) => results.includes(worst))?.kind);
  const answer = worst
    ? await notifications.warning(
        [worst.text, worst.advice].filter(Boolean).join(' '),
        ...(action ? [action.label] : []),
        copy,
      )
    : await notifications.information(l10n.t('No problems found.'), copy);
  if (answer === copy) copyText(report);
  else if (action && answer === action.label)
    await vscode.commands.executeCommand(action.command, ...action.args);
}

function actionFor(
  { name, verdict, code }: StepResult,
  kind: Diagnosis['kind'] | undefined,
): { label: string; command: string; args: string[] } | undefined {
  // The proxy, if any, is resolved and connected to first.
  if (code === 'proxy') return settingAction(settingsQueries.proxy);
  switch (name) {
    case 'address':
    case 'name':
    case 'tcp':
    case 'key':
      return kind === 'platform'
        ? { label: l10n.t('Connect Platform…'), command: commandId('connectPlatform'), args: [] }
        : { label: l10n.t('Connect Relay…'), command: commandId('connectRelay'), args: [] };
    case 'proxy':
      return settingAction(settingsQueries.proxy);
    case 'tls':
      return settingAction(verdict === 'warning' ? 'http.proxyStrictSSL' : settingsQueries.network);
    case 'models':
    case 'token':
    case 'toolCall':
      return { label: l10n.t('Choose Another Model'), command: commandId('selectModel'), args: [] };
    case 'embeddings':
    case 'queue':
      return undefined;
  }
}

function settingAction(query: string) {
  return { label: l10n.t('Open Settings'), command: 'workbench.action.openSettings', args: [query] };
}
