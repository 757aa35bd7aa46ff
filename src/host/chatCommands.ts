import * as vscode from 'vscode';
import type { ProjectModes } from '../chat/modes/projectModes.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ApprovalHost } from './approvals/approvalHost.ts';
import type { ChatView } from './chatView.ts';
import type { ConnectRelayDependencies, ConnectRelayResult } from './connectRelay.ts';
import type { DiagnoseConnectionDependencies } from './diagnoseConnection.ts';
import type { HistoryDependencies } from './history/openHistory.ts';
import { type ChatCommand, type CodeCommand, extensionId } from './ids.ts';
import type { Clients } from '../connections/clients.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { RelayModels } from '../chat/relayModels.ts';
import type { Storage } from './openStorage.ts';
import type { Settings } from './settings.ts';
import type { WorkspaceTools } from './workspaceTools.ts';
import type { Memory } from '../settings/memory.ts';

export interface ChatCommandDependencies
  extends
    ConnectRelayDependencies,
    DiagnoseConnectionDependencies,
    Omit<HistoryDependencies, 'folder' | 'conversationLinks'> {
  chat: ChatController;
  models: RelayModels;
  memory: Memory;
  folders: Storage['folders'];
  snapshots: Storage['snapshots'];
  clients: Clients;
  approvalHost(): Promise<ApprovalHost>;
  reopen(): Promise<void>;
  keys: KeyStore;
  settings: Settings;
  tools(): Promise<WorkspaceTools>;
  view: ChatView;
  modes: ProjectModes;
  log: vscode.LogOutputChannel;
}

/** What the commands of the chat and its connection do. Each returns a value a test can check. */
export interface ChatCommands {
  run(command: ChatCommand, args: readonly unknown[]): unknown;
  /** On what is at a place, or selected in the editor in front. */
  runOnCode(command: CodeCommand, uri: unknown, range: unknown): Promise<unknown>;
  /** A link that connects a relay was opened. */
  openLink(uri: vscode.Uri): Promise<void>;
}

/** What only asks the user something is loaded with the first use. */
export function createChatCommands(deps: ChatCommandDependencies): ChatCommands {
  const { chat, models, view } = deps;
  const { catalog } = models;
  const leadOn = async (result: ConnectRelayResult) => {
    if (!result.connected) return result;
    await view.show();
    await catalog.ensure();
    // Which model answers, and so what it costs, is the user's choice from the first message on.
    if (!chat.model || catalog.isUnlisted(chat.model) || result.isFurther) await view.openModelPicker();
    return result;
  };
  const commands: Record<ChatCommand, (...args: unknown[]) => unknown> = {
    /** With an origin that relay is meant, whether it is known or not. */
    connectRelay: async (origin) => {
      const { connectRelay } = await import('./connectRelay.ts');
      return leadOn(
        await connectRelay(deps, typeof origin === 'string' ? { origin, baseUrl: origin } : undefined),
      );
    },
    removeKeys: async () => {
      const { removeKeys } = await import('./removeKeys.ts');
      await deps.apps.ready;
      return removeKeys(deps.keys, (appId) => deps.apps.find(appId)?.name, deps.relays);
    },
    setHeaderSecret: async () => {
      const { setHeaderSecret } = await import('./setHeaderSecret.ts');
      return setHeaderSecret(deps.keys, deps.relays);
    },
    showBalance: async () => {
      const { showBalance } = await import('./showBalance.ts');
      return showBalance(deps);
    },
    diagnoseConnection: async () => {
      const { diagnoseConnection } = await import('./diagnoseConnection.ts');
      return diagnoseConnection(deps);
    },
    configureClient: async () => {
      const { configureClient } = await import('./clients/configureClient.ts');
      return configureClient(deps);
    },
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
    /** With the id of a model it is selected, else the user chooses in the panel. */
    selectModel: async (modelId) => {
      await deps.reopen();
      if (typeof modelId === 'string' && modelId) {
        models.picked(modelId);
        chat.selectModel(modelId);
      } else {
        await view.openModelPicker();
      }
      return chat.model;
    },
    /** With the id of a mode it is selected, else the user chooses in the panel. */
    selectMode: async (modeId) => {
      await deps.reopen();
      if (typeof modeId === 'string' && modeId) {
        const { selectMode } = await import('../chat/modes/selectMode.ts');
        await deps.modes.load(modeId);
        selectMode(chat, deps.modes, catalog, modeId);
      } else {
        await view.openModes();
      }
      return chat.modeId;
    },
    savePrompt: async () => {
      const { savePrompt } = await import('./savePrompt.ts');
      await deps.reopen();
      return savePrompt(deps);
    },
    /** With words, of a key of the user, they are what is to be done. */
    inlineEdit: async (instruction) => {
      const { inlineEdit } = await import('./inlineEdit.ts');
      await deps.reopen();
      return inlineEdit(deps, typeof instruction === 'string' ? instruction : undefined);
    },
    generateCommitMessage: async (clicked) => {
      const { generateCommitMessage } = await import('./generateCommitMessage.ts');
      await deps.reopen();
      return generateCommitMessage(deps, clicked);
    },
    showHistory: async () => {
      const { openHistory } = await import('./history/openHistory.ts');
      const { conversationLinks } = deps.memory;
      return openHistory({ ...deps, folder: deps.folders.chats, conversationLinks });
    },
    openSettings: async () => {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`);
      return true;
    },
    showApproval: async () => (await deps.approvalHost()).showFirst(),
    acceptProposal: async (uri) => (await deps.approvalHost()).answerProposal('allow', uri),
    rejectProposal: async (uri) => (await deps.approvalHost()).answerProposal('deny', uri),
    showLog: () => {
      deps.log.show();
      return true;
    },
  };
  return {
    run: (command, args) => commands[command](...args),
    async runOnCode(command, uri, range) {
      const { askAboutCode, attachCode } = await import('./askAboutCode.ts');
      await deps.reopen();
      if (command === 'askAboutSelection') return attachCode(view);
      const isPlace = uri instanceof vscode.Uri && range instanceof vscode.Range;
      return askAboutCode(view, command, isPlace ? { uri, range } : undefined);
    },
    async openLink(uri) {
      const { openConnectionLink } = await import('./openConnectionLink.ts');
      await leadOn(await openConnectionLink(deps, uri));
    },
  };
}
