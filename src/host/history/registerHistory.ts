import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { FileChatStore } from '../../chat/fileChatStore.ts';
import {
  historyCommandId,
  historyCommands,
  historyTreeCommandId,
  historyTreeCommands,
  historyViewId,
} from '../ids.ts';
import { registerTree } from '../tree/registerTree.ts';
import type { HistoryDependencies } from './openHistory.ts';

export interface RegisterHistoryDependencies extends Omit<HistoryDependencies, 'chat' | 'store'> {
  chat: ChatController;
  store: FileChatStore;
}

/** The tree of conversations and its commands. What they do is loaded with the first use. */
export function registerHistory(deps: RegisterHistoryDependencies): Disposable {
  const parts = new DisposableStore();
  const tree = parts.add(
    registerTree({
      ...{ viewId: historyViewId, commands: historyCommands, nodeCommands: historyTreeCommands },
      idOf: { command: historyCommandId, nodeCommand: historyTreeCommandId },
      hasContent: async () => true,
      load: async () => new (await import('./historyCommands.ts')).HistoryCommands(deps),
    }),
  );
  // What became of conversations here; what others do with them is seen with the next of these, or on Refresh.
  parts.add(deps.chat.onDidChangeSessions(() => tree.refresh()));
  parts.add(deps.chat.onDidChange(({ type }) => type === 'chatOpened' && tree.refresh()));
  return parts;
}
