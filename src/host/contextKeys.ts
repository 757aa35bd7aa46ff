import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { RelayConnections } from '../connections/relayConnections.ts';
import { contextKeys } from './ids.ts';

/** Keeps the keys true that `when` clauses of the chat ask for. */
export function followContextKeys({
  relays,
  catalog,
  chat,
}: {
  relays: RelayConnections;
  catalog: ModelCatalog;
  chat: ChatController;
}): Disposable {
  const set = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
  let isModelChosen: boolean | undefined;
  const followModel = () => {
    if (isModelChosen === (chat.model !== undefined)) return;
    isModelChosen = chat.model !== undefined;
    set(contextKeys.modelChosen, isModelChosen);
  };
  const disposables = new DisposableStore();
  disposables.add(relays.onDidChange(() => set(contextKeys.connected, relays.all.length > 0)));
  disposables.add(catalog.onDidChange(followModel));
  disposables.add(chat.onDidChange(({ type }) => type === 'modelSelected' && followModel()));
  return disposables;
}
