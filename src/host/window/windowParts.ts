import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors/errors.ts';
import { setFormatLocale } from '../../base/text/format.ts';
import { logInternalErrorsTo } from '../../base/errors/toSwitchboardError.ts';
import type { ChatEvent } from '../../chat/store/events.ts';
import { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import { createApps } from './createApps.ts';
import type { AppsTree } from '../apps/registerApps.ts';
import { createKnowledgeServer } from '../knowledgeServer/createKnowledgeServer.ts';
import { createChat } from './createChat.ts';
import { createServers } from './createServers.ts';
import { createTools } from './createTools.ts';
import type { ConversationsTree } from '../history/registerHistory.ts';
import type { KnowledgeBasesTree } from '../knowledge/registerKnowledge.ts';
import type { Flows } from '../flows/flowFiles.ts';
import type { RegisteredLanguageModels } from '../languageModels/registerLanguageModels.ts';
import { refreshChatKeys, refreshKnowledge, refreshLanguageModels } from './refreshViews.ts';
import { openStorage } from './openStorage.ts';
import { readKnowledgeOptions } from '../settings.ts';
import { showChat } from '../panel/showChat.ts';
import { Notifications } from '../ui/notifications.ts';

/** Registrations whose content follows the window's state. */
export interface Contributions {
  knowledgeTree: KnowledgeBasesTree;
  appsTree: AppsTree;
  historyTree: ConversationsTree;
  languageModels: RegisteredLanguageModels;
  flows: Flows;
}

export function createWindowParts(
  context: vscode.ExtensionContext,
  { languageModels, flows, ...trees }: Contributions,
) {
  const { knowledgeTree, appsTree } = trees;
  const { extensionUri } = context;
  const owned = new DisposableStore();
  const own = <T extends Disposable>(part: T): T => owned.add(part);
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  setFormatLocale(vscode.env.language);
  const log = own(vscode.window.createOutputChannel('Switchboard', { log: true }));
  logInternalErrorsTo(log);
  const notifications = new Notifications(log);

  const storage = openStorage(notifications, context, log);
  const { settings, memory, store, folders } = storage;

  const servers = own(createServers({ ...storage, log }));

  const hasKnowledge = (): boolean => chat.shown.conversation.offersSearch(platform.isConnected);
  const record = (chatId: string, event: ChatEvent) => chat.record(chatId, event);
  const tools = own(createTools({ ...storage, extensionUri, hasKnowledge, record }));
  const base = { ...storage, ...servers, ...tools, flows, log };

  const apps = own(createApps(base));
  const options = () => readKnowledgeOptions(settings);
  const platform = own(new ConnectedPlatform({ ...base, options, manifestFolder: folders.manifests }));

  const chat = own(createChat({ ...base, platform, apps }));
  const shown = own(
    showChat({
      ...base,
      extensionUri,
      platform,
      apps,
      chat,
      openSource: async (source) => (await knowledgeTree.loaded()).openSource(source),
      compareSource: async (source) => (await knowledgeTree.loaded()).compareSource(source),
      fillRunForm: async (...asked) => (await appsTree.loaded()).fillRunForm(...asked),
    }),
  );
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'knowledgeServer').fsPath;
  const extension = { uri: extensionUri, version: String(context.extension.packageJSON.version) };
  const { dispose: _, ...knowledgeServer } = own(
    createKnowledgeServer({ ...base, extension, folder, platform, apps, chat }),
  );
  const parts = { ...base, platform, apps, chat, ...shown, ...knowledgeServer };

  own(refreshChatKeys(parts));
  own(refreshKnowledge(parts, knowledgeTree));
  own(refreshLanguageModels(parts, languageModels.changed));
  const afterwards = async () => {
    const [{ showSideBar }, { registerFixActions }, { watchTerminals }] = await Promise.all([
      import('./showSideBar.ts'),
      import('../code/fixActions.ts'),
      import('../commands/terminalWatch.ts'),
    ]);
    own(showSideBar(parts, trees));
    own(registerFixActions(() => chat.shown.choices.model !== undefined));
    own(watchTerminals());
  };
  // Asking for the scripts takes as long as all of the above, which somebody waits for.
  setImmediate(() => {
    afterwards().catch((error: unknown) => log.error(`The side bar: ${messageOf(error)}`));
  });
  return {
    ...parts,
    chatCommands: lazy(async () => (await import('../panel/chatCommands.ts')).createChatCommands(parts)),
    flush: async () => void (await Promise.all([store.flush(), memory.flush()])),
    dispose: () => owned.dispose(),
  };
}
