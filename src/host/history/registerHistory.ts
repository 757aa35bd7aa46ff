import * as vscode from 'vscode';
import { messageOf } from '../../base/messageOf.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ChatChange, ChatController } from '../../chat/chatController.ts';
import type { FileChatStore } from '../../chat/fileChatStore.ts';
import { giveTitles } from '../../history/giveTitles.ts';
import {
  historyCommandId,
  historyCommands,
  historyTreeCommandId,
  historyTreeCommands,
  historyViewId,
} from '../ids.ts';
import type { Settings } from '../settings.ts';
import { registerTree } from '../tree/registerTree.ts';
import type { HistoryDependencies } from './openHistory.ts';

export interface RegisterHistoryDependencies extends Omit<HistoryDependencies, 'chat' | 'store'> {
  chat: ChatController;
  store: FileChatStore;
  settings: Pick<Settings, 'get'>;
}

/** What comes with a turn is seen when that begins and ends. */
const changesBranches = new Set<ChatChange['type']>([
  'chatOpened',
  'earlierLoaded',
  'versionChosen',
  'branchDeleted',
]);

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
  parts.add(deps.chat.onDidChange(({ type }) => changesBranches.has(type) && tree.refresh()));
  parts.add(
    deps.chat.onDidChange(({ type }) => {
      const { conversation } = deps.chat;
      if (type === 'userMessageAdded' && conversation.all.length === 1)
        void noteFolder(deps, conversation.id);
    }),
  );
  parts.add(
    giveTitles({
      ...deps,
      isOn: () => deps.settings.get('chat.titles'),
      details: async () => (await import('./openHistory.ts')).detailsOf(deps.folder),
      onGiven: () => tree.refresh(),
    }),
  );
  return parts;
}

/** Of a workspace with several folders: the one of the editor in front, or the first. */
async function noteFolder({ folder, log }: RegisterHistoryDependencies, chatId: string): Promise<void> {
  const { workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  const active = vscode.window.activeTextEditor?.document.uri;
  const { name } = (active && getWorkspaceFolder(active)) ?? workspaceFolders[0] ?? {};
  if (workspaceFolders.length < 2 || name === undefined) return;
  try {
    const { detailsOf } = await import('./openHistory.ts');
    await detailsOf(folder).change(chatId, { folder: name });
  } catch (error) {
    log.warn(`The folder of a conversation was not noted: ${messageOf(error)}`);
  }
}
