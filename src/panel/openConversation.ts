import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors.ts';
import { messageOf } from '../base/messageOf.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { Sights } from '../chat/sight.ts';
import type { PanelNotices } from './panelNotices.ts';

/** Where the id of the open conversation is stored. */
export interface OpenConversationMemory {
  chatId: string | undefined;
}

/** From then on a chat is opened again with the window. */
const persistsChat = new Set<ChatChange['type']>([
  'chatOpened',
  'userMessageAdded',
  'knowledgeChosen',
  'editsMade',
]);

/** Remembers which conversation is open in this workspace. */
export function rememberOpenConversation(chat: ChatController, memory: OpenConversationMemory): Disposable {
  return chat.onDidChange(({ type }) => {
    if (persistsChat.has(type)) memory.chatId = chat.conversation.id;
  });
}

/** Opens the one that was open when the window went. What cannot be read is said in the panel, which may be about to open. */
export async function reopenConversation(
  chat: ChatController,
  memory: OpenConversationMemory,
  notices: PanelNotices,
): Promise<void> {
  if (!memory.chatId) return;
  try {
    await chat.openChat(memory.chatId);
  } catch (error) {
    const why = (error instanceof SwitchboardError && error.systemError) || messageOf(error);
    void notices.show({ severity: 'error', text: l10n.t('This conversation could not be read: {0}', why) });
  }
}

/**
 * Takes over what other windows add to the open conversation while it is in view.
 * Any of them may begin to answer it at any time, so its files are watched as long as it is in view, and only then: that
 * costs nothing until something is written.
 */
export function followOtherWindows(chat: ChatController, sights: Sights, notices: PanelNotices): Disposable {
  const parts = new DisposableStore();
  let watched: { chatId: string; watching: Disposable } | undefined;
  let failure: string | undefined;
  const update = async () => {
    try {
      await chat.update();
      failure = undefined;
    } catch (error) {
      // Each change of the file would say it again.
      if (failure === messageOf(error)) return;
      failure = messageOf(error);
      void notices.show({ severity: 'error', text: failure });
    }
  };
  const watch = () => {
    const { id: chatId, all } = chat.conversation;
    // No other window knows of one that is empty.
    const isWanted = all.length > 0 && sights.of(chatId) !== 'hidden';
    if (isWanted && watched?.chatId === chatId) return;
    watched?.watching.dispose();
    watched = isWanted ? { chatId, watching: chat.watch(() => void update()) } : undefined;
  };
  parts.add({ dispose: () => watched?.watching.dispose() });
  parts.add(
    sights.onDidChange(() => {
      watch();
      if (sights.of(chat.conversation.id) !== 'hidden') void update();
    }),
  );
  parts.add(
    chat.onDidChange(({ type }) => {
      if (type === 'chatOpened' || type === 'userMessageAdded') watch();
    }),
  );
  watch();
  return parts;
}
