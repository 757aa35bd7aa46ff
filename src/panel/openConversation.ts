import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { messageOf, SwitchboardError } from '../base/errors/errors.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { PanelNotices } from './panelNotices.ts';
import type { Sights } from '../chat/session/unseenTurns.ts';

export interface OpenConversationMemory {
  chatId: string | undefined;
}

const persistsChat = new Set<ChatChange['type']>([
  'chatOpened',
  'userMessageAdded',
  'knowledgeChosen',
  'editsMade',
]);

export function rememberOpenConversation(chat: ChatController, memory: OpenConversationMemory): Disposable {
  return chat.onDidChange(({ type }) => {
    if (persistsChat.has(type)) memory.chatId = chat.shown.conversation.id;
  });
}

/** Reopens the last conversation. Read errors are shown in the panel, which may be about to open. */
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
    void notices.show({ severity: 'error', text: l10n.t("This conversation couldn't be read: {0}", why) });
  }
}

/** Takes over other windows' additions to the open conversation while it is in view; an idle watch is cheap. */
export function followOtherWindows(chat: ChatController, sights: Sights, notices: PanelNotices): Disposable {
  const parts = new DisposableStore();
  let watched: { chatId: string; watching: Disposable } | undefined;
  let failure: string | undefined;
  const update = async () => {
    try {
      await chat.shown.windows.update();
      failure = undefined;
    } catch (error) {
      // Each change of the file would repeat the error.
      if (failure === messageOf(error)) return;
      failure = messageOf(error);
      void notices.show({ severity: 'error', text: failure });
    }
  };
  const watch = () => {
    const { id: chatId, all } = chat.shown.conversation;
    // Other windows cannot know an empty conversation.
    const isWanted = all.length > 0 && sights.of(chatId) !== 'hidden';
    if (isWanted && watched?.chatId === chatId) return;
    watched?.watching.dispose();
    watched = isWanted ? { chatId, watching: chat.watch(() => void update()) } : undefined;
  };
  parts.add({ dispose: () => watched?.watching.dispose() });
  parts.add(
    sights.onDidChange(() => {
      watch();
      if (sights.of(chat.shown.conversation.id) !== 'hidden') void update();
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
