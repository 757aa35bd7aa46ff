import {
  historyCommandId,
  historyCommands,
  historyTreeCommandId,
  historyTreeCommands,
  historyViewId,
} from '../ids.ts';
import { registerTree, type RegisteredTree } from '../tree/registerTree.ts';
import type { WindowParts } from '../windowParts.ts';
import type { HistoryCommands } from './historyCommands.ts';

export type ConversationsTree = RegisteredTree<HistoryCommands>;

/** The tree of conversations and its commands. What they do is loaded with the first use. */
export function registerHistory(parts: () => Promise<WindowParts>): ConversationsTree {
  return registerTree({
    ...{ viewId: historyViewId, commands: historyCommands, nodeCommands: historyTreeCommands },
    idOf: { command: historyCommandId, nodeCommand: historyTreeCommandId },
    hasContent: async () => true,
    async load() {
      const { HistoryCommands } = await import('./historyCommands.ts');
      const made = await parts();
      const { conversationLinks } = made.memory;
      return new HistoryCommands({ ...made, folder: made.folders.chats, conversationLinks });
    },
  });
}
