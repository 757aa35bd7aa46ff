import { messageOf } from '../../base/errors/errors.ts';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { ChatChange, ChatController } from '../../chat/chatController.ts';
import { giveTitles } from '../../history/giveTitles.ts';
import type { Storage } from '../window/openStorage.ts';
import type { ConversationsTree } from './registerHistory.ts';

interface RefreshHistoryDependencies extends Pick<Storage, 'settings' | 'folders'> {
  chat: ChatController;
  log: Log;
}

/** Changes of a turn are covered by the session's start and end. */
const changesBranches = new Set<ChatChange['type']>([
  'chatOpened',
  'earlierLoaded',
  'versionChosen',
  'branchDeleted',
]);

export function refreshHistory(deps: RefreshHistoryDependencies, tree: ConversationsTree): Disposable {
  const { chat, settings, folders, log } = deps;
  const parts = new DisposableStore();
  // Changes by other windows show on the next of these events, or on Refresh.
  parts.add(chat.onDidChangeSessions(() => tree.refresh()));
  parts.add(
    chat.onDidChange(({ type }) => {
      if (changesBranches.has(type)) tree.refresh();
      const { conversation } = chat.shown;
      if (type === 'userMessageAdded' && conversation.all.length === 1)
        void noteFolder(deps, conversation.id);
    }),
  );
  parts.add(
    giveTitles({
      chat,
      log,
      isOn: () => settings.get('chat.titles'),
      details: async () => (await import('./historySources.ts')).detailsOf(folders.chats),
      onGiven: () => tree.refresh(),
    }),
  );
  return parts;
}

/** In a multi-root workspace, saves the folder of the active editor, or the first. */
async function noteFolder({ folders, log }: RefreshHistoryDependencies, chatId: string): Promise<void> {
  const { workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  const active = vscode.window.activeTextEditor?.document.uri;
  const { name } = (active && getWorkspaceFolder(active)) ?? workspaceFolders[0] ?? {};
  if (workspaceFolders.length < 2 || name === undefined) return;
  try {
    const { detailsOf } = await import('./historySources.ts');
    await detailsOf(folders.chats).change(chatId, { folder: name });
  } catch (error) {
    log.warn(`The folder of a conversation was not noted: ${messageOf(error)}`);
  }
}
