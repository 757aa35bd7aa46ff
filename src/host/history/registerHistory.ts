import { historyCommands, historyTreeCommandId, historyTreeCommands, historyViewId } from '../ids.ts';
import { registerTree, type RegisteredTree } from '../tree/registerTree.ts';
import type { HistoryCommands, HistoryCommandsDependencies } from './historyCommands.ts';

export type ConversationsTree = RegisteredTree<HistoryCommands>;

export function registerHistory(parts: () => Promise<HistoryCommandsDependencies>): ConversationsTree {
  return registerTree({
    viewId: historyViewId,
    commands: historyCommands,
    nodeCommands: historyTreeCommands,
    nodeIdOf: historyTreeCommandId,
    hasContent: async () => true,
    load: async () => new (await import('./historyCommands.ts')).HistoryCommands(await parts()),
  });
}
