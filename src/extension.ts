import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppRecord } from './apps/appRegistry.ts';
import { SwitchboardError } from './base/errors.ts';
import { setFormatLocale } from './base/format.ts';
import { lazy } from './base/lazy.ts';
import { memoizeLast } from './base/memoizeLast.ts';
import { logInternalErrorsTo } from './base/toSwitchboardError.ts';
import { appIdOf, appModelId } from './chat/apps/chatApp.ts';
import type { PlatformConversation } from './chat/apps/platformConversation.ts';
import { imagesOnlyFor } from './chat/attachments/attachmentText.ts';
import { ChatController, type ChatChange } from './chat/chatController.ts';
import { FileChatStore } from './chat/fileChatStore.ts';
import { ModelCatalog } from './chat/modelCatalog.ts';
import { defaultModel, listedOnly } from './chat/modelChoice.ts';
import { ToolApprovals } from './chat/calls/toolApprovals.ts';
import { createChatApps } from './host/apps/chatApps.ts';
import { AppService } from './apps/appService.ts';
import { registerApps } from './host/apps/registerApps.ts';
import { closeStaleDiffs } from './host/approvals/staleDiffs.ts';
import { registerChatCommands } from './host/chatCommands.ts';
import { ChatView } from './host/chatView.ts';
import { contextKeys, viewId } from './host/ids.ts';
import { KeyStore } from './connections/keyStore.ts';
import { ConnectedPlatform } from './host/knowledge/connectedPlatform.ts';
import { type PlatformAccess, PlatformConnections } from './connections/platformConnections.ts';
import { registerKnowledge } from './host/knowledge/registerKnowledge.ts';
import { Memory } from './host/memory.ts';
import { readEditorProxy } from './host/network.ts';
import { RelayConnections, type RelayAccess } from './connections/relayConnections.ts';
import { setNoticePlace, showError } from './host/notifications.ts';
import { createSearchSegments } from './host/searchSegments.ts';
import { readChatOptions, readTimeouts, Settings } from './host/settings.ts';
import { ToolSwitches } from './host/toolSwitches.ts';
import { PanelNotices } from './panel/panelNotices.ts';
import { mergeModels } from './relay/models.ts';

let flush: (() => Promise<void>) | undefined;

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
  const settings = new Settings(log);
  const notices = new PanelNotices();
  const memory = new Memory(context.globalState, context.workspaceState);
  const keys = new KeyStore(context.secrets);
  const relays = own(new RelayConnections(settings, keys, process.env));
  const platforms = own(new PlatformConnections(settings, keys, process.env));
  // Loaded with the first request.
  const network = lazy(async () => {
    const { createHttpClient } = await import('./net/httpClient.ts');
    const proxy = () => ({ ...readEditorProxy(), caFile: settings.get('network.caFile') });
    return own(createHttpClient({ log, settings: proxy }));
  });
  const callContext = async <C>(connection: C) => ({
    http: await network(),
    log,
    connection,
    dialects: memory.dialects,
    get timeouts() {
      return readTimeouts(settings);
    },
  });
  // A client keeps what it learns about its server's models.
  const clientFor = memoizeLast(async (connection: RelayAccess) => {
    const { createRelayClient } = await import('./relay/relayClient.ts');
    return createRelayClient(await callContext(connection));
  });
  const platformClientFor = memoizeLast(async (connection: PlatformAccess) => {
    const { createPlatformClient } = await import('./platform/platformClient.ts');
    return createPlatformClient(await callContext(connection));
  });
  const apps = own(
    new AppService({
      store: memory.apps,
      keys,
      environment: process.env,
      log,
      async createClient(connection, user) {
        const { createAppClient } = await import('./apps/client/appClient.ts');
        // Not spread: a copy would hold on to the time limits of now.
        return createAppClient(Object.assign(await callContext(connection), { user }));
      },
      user: () => settings.get('platform.user').trim() || memory.platformUser(randomUUID),
      newId: randomUUID,
      now: Date.now,
    }),
  );
  const chatApps = createChatApps({
    apps,
    files: async () => {
      const { createLocalFiles } = await import('./host/knowledge/workspaceLocalFiles.ts');
      return createLocalFiles((await tools()).needs);
    },
    streams: () => settings.get('chat.stream'),
    chats: memory.appChats,
  });
  const listModels = async (access: RelayAccess, signal: AbortSignal) =>
    (await clientFor(access)).listModels(signal);

  const relayOrigin = () => relays.current?.origin ?? noRelay;
  const catalog = own(
    new ModelCatalog({
      listModels: async (signal) => relays.current && listModels(relays.current, signal),
      merge: (listed) => mergeModels(listed, settings.get('relay.models')),
      isKnown: (id) => appIdOf(id) !== undefined || memory.unlistedModels(relayOrigin()).includes(id),
    }),
  );
  const takesImages = (id: string) => catalog.find(id)?.vision !== false;
  const stateFolder = context.storageUri ?? context.globalStorageUri;
  const chatFolder = vscode.Uri.joinPath(stateFolder, 'chats').fsPath;
  const store = new FileChatStore(
    chatFolder,
    (error) => void showError(l10n.t('The conversation could not be saved: {0}', String(error))),
    log,
  );
  flush = () => store.flush();
  const approvals = new ToolApprovals((name) => settings.get('tools.approval')[name]);
  const switches = new ToolSwitches(memory, (name) => settings.get('tools.approval')[name] === 'deny');
  // Loaded with the first turn, mention or attachment: most of the code is about the workspace.
  const tools = lazy(async () => {
    const { WorkspaceTools } = await import('./host/workspaceTools.ts');
    return new WorkspaceTools({
      workerFile: vscode.Uri.joinPath(context.extensionUri, 'dist', 'searchWorker.mjs').fsPath,
      policyGlobs: () => ({
        toolsExclude: settings.get('tools.exclude'),
        toolsProtected: settings.get('tools.protected'),
      }),
      switches,
    });
  });
  const manifestFolder = vscode.Uri.joinPath(stateFolder, 'knowledge').fsPath;
  const platform = own(
    new ConnectedPlatform({ platforms, clientFor: platformClientFor, tools, settings, manifestFolder, log }),
  );
  const connectedKnowledge = async () => (await platform.get())?.knowledge;
  const knowledgeScreens = own(
    registerKnowledge(
      { platform, platforms, clientFor: platformClientFor, tools, memory, settings, log },
      manifestFolder,
    ),
  );
  const chat: ChatController = own(
    new ChatController({
      store,
      relay: async () => {
        const { current } = relays;
        if (!current) throw new SwitchboardError('key', l10n.t('No relay is connected.'));
        const { streamModel } = await clientFor(current);
        return listedOnly((id) => catalog.isUnlisted(id), imagesOnlyFor(takesImages, streamModel));
      },
      options: () => readChatOptions(settings),
      modelLimits: (modelId) => catalog.find(modelId) ?? {},
      windows: {
        get: (modelId) => relays.current && memory.contextWindow(relays.current.origin, modelId),
        set: (modelId, tokens) => {
          if (relays.current) memory.setContextWindow(relays.current.origin, modelId, tokens);
        },
      },
      toolCallers: {
        has: (modelId) => memory.callsTools(relayOrigin(), modelId),
        add: (modelId) => memory.setCallsTools(relayOrigin(), modelId),
      },
      tools: async (turn) => (await tools()).toolBox(approvals.forConversation(turn.conversationId), turn),
      searchSegments: createSearchSegments(connectedKnowledge),
      apps: chatApps,
      revertEdits: async (journal) => (await tools()).revert(journal),
      defaultModel: () =>
        defaultModel({
          configured: settings.get('chat.model'),
          last: memory.lastModel(relayOrigin()),
          isRelayConnected: relays.current !== undefined,
          catalog: catalog.state,
          appIds: chatApps.all.map(({ id }) => id),
        }),
      newId: randomUUID,
      now: Date.now,
    }),
  );
  const modelPicked = (modelId: string) => {
    memory.setLastModel(relayOrigin(), modelId);
    if (catalog.isUnlisted(modelId)) memory.addUnlistedModel(relayOrigin(), modelId);
  };
  const panel = lazy(async () => {
    const { createPanel } = await import('./host/createPanel.ts');
    return own(
      createPanel({
        ...{
          chat,
          catalog,
          notices,
          chatApps,
          approvals,
          approvalHost,
          tools,
          memory,
          relays,
          platforms,
          modelPicked,
          log,
          switches,
        },
        knowledge: connectedKnowledge,
        openSource: knowledgeScreens.openSource,
      }),
    );
  });
  const ready = Promise.all([
    relays.ready,
    platforms.ready,
    apps.ready,
    // What cannot be read is said, and keeps nothing else from being shown.
    memory.chatId &&
      chat.openChat(memory.chatId).catch((error: unknown) => {
        const why = error instanceof SwitchboardError ? (error.why ?? error.message) : String(error);
        // Its place is in the panel, which may be about to open.
        void notices.show({
          severity: 'error',
          text: l10n.t('This conversation could not be read: {0}', why),
        });
      }),
  ]).catch((error: unknown) => {
    // The panel still opens, as if nothing were connected.
    void showError(l10n.t('The saved keys could not be read: {0}', String(error)));
  });
  // Loaded with the first question.
  const approvalHost = lazy(async () => {
    const { createApprovalHost } = await import('./host/approvals/approvalHost.ts');
    return own(createApprovalHost({ approvals, chat, view, tools }));
  });
  own(approvals.onDidChange(() => void approvalHost()));
  closeStaleDiffs();
  const view: ChatView = new ChatView(
    panel,
    vscode.Uri.joinPath(context.extensionUri, 'dist', 'page'),
    ready,
  );
  setNoticePlace({
    get isVisible() {
      return view.isVisible;
    },
    show: (notice) => notices.show(notice),
  });

  own(
    relays.onDidChange(() => {
      const isConnected = relays.current !== undefined;
      void vscode.commands.executeCommand('setContext', contextKeys.connected, isConnected);
      catalog.reset();
      if (isConnected) void catalog.load();
    }),
  );
  own(
    chat.onDidChange((change) => {
      if (persistsChat.has(change.type)) memory.chatId = chat.conversation.id;
    }),
  );
  own(
    chat.onDidChangeSessions(() =>
      approvals.keepOnly(chat.sessions.map(({ conversation }) => conversation.id)),
    ),
  );
  let isModelChosen: boolean | undefined;
  const tellModel = () => {
    if (isModelChosen === (chat.model !== undefined)) return;
    isModelChosen = chat.model !== undefined;
    void vscode.commands.executeCommand('setContext', contextKeys.modelChosen, isModelChosen);
  };
  own(catalog.onDidChange(tellModel));
  own(chat.onDidChange(({ type }) => type === 'modelSelected' && tellModel()));
  own(
    settings.onDidChange((changed) => {
      if (changed('relay.models') || changed('chat.model')) catalog.refresh();
    }),
  );
  own(vscode.window.registerWebviewViewProvider(viewId, view));
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
  own(
    registerChatCommands({
      chat,
      catalog,
      keys,
      settings,
      history: {
        folder: chatFolder,
        chat,
        flush: () => store.flush(),
        remove: (chatId) => store.remove(chatId),
        show: () => view.show(),
        catalog,
        apps,
        chatOf: (appId, conversationId) => chatApps.chatOf(appId, conversationId),
        openConversation,
        log,
      },
      log,
      extensionId: context.extension.id,
      approvalHost,
      modelPicked,
      relays,
      unencrypted: memory,
      tryRelay: listModels,
      view,
    }),
  );
  // Read by the benchmark, and shown by the editor's own performance view.
  performance.measure('switchboard.activate', { start: began });
}

/** What stands for a relay's address while none is connected. */
const noRelay = '';

/** From then on a chat is opened again with the window. */
const persistsChat = new Set<ChatChange['type']>(['chatOpened', 'userMessageAdded', 'knowledgeChosen']);

/** What was not written yet is written before the window goes. */
export async function deactivate(): Promise<void> {
  await flush?.();
}
