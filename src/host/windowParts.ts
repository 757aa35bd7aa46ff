import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppService } from '../apps/appService.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { setFormatLocale } from '../base/format.ts';
import { logInternalErrorsTo } from '../base/toSwitchboardError.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ChatEvent } from '../chat/events.ts';
import { ConnectedPlatform } from '../knowledge/connectedPlatform.ts';
import { createApps } from './apps/createApps.ts';
import { followApps } from './apps/followApps.ts';
import type { AppsTree } from './apps/registerApps.ts';
import { type ChatCommands, createChatCommands } from './chatCommands.ts';
import { createChat } from './createChat.ts';
import { createServers, type Servers } from './createServers.ts';
import { createTools, type Tools } from './createTools.ts';
import { registerFixActions } from './fixActions.ts';
import { followHistory } from './history/followHistory.ts';
import type { ConversationsTree } from './history/registerHistory.ts';
import { followKnowledge } from './knowledge/followKnowledge.ts';
import type { KnowledgeBasesTree } from './knowledge/registerKnowledge.ts';
import { followLanguageModels } from './languageModels/followLanguageModels.ts';
import type { RegisteredLanguageModels } from './languageModels/registerLanguageModels.ts';
import { openStorage, type Storage } from './openStorage.ts';
import { readKnowledgeOptions } from './settings.ts';
import { type ShownChat, showChat } from './showChat.ts';

/** Of what the editor was told at activation, that which changes with what a window has. */
export interface Contributions {
  knowledgeTree: KnowledgeBasesTree;
  appsTree: AppsTree;
  historyTree: ConversationsTree;
  languageModels: RegisteredLanguageModels;
}

/** Everything that a window has, from what is stored up to what the commands do. */
export interface WindowParts extends Storage, Servers, Tools, ShownChat {
  platform: ConnectedPlatform;
  apps: AppService;
  chat: ChatController;
  chatCommands: ChatCommands;
  log: vscode.LogOutputChannel;
  /** Writes what was not written yet. */
  flush(): Promise<void>;
}

/** Makes what a window has, when something of it is first used. What is big is loaded later still. */
export function createWindowParts(
  context: vscode.ExtensionContext,
  { knowledgeTree, appsTree, historyTree, languageModels }: Contributions,
): WindowParts {
  const { extensionUri } = context;
  const owned = new DisposableStore();
  const own = <T extends Disposable>(part: T): T => owned.add(part);
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  setFormatLocale(vscode.env.language);
  const log = own(vscode.window.createOutputChannel('Switchboard', { log: true }));
  logInternalErrorsTo(log);

  // Settings, keys and conversations, as earlier windows left them.
  const storage = openStorage(context, log);
  const { settings, memory, store, folders } = storage;

  // The relay and the platform.
  const servers = own(createServers({ ...storage, log }));

  // The workspace, and what models may do in it.
  const hasKnowledge = (): boolean => chat.conversation.bases.length > 0;
  const record = (chatId: string, event: ChatEvent) => chat.record(chatId, event);
  const tools = own(createTools({ ...storage, extensionUri, hasKnowledge, record }));
  const base = { ...storage, ...servers, ...tools, log };

  // Apps and knowledge bases of the platform.
  const apps = own(createApps(base));
  const options = () => readKnowledgeOptions(settings);
  const platform = own(new ConnectedPlatform({ ...base, options, manifestFolder: folders.manifests }));

  // Conversations, the panel, and what else shows them.
  const chat = own(createChat({ ...base, platform, apps }));
  const shown = own(
    showChat({
      ...{ ...base, extensionUri, platform, apps, chat },
      openSource: async (source) => (await knowledgeTree.loaded()).openSource(source),
      fillRunForm: async (...asked) => (await appsTree.loaded()).fillRunForm(...asked),
    }),
  );
  const parts = { ...base, platform, apps, chat, ...shown };
  own(registerFixActions(() => chat.model !== undefined));

  // What the editor was told of all that, as it changes.
  own(followKnowledge(parts, knowledgeTree));
  own(followApps(parts, appsTree));
  own(followHistory(parts, historyTree));
  own(followLanguageModels(parts, languageModels));
  return {
    ...parts,
    chatCommands: createChatCommands(parts),
    flush: async () => void (await Promise.all([store.flush(), memory.flush()])),
    dispose: () => owned.dispose(),
  };
}
