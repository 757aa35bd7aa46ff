import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appModelId } from './apps/appModelId.ts';
import type { AppRecord } from './apps/appRegistry.ts';
import { setFormatLocale } from './base/format.ts';
import { lazy } from './base/lazy.ts';
import { logInternalErrorsTo } from './base/toSwitchboardError.ts';
import type { PlatformConversation } from './chat/apps/platformConversation.ts';
import { ToolApprovals } from './chat/calls/toolApprovals.ts';
import { ProjectModes } from './chat/modes/projectModes.ts';
import { FileChatStore, snapshotFolder } from './chat/fileChatStore.ts';
import { createClients } from './connections/clients.ts';
import { KeyStore } from './connections/keyStore.ts';
import { PlatformConnections } from './connections/platformConnections.ts';
import { type RelayAccess, RelayConnections } from './connections/relayConnections.ts';
import { closeStaleDiffs } from './host/approvals/staleDiffs.ts';
import { createApps } from './host/apps/createApps.ts';
import { registerApps } from './host/apps/registerApps.ts';
import { registerChatCommands } from './host/chatCommands.ts';
import { ChatView } from './host/chatView.ts';
import { createSights } from './host/sights.ts';
import { UnseenTurns } from './chat/unseenTurns.ts';
import { followContextKeys } from './host/contextKeys.ts';
import { createChat } from './host/createChat.ts';
import { viewId } from './host/ids.ts';
import { keysRead } from './panel/keysRead.ts';
import { ConnectedPlatform } from './knowledge/connectedPlatform.ts';
import { registerKnowledge } from './host/knowledge/registerKnowledge.ts';
import { loadWorkspaceTools } from './host/loadWorkspaceTools.ts';
import { Memory } from './settings/memory.ts';
import { readNetworkSettings } from './host/network.ts';
import { setNoticePlace, showError } from './host/notifications.ts';
import { rememberOpenConversation, reopenConversation } from './panel/openConversation.ts';
import type { ProtocolChoice } from './relay/protocol.ts';
import { settingSchemas } from './settings/readSetting.ts';
import { registerReview } from './host/review/registerReview.ts';
import { RelayModels } from './chat/relayModels.ts';
import { readKnowledgeOptions, readTimeouts, Settings } from './host/settings.ts';
import { ToolSwitches } from './host/toolSwitches.ts';

import { PanelNotices } from './panel/panelNotices.ts';

let flush: (() => Promise<void>) | undefined;

/** Everything that a window has, from the servers up to the panel. What is big is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  setFormatLocale(vscode.env.language);
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const log = own(vscode.window.createOutputChannel('Switchboard', { log: true }));
  logInternalErrorsTo(log);
  const stateFolder = context.storageUri ?? context.globalStorageUri;
  const chatFolder = vscode.Uri.joinPath(stateFolder, 'chats').fsPath;
  const manifestFolder = vscode.Uri.joinPath(stateFolder, 'knowledge').fsPath;

  // What is stored: settings, keys, conversations, and what the panel was told.
  const settings = new Settings(settingSchemas(context.extension.packageJSON), log);
  const memory = new Memory(context.globalState, context.workspaceState);
  const keys = new KeyStore(context.secrets);
  const notices = new PanelNotices();
  const store = new FileChatStore(
    chatFolder,
    (error) => void showError(l10n.t('The conversation could not be saved: {0}', String(error))),
    log,
  );
  flush = () => store.flush();
  const snapshots = async (chatId: string) => {
    const { FileSnapshots } = await import('./chat/fileSnapshots.ts');
    return new FileSnapshots(snapshotFolder(chatFolder, chatId));
  };

  // The servers.
  const relays = own(new RelayConnections(settings, keys, process.env));
  const platforms = own(new PlatformConnections(settings, keys, process.env));
  const network = () => readNetworkSettings(settings);
  const timeouts = () => readTimeouts(settings);
  const protocols = ({ origin }: RelayAccess): ProtocolChoice => models.protocolsOf(origin);
  const clients = own(createClients({ log, dialects: memory.dialects, protocols, network, timeouts }));
  const models = own(new RelayModels({ relays, clients, settings, memory }));

  // The workspace, and what models may do in it.
  const approvals = new ToolApprovals((name) => settings.get('tools.approval')[name]);
  const switches = new ToolSwitches(
    memory,
    (name) => settings.get('tools.approval')[name] === 'deny',
    () => chat.conversation.bases.length > 0,
  );
  const { extensionUri } = context;
  const outputFolder = vscode.Uri.joinPath(stateFolder, 'commands').fsPath;
  const tools = lazy(async () =>
    own(await loadWorkspaceTools({ extensionUri, settings, switches, keys, outputFolder })),
  );

  const modes = new ProjectModes(
    () => settings.get('chat.mode'),
    async () => {
      const { readAgents } = await import('./chat/project/agentFiles.ts');
      return readAgents((await tools()).needs, switches.known());
    },
  );

  // Apps, knowledge bases and conversations.
  const apps = own(createApps({ clients, keys, memory, settings, tools, log }));
  const options = () => readKnowledgeOptions(settings);
  const platform = own(new ConnectedPlatform({ platforms, clients, tools, options, manifestFolder, log }));
  const knowledge = own(
    registerKnowledge({ platform, platforms, clients, tools, memory, settings, log }, manifestFolder),
  );
  const chat = own(
    createChat({
      snapshots,
      store,
      relays,
      clients,
      models,
      platform,
      apps,
      approvals,
      modes,
      tools,
      settings,
      memory,
    }),
  );
  own(rememberOpenConversation(chat, memory));

  // The panel and what else shows conversations.
  const ready = Promise.all([
    keysRead([relays.ready, platforms.ready, apps.ready], notices),
    reopenConversation(chat, memory, notices),
  ]);
  const parts = {
    chat,
    models,
    notices,
    apps,
    approvals,
    modes,
    settings,
    tools,
    memory,
    relays,
    platforms,
    log,
    switches,
  };
  const review = lazy(async () => {
    const { createReviewHost } = await import('./host/review/reviewHost.ts');
    return own(createReviewHost({ chat, tools, snapshots }));
  });
  own(registerReview(chat, review));
  const panel = lazy(async () => {
    const { createPanel } = await import('./host/createPanel.ts');
    return own(createPanel({ ...parts, review, platform, approvalHost, openSource: knowledge.openSource }));
  });
  const view = new ChatView(panel, vscode.Uri.joinPath(context.extensionUri, 'dist', 'page'), ready);
  setNoticePlace({
    isVisible: () => view.isVisible,
    show: (notice) => notices.show(notice),
    showProgress: (...progress) => notices.showProgress(...progress),
  });
  const sights = own(createSights(chat, view));
  const unseen = own(new UnseenTurns(chat, sights, memory));
  const backgroundTurns = lazy(async () => {
    const { showBackgroundTurns } = await import('./host/backgroundTurns.ts');
    return own(showBackgroundTurns({ approvals, chat, sights, unseen, view }));
  });
  own(chat.onDidChangeSessions(() => void backgroundTurns()));
  if (Object.keys(unseen.all).length > 0) void backgroundTurns();
  const approvalHost = lazy(async () => {
    const { createApprovalHost } = await import('./host/approvals/approvalHost.ts');
    return own(createApprovalHost({ approvals, chat, view, sights }));
  });
  own(approvals.onDidChange(() => void approvalHost()));
  own(chat.onDidChangeSessions(() => approvals.keepOnly(chat.sessions.map((each) => each.conversation.id))));
  closeStaleDiffs();
  own(vscode.window.registerWebviewViewProvider(viewId, view));

  own(followContextKeys({ relays, catalog: models.catalog, chat }));

  // The commands and the trees.
  const openInChat = async (app: AppRecord) => {
    if (chat.conversation.all.length > 0) await chat.startNewChat();
    chat.selectModel(appModelId(app.id));
    return view.show();
  };
  const openConversation = async (app: AppRecord, conversation: PlatformConversation) => {
    await chat.openAppConversation(app.id, conversation);
    return view.show();
  };
  own(registerApps({ apps, platforms, tools, memory, settings, log, openInChat, openConversation }));
  const { conversationLinks } = memory;
  const history = {
    ...{ folder: chatFolder, store, chat, view, models, apps, conversationLinks, openConversation, log },
    unseen,
  };
  const { id: extensionId } = context.extension;
  own(
    registerChatCommands({
      ...{
        chat,
        models,
        keys,
        settings,
        history,
        log,
        extensionId,
        approvalHost,
        relays,
        memory,
        view,
        modes,
      },
    }),
  );
  // Read by the benchmark, and shown by the editor's own performance view.
  performance.measure('switchboard.activate', { start: began });
}

/** What was not written yet is written before the window goes. */
export async function deactivate(): Promise<void> {
  await flush?.();
}
