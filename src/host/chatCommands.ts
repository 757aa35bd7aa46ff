import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { ChatApps } from '../chat/apps/chatApp.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { ChatView } from './chatView.ts';
import type { ConnectRelayDependencies } from './connectRelay.ts';
import type { HistoryDependencies } from './history/openHistory.ts';
import { commandIds } from './ids.ts';
import type { KeyStore } from './keyStore.ts';

export interface ChatCommandDependencies extends ConnectRelayDependencies {
  chat: ChatController;
  catalog: ModelCatalog;
  apps: ChatApps;
  keys: KeyStore;
  history: HistoryDependencies;
  /** Remembers the pick for chats to come. */
  modelPicked(modelId: string): void;
  view: ChatView;
  extensionId: string;
  log: vscode.LogOutputChannel;
}

/**
 * The commands of the chat and its connection. Each returns a value a test can check. What only asks the person
 * something is loaded with the first use.
 */
export function registerChatCommands(deps: ChatCommandDependencies): Disposable {
  const { chat, catalog, view } = deps;
  const commands: Record<keyof typeof commandIds, (...args: unknown[]) => unknown> = {
    connectRelay: async () => {
      const { connectRelay } = await import('./connectRelay.ts');
      const result = await connectRelay(deps);
      if (result.connected) await view.show();
      return result;
    },
    removeKeys: async () => {
      const { removeKeys } = await import('./removeKeys.ts');
      await deps.history.apps.ready;
      return removeKeys(deps.keys, (appId) => deps.history.apps.find(appId)?.name);
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
    selectModel: async () => {
      const { pickModel } = await import('./selectModel.ts');
      const modelId = await pickModel(catalog, deps.apps, chat.model);
      if (modelId) {
        deps.modelPicked(modelId);
        chat.selectModel(modelId);
      }
      return modelId;
    },
    showHistory: async () => (await import('./history/openHistory.ts')).openHistory(deps.history),
    openSettings: async () => {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${deps.extensionId}`);
      return true;
    },
    showLog: () => {
      deps.log.show();
      return true;
    },
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(commandIds[name as keyof typeof commandIds], run),
  );
  return vscode.Disposable.from(...registered);
}
