import { DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Answer, ToolApprovals } from '../../chat/calls/toolApprovals.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { PanelHost } from '../../panel/panelHost.ts';
import type { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import { createPictureHost } from './pictureHost.ts';
import type { ApprovalHost } from '../approvals/approvalHost.ts';
import { commandId, contextKey, appTreeCommandId, settingsQueries, viewId } from '../ids.ts';
import type { McpServers } from '../tools/mcpServers.ts';
import type { Servers } from '../window/createServers.ts';
import type { Tools } from '../window/createTools.ts';
import type { Storage } from '../window/openStorage.ts';
import { copyText, insertText, openAnswerLink, openLink } from './pageActions.ts';
import type { RelayConnections } from '../../connections/relayConnections.ts';
import { placeOf } from '../../relay/relayModelId.ts';
import type { ReviewHost } from '../review/reviewHost.ts';
import { readChatOptions } from '../settings.ts';
import { confirmModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface PanelHostDependencies
  extends
    Pick<Storage, 'memory' | 'settings' | 'pictures' | 'store' | 'snapshots'>,
    Pick<Servers, 'relays' | 'models' | 'platforms'>,
    Pick<Tools, 'tools' | 'switches' | 'mcpServers' | 'approvals' | 'ruleFor'> {
  chat: ChatController;
  platform: ConnectedPlatform;
  log: Log;
  notifications: Notifications;
  approvalHost(): Promise<ApprovalHost>;
  review(): Promise<ReviewHost>;
}

export function createPanelHost(deps: PanelHostDependencies): PanelHost {
  const { approvals, approvalHost, review, memory, relays, models, tools, switches, settings, mcpServers } =
    deps;
  let servers: McpServers | undefined;
  const originOf = (modelId = '') => placeOf(relays, modelId).origin;
  const explain = explainBy(deps.notifications);
  return {
    connection: () => connectionTo(relays),
    memory,
    defaultParameters: () => readChatOptions(settings),
    refusedParameters: (modelId) => models.facts(modelId).refusedParameters ?? [],
    callsTools: (modelId) => models.toolCallers.has(modelId),
    showModelDetails: (modelId) =>
      void import('../connect/modelDetails.ts').then((loaded) =>
        returning(loaded.showModelDetails(models, modelId)),
      ),
    modelPicked: (modelId) => models.picked(modelId),
    connectRelay: (modelId) => ask(commandId('connectRelay'), originOf(modelId)),
    openRelaySite(modelId) {
      const origin = originOf(modelId);
      if (origin !== undefined) openLink(origin);
    },
    addApp: () => ask(commandId('addApp')),
    changeAppKey: (app) => ask(appTreeCommandId('changeKey'), { type: 'app', app }),
    openPlatform: openLink,
    openSettings: (of) =>
      of ? run('workbench.action.openSettings', settingsQueries[of]) : run(commandId('openSettings')),
    diagnoseConnection: () => run(commandId('diagnoseConnection')),
    showLog: () => run(commandId('showLog')),
    questionOf: (id) => approvals.find(id)?.question,
    showProposal: (id, path) => void approvalHost().then(({ proposals }) => proposals.show(id, path)),
    decideHunks: async (itemId, decision, choice) =>
      void (await (await review()).decide(itemId, decision, choice)),
    showChanges: async (itemId, path) => (await review()).show(itemId, path),
    restore: async (checkpointId) => returning((await review()).restore(checkpointId)),
    leaveVersion: async (itemId) => returning((await review()).leave(itemId)),
    pickModel: async () => returning((await import('../connect/chooseModel.ts')).pickModel(models.catalog)),
    review: async (itemId, path) => (await review()).review(itemId, path),
    setQuestionFocused: (hasFocus) => run('setContext', contextKey('questionFocused'), hasFocus),
    unfoldTool: (id) => approvals.unfold(id),
    answerTool: (id, answer, reason) => void answerTool(approvals, id, answer, reason),
    showTerminal: (id) => explain(tools().then((loaded) => loaded.showTerminal(id))),
    openLocation: (location) => explain(tools().then((loaded) => loaded.open(location))),
    chooseTools: () =>
      void returning(import('../tools/chooseTools.ts').then((loaded) => loaded.chooseTools(deps))),
    watchStarters(listener) {
      const parts = new DisposableStore();
      import('./watchStarters.ts')
        .then(({ watchStarters }) => parts.add(watchStarters(deps, listener)))
        .catch((error: unknown) => deps.log.warn(`Suggestions to begin with: ${messageOf(error)}`));
      return parts;
    },
    useStarter: (starter) => run(commandId(starter)),
    trustWorkspace: () => run('workbench.trust.manage'),
    toolCount() {
      if (hasMcpServers())
        void mcpServers().then((loaded) => {
          servers = loaded;
          loaded.count();
        });
      return {
        ...switches.count(),
        ...(servers && servers.counted > 0 && { mcpToStart: servers.counted }),
        ...(!vscode.workspace.isTrusted && { isRestricted: true as const }),
      };
    },
    openLink: (href) => void returning(openAnswerLink(href)),
    ...createPictureHost(deps.notifications, deps.pictures),
    copyText,
    insertText: (text) => explain(insertText(text)),
    useCode: (use) => explain(import('../code/useCode.ts').then((loaded) => loaded.useCode(deps, use))),
    findPaths: async (paths) => (await tools()).findFiles(paths),
  };
}

/** Servers are counted by a script that is loaded only for those who have some. */
function hasMcpServers(): boolean {
  return [undefined, ...(vscode.workspace.workspaceFolders ?? [])].some((scope) => {
    const servers = vscode.workspace.getConfiguration('mcp', scope).get<object>('servers');
    return Object.keys(servers ?? {}).length > 0;
  });
}

function connectionTo({ all }: Pick<RelayConnections, 'all'>): ReturnType<PanelHost['connection']> {
  const [first] = all;
  if (!first) return { state: 'none' };
  const { baseUrl, fromEnvironment } = first;
  const address = all.length > 1 ? all.map(({ name }) => name).join(', ') : baseUrl;
  return { state: 'connected', address, fromEnvironment: fromEnvironment && all.length === 1 };
}

function run(command: string, ...args: unknown[]): void {
  void vscode.commands.executeCommand(command, ...args);
}

function explainBy(notifications: Notifications) {
  return (action: Promise<string | undefined>): void =>
    void action
      .catch((error: unknown) => messageOf(error))
      .then((reason) => {
        if (reason !== undefined) void notifications.warning(reason);
      });
}

function ask(command: string, ...args: unknown[]): void {
  // Commands show their own errors.
  returning(Promise.resolve(vscode.commands.executeCommand(command, ...args))).catch(() => undefined);
}

/** Focuses the panel's page after a dialog; the editor would focus its frame, which passes on no keys. */
async function returning<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } finally {
    run(`${viewId}.focus`);
  }
}

/** Answers a question. A rule for more than one call is confirmed in a dialog first. */
async function answerTool(
  approvals: ToolApprovals,
  id: string,
  answer: Answer,
  reason: string | undefined,
): Promise<void> {
  const wider = answer === 'wider' ? approvals.find(id)?.question.always?.wider : undefined;
  const isMeant =
    !wider ||
    (await returning(confirmModal(l10n.t('{0}?', wider.label), l10n.t('Always Allow'), wider.detail)));
  if (isMeant) approvals.answer(id, answer, reason);
}
