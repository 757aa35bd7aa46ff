import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { ApprovalHost } from '../approvals/approvalHost.ts';
import type { ChatView } from './chatView.ts';
import type { ConnectRelayDependencies, ConnectRelayResult } from '../connect/connectRelay.ts';
import type { DiagnoseConnectionDependencies } from '../connect/diagnoseConnection.ts';
import type { HistoryDependencies } from '../history/historySources.ts';
import { type ChatCommand, type CodeCommand, extensionId, type InlineEditCommand } from '../ids.ts';
import type { KnowledgeServerPart } from '../knowledgeServer/createKnowledgeServer.ts';
import type { Servers } from '../window/createServers.ts';
import type { Tools } from '../window/createTools.ts';
import type { Storage } from '../window/openStorage.ts';

export type ChatCommandDependencies = ConnectRelayDependencies &
  DiagnoseConnectionDependencies &
  HistoryDependencies &
  Pick<Storage, 'memory' | 'folders' | 'snapshots' | 'keys' | 'settings'> &
  Pick<Servers, 'models' | 'clients'> &
  Pick<Tools, 'tools' | 'modes' | 'switches' | 'mcpServers'> &
  Omit<KnowledgeServerPart, 'dispose'> & {
    chat: ChatController;
    approvalHost(): Promise<ApprovalHost>;
    reopen(): Promise<void>;
    view: ChatView;
    log: vscode.LogOutputChannel;
  };

export type ChatCommands = ReturnType<typeof createChatCommands>;

export function createChatCommands(deps: ChatCommandDependencies) {
  const { view } = deps;
  const openHistory = lazy(async () => (await import('../history/historySources.ts')).historyOpener(deps));
  const commands: Record<Exclude<ChatCommand, InlineEditCommand>, Command> &
    Partial<Record<InlineEditCommand, never>> = {
    ...connectionCommands(deps),
    ...editingCommands(deps),
    ...conversationCommands(deps),
    startMcpServers: async () => {
      const { startMcpServers } = await import('../tools/startMcpServers.ts');
      return startMcpServers(deps);
    },
    showHistory: async () => (await openHistory())(),
    openSettings: async () => {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`);
      return true;
    },
    showApproval: async () => (await deps.approvalHost()).showNext(),
    allowCall: async () => (await deps.approvalHost()).answerByKey('allow'),
    denyCall: async () => (await deps.approvalHost()).answerByKey('deny'),
    acceptProposal: async (uri) => (await deps.approvalHost()).answerProposal('allow', uri),
    rejectProposal: async (uri) => (await deps.approvalHost()).answerProposal('deny', uri),
    showLog: () => {
      deps.log.show();
      return true;
    },
  };
  return {
    /** The commands of none here are the buttons of a request at the code. */
    run: async (command: ChatCommand, args: readonly unknown[]): Promise<unknown> => {
      const known: Command | undefined = commands[command];
      if (known) return known(...args);
      const { pressInlineEdit } = await import('../code/requestAtCode.ts');
      return pressInlineEdit(command as InlineEditCommand, args[0]);
    },
    async runOnCode(command: CodeCommand, [uri, range, problem]: readonly unknown[]) {
      const { askAboutCode, attachCode } = await import('../code/askAboutCode.ts');
      await deps.reopen();
      if (command === 'askAboutSelection') return attachCode(view);
      const isPlace = uri instanceof vscode.Uri && range instanceof vscode.Range;
      return askAboutCode(deps, command, isPlace ? { uri, range, problem } : undefined);
    },
    async openLink(uri: vscode.Uri) {
      const { openConnectionLink } = await import('../connect/openConnectionLink.ts');
      await leadOn(deps, await openConnectionLink(deps, uri));
    },
  };
}

type Command = (...args: unknown[]) => unknown;

function connectionCommands(deps: ChatCommandDependencies) {
  return {
    connectRelay: async (origin) => {
      const { connectRelay } = await import('../connect/connectRelay.ts');
      return leadOn(
        deps,
        await connectRelay(deps, typeof origin === 'string' ? { origin, baseUrl: origin } : undefined),
      );
    },
    removeKeys: async () => {
      const { removeKeys } = await import('../connect/removeKeys.ts');
      await deps.apps.ready;
      return removeKeys(deps);
    },
    setHeaderSecret: async () => {
      const { setHeaderSecret } = await import('../connect/setHeaderSecret.ts');
      return setHeaderSecret(deps.notifications, deps.keys, deps.relays);
    },
    showBalance: async () => {
      const { showBalance } = await import('../connect/showBalance.ts');
      return showBalance(deps);
    },
    diagnoseConnection: async () => {
      const { diagnoseConnection } = await import('../connect/diagnoseConnection.ts');
      return diagnoseConnection(deps);
    },
    checkModel: async (modelId) => {
      const { checkModel } = await import('../connect/checkModel.ts');
      return checkModel(deps, typeof modelId === 'string' && modelId ? modelId : undefined);
    },
    configureClient: async () => {
      const { configureClient } = await import('../clients/configureClient.ts');
      return configureClient(deps);
    },
    manageKnowledgeAccess: () => deps.manageKnowledgeAccess(),
  } satisfies Partial<Record<ChatCommand, Command>>;
}

function conversationCommands(deps: ChatCommandDependencies) {
  const { chat, models, view } = deps;
  return {
    newChat: async () => {
      const chatId = await chat.startNewChat();
      await view.show();
      return chatId;
    },
    openChat: () => view.show(),
    addToChat: async (...args) => {
      const { chooseSources } = await import('./addToChat.ts');
      const sources = await chooseSources(args);
      if (sources.length === 0) return 0;
      await view.addAttachments(sources);
      await view.show();
      return sources.length;
    },
    selectModel: async (modelId) => {
      await deps.reopen();
      if (typeof modelId === 'string' && modelId) {
        models.picked(modelId);
        chat.shown.choices.selectModel(modelId);
      } else {
        await view.openModelPicker();
      }
      return chat.shown.choices.model;
    },
    selectMode: async (modeId) => {
      await deps.reopen();
      if (typeof modeId === 'string' && modeId) {
        const { selectMode } = await import('../../chat/modes/selectMode.ts');
        await deps.modes.load(modeId);
        selectMode(chat, deps.modes, models.catalog, modeId);
      } else {
        await view.openModes();
      }
      return chat.shown.choices.modeId;
    },
  } satisfies Partial<Record<ChatCommand, Command>>;
}

function editingCommands(deps: ChatCommandDependencies) {
  const output = async () => {
    await deps.reopen();
    return import('../code/askAboutOutput.ts');
  };
  return {
    savePrompt: async () => {
      const { savePrompt } = await import('./savePrompt.ts');
      await deps.reopen();
      return savePrompt(deps);
    },
    inlineEdit: async (instruction) => {
      const { inlineEdit } = await import('../code/inlineEdit.ts');
      await deps.reopen();
      return inlineEdit(deps, typeof instruction === 'string' ? instruction : undefined);
    },
    generateCommitMessage: async (clicked) => {
      const { generateCommitMessage } = await import('../code/generateCommitMessage.ts');
      await deps.reopen();
      return generateCommitMessage(deps, clicked);
    },
    explainTerminalSelection: async () => (await output()).explainTerminalSelection(deps),
    explainTest: async (failure) => (await output()).askAboutTest(deps, 'explain', failure),
    fixTest: async (failure) => (await output()).askAboutTest(deps, 'fix', failure),
  } satisfies Partial<Record<ChatCommand, Command>>;
}

async function leadOn(
  { view, models: { catalog }, chat }: ChatCommandDependencies,
  result: ConnectRelayResult,
): Promise<ConnectRelayResult> {
  if (!result.connected) return result;
  await view.show();
  await catalog.ensure();
  // The model decides the cost, so the user selects it before the first message.
  if (!chat.shown.choices.model || catalog.isUnlisted(chat.shown.choices.model) || result.isFurther)
    await view.openModelPicker();
  return result;
}
