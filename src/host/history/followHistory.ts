import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { ChatChange } from '../../chat/chatController.ts';
import { giveTitles } from '../../history/giveTitles.ts';
import type { WindowParts } from '../windowParts.ts';
import type { ConversationsTree } from './registerHistory.ts';

type FollowHistoryDependencies = Pick<WindowParts, 'chat' | 'settings' | 'folders' | 'log'>;

/** What comes with a turn is seen when that begins and ends. */
const changesBranches = new Set<ChatChange['type']>([
  'chatOpened',
  'earlierLoaded',
  'versionChosen',
  'branchDeleted',
]);

/** Keeps the tree of conversations equal to what becomes of them here, and notes what it says of them. */
export function followHistory(deps: FollowHistoryDependencies, tree: ConversationsTree): Disposable {
  const { chat, settings, folders, log } = deps;
  const parts = new DisposableStore();
  // What others do with conversations is seen with the next of these, or on Refresh.
  parts.add(chat.onDidChangeSessions(() => tree.refresh()));
  parts.add(
    chat.onDidChange(({ type }) => {
      if (changesBranches.has(type)) tree.refresh();
      const { conversation } = chat;
      if (type === 'userMessageAdded' && conversation.all.length === 1)
        void noteFolder(deps, conversation.id);
    }),
  );
  parts.add(
    giveTitles({
      ...{ chat, log },
      isOn: () => settings.get('chat.titles'),
      details: async () => (await import('./openHistory.ts')).detailsOf(folders.chats),
      onGiven: () => tree.refresh(),
    }),
  );
  return parts;
}

/** Of a workspace with several folders: the one of the editor in front, or the first. */
async function noteFolder({ folders, log }: FollowHistoryDependencies, chatId: string): Promise<void> {
  const { workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  const active = vscode.window.activeTextEditor?.document.uri;
  const { name } = (active && getWorkspaceFolder(active)) ?? workspaceFolders[0] ?? {};
  if (workspaceFolders.length < 2 || name === undefined) return;
  try {
    const { detailsOf } = await import('./openHistory.ts');
    await detailsOf(folders.chats).change(chatId, { folder: name });
  } catch (error) {
    log.warn(`The folder of a conversation was not noted: ${messageOf(error)}`);
  }
}
