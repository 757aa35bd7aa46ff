import * as vscode from 'vscode';
import type { ToolApprovals } from '../chat/calls/toolApprovals.ts';
import type { PanelHost } from '../panel/panelController.ts';
import type { ApprovalHost } from './approvals/approvalHost.ts';
import { appCommandId, appTreeCommandId, commandIds, settingsQueries, viewId } from './ids.ts';
import type { Memory } from '../settings/memory.ts';
import { showWarning } from './notifications.ts';
import { copyText, insertText, openAnswerLink, openLink } from './pageActions.ts';
import type { RelayConnections } from '../connections/relayConnections.ts';
import { placeOf } from '../relay/relayModelId.ts';
import type { RelayModels } from '../chat/relayModels.ts';
import type { ReviewHost } from './review/reviewHost.ts';
import { readChatOptions, type Settings } from './settings.ts';
import type { ToolSwitches } from './toolSwitches.ts';
import type { WorkspaceTools } from './workspaceTools.ts';
import { messageOf } from '../base/messageOf.ts';

export interface PanelHostDependencies {
  approvals: ToolApprovals;
  approvalHost(): Promise<ApprovalHost>;
  review(): Promise<ReviewHost>;
  memory: Memory;
  relays: RelayConnections;
  models: RelayModels;
  tools(): Promise<WorkspaceTools>;
  switches: ToolSwitches;
  settings: Settings;
}

/** What the panel needs, met by the editor. */
export function createPanelHost({
  approvals,
  approvalHost,
  review,
  memory,
  relays,
  models,
  tools,
  switches,
  settings,
}: PanelHostDependencies): PanelHost {
  const originOf = (modelId = '') => placeOf(relays, modelId).origin;
  const run = (command: string, ...args: unknown[]) => void vscode.commands.executeCommand(command, ...args);
  /** Tells the reason that an action ended with, or its error. */
  const explain = (action: Promise<string | undefined>): void =>
    void action
      .catch((error: unknown) => messageOf(error))
      .then((reason) => {
        if (reason !== undefined) void showWarning(reason);
      });
  /**
   * A question of the editor gives the focus back to the panel's frame, and not to the page in it, or to an editor: no key
   * would reach the page.
   */
  const returning = async <T>(asking: Promise<T>): Promise<T> => {
    try {
      return await asking;
    } finally {
      run(`${viewId}.focus`);
    }
  };
  return {
    connection() {
      const [first] = relays.all;
      if (!first) return { state: 'none' };
      const { baseUrl, fromEnvironment } = first;
      const address = relays.all.length > 1 ? relays.all.map(({ name }) => name).join(', ') : baseUrl;
      return { state: 'connected', address, fromEnvironment: fromEnvironment && relays.all.length === 1 };
    },
    get draft() {
      return memory.draft;
    },
    set draft(text) {
      memory.draft = text;
    },
    get savedTarget() {
      return memory.branchTarget;
    },
    set savedTarget(target) {
      memory.branchTarget = target;
    },
    get favourites() {
      return memory.favourites;
    },
    set favourites(ids) {
      memory.favourites = ids;
    },
    defaultParameters: () => readChatOptions(settings),
    refusedParameters: (modelId) => models.refusedParameters(modelId),
    get recent() {
      return memory.recentModels;
    },
    callsTools: (modelId) => models.toolCallers.has(modelId),
    modelPicked: (modelId) => models.picked(modelId),
    connectRelay: (modelId) => run(commandIds.connectRelay, originOf(modelId)),
    openRelaySite(modelId) {
      const origin = originOf(modelId);
      if (origin !== undefined) openLink(origin);
    },
    addApp: () => run(appCommandId('addApp')),
    changeAppKey: (app) => run(appTreeCommandId('changeKey'), { type: 'app', app }),
    openPlatform: openLink,
    openSettings: (of) =>
      of ? run('workbench.action.openSettings', settingsQueries[of]) : run(commandIds.openSettings),
    diagnoseConnection: () => run(commandIds.diagnoseConnection),
    showLog: () => run(commandIds.showLog),
    questionOf: (id) => approvals.find(id)?.question,
    showProposal: (id, path) => void approvalHost().then(({ proposals }) => proposals.show(id, path)),
    decideHunks: async (itemId, decision, choice) =>
      void (await (await review()).decide(itemId, decision, choice)),
    showChanges: async (itemId, path) => (await review()).show(itemId, path),
    restore: async (checkpointId) => returning((await review()).restore(checkpointId)),
    leaveVersion: async (itemId) => returning((await review()).leave(itemId)),
    pickModel: async () => returning((await import('./pickModel.ts')).pickModel(models.catalog)),
    review: async (itemId, path) => (await review()).review(itemId, path),
    answerTool: (id, answer, reason) => void approvals.answer(id, answer, reason),
    openLocation: (location) => explain(tools().then((loaded) => loaded.open(location))),
    chooseTools: () => void import('./chooseTools.ts').then((loaded) => loaded.chooseTools(switches)),
    toolCount: () => switches.count(),
    openLink: (href) => void returning(openAnswerLink(href)),
    copyText,
    insertText: (text) => explain(insertText(text)),
  };
}
