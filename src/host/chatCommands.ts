import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { ChatView } from './chatView.ts';
import { connectRelay, type ConnectRelayDependencies } from './connectRelay.ts';
import { forgetKeys } from './forgetKeys.ts';
import { commandIds } from './ids.ts';
import { pickModel } from './selectModel.ts';

export interface ChatCommandDependencies extends ConnectRelayDependencies {
  chat: ChatController;
  catalog: ModelCatalog;
  /** Remembers the pick for chats to come. */
  modelPicked(modelId: string): void;
  view: ChatView;
  log: vscode.LogOutputChannel;
}

/** The commands of the chat and its connection. Each returns a value a test can check. */
export function registerChatCommands(deps: ChatCommandDependencies): Disposable {
  const { chat, catalog, view } = deps;
  const commands: Record<keyof typeof commandIds, (...args: unknown[]) => unknown> = {
    connectRelay: () => connectRelay(deps),
    forgetKeys: () => forgetKeys(deps.keys),
    newChat: async () => {
      const chatId = await chat.startNewChat();
      await view.show();
      return chatId;
    },
    openChat: () => view.show(),
    selectModel: async () => {
      const modelId = await pickModel(catalog, chat.model);
      if (modelId) {
        deps.modelPicked(modelId);
        chat.selectModel(modelId);
      }
      return modelId;
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
