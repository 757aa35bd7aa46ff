import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { setFormatLocale } from './base/format.ts';
import { logInternalErrorsTo } from './base/toSwitchboardError.ts';
import type { ChatEvent } from './chat/events.ts';
import { createApps } from './host/apps/createApps.ts';
import { registerApps, type RegisteredApps } from './host/apps/registerApps.ts';
import { registerChatCommands } from './host/chatCommands.ts';
import { createChat } from './host/createChat.ts';
import { createServers } from './host/createServers.ts';
import { createTools } from './host/createTools.ts';
import { registerKnowledge } from './host/knowledge/registerKnowledge.ts';
import { registerHistory } from './host/history/registerHistory.ts';
import {
  registerLanguageModels,
  registerLanguageTools,
} from './host/languageModels/registerLanguageModels.ts';
import { openStorage } from './host/openStorage.ts';
import { readKnowledgeOptions } from './host/settings.ts';
import { showChat } from './host/showChat.ts';
import { ConnectedPlatform } from './knowledge/connectedPlatform.ts';

let flush: (() => Promise<void>) | undefined;

/** Everything that a window has, from what is stored up to the commands. What is big is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const { extensionUri } = context;
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  setFormatLocale(vscode.env.language);
  const log = own(vscode.window.createOutputChannel('Switchboard', { log: true }));
  logInternalErrorsTo(log);

  // Settings, keys and conversations, as earlier windows left them.
  const storage = openStorage(context, log);
  const { settings, folders } = storage;
  flush = async () => void (await Promise.all([storage.store.flush(), storage.memory.flush()]));

  // The relay and the platform.
  const servers = own(createServers({ ...storage, log }));

  // The workspace, and what models may do in it.
  const hasKnowledge = (): boolean => chat.conversation.bases.length > 0;
  const record = (chatId: string, event: ChatEvent) => chat.record(chatId, event);
  const tools = own(createTools({ ...storage, extensionUri, hasKnowledge, record }));
  const parts = { ...storage, ...servers, ...tools, log };

  // Apps of the platform.
  const apps = own(createApps(parts));

  // Knowledge bases of the platform, with their tree and their commands.
  const options = () => readKnowledgeOptions(settings);
  const platform = own(new ConnectedPlatform({ ...parts, options, manifestFolder: folders.manifests }));
  const { openSource } = own(registerKnowledge({ ...parts, platform }, folders.manifests));

  // Conversations.
  const chat = own(createChat({ ...parts, platform, apps }));

  // The panel, and what else shows conversations.
  const fillRunForm: RegisteredApps['fillRunForm'] = (...asked) => appCommands.fillRunForm(...asked);
  const shown = own(showChat({ ...parts, extensionUri, platform, apps, chat, openSource, fillRunForm }));

  // What the editor's own chat and other extensions may use.
  own(registerLanguageModels({ ...parts, apps }));
  own(registerLanguageTools({ ...parts, platform, apps, chat }));

  // The trees of apps and of conversations, and all other commands.
  const appCommands = own(registerApps({ ...parts, ...shown, apps }));
  const { id: extensionId } = context.extension;
  const { conversationLinks } = storage.memory;
  own(registerHistory({ ...parts, ...shown, apps, chat, folder: folders.chats, conversationLinks }));
  own(registerChatCommands({ ...parts, ...shown, apps, chat, extensionId }));

  // Read by the benchmark, and shown by the editor's own performance view.
  performance.measure('switchboard.activate', { start: began });
}

/** What was not written yet is written before the window goes. */
export async function deactivate(): Promise<void> {
  await flush?.();
}
