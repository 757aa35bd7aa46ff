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

/** Takes over what other windows add to the open conversation, whenever the user comes to see it, and says that one of them works on it. */
export function followOtherWindows(chat: ChatController, sights: Sights, notices: PanelNotices): Disposable {
  const parts = new DisposableStore();
  let told: AbortController | undefined;
  const tell = () => {
    if (chat.isRunningElsewhere === (told !== undefined)) return;
    told?.abort();
    told = chat.isRunningElsewhere ? new AbortController() : undefined;
    if (!told) return;
    const text = l10n.t('This conversation is running in another window. Its answer appears here, too.');
    void notices.show({ severity: 'information', text, signal: told.signal });
  };
  parts.add(
    sights.onDidChange(() => {
      if (sights.of(chat.conversation.id) !== 'seen') return;
      chat.update().catch((error: unknown) => {
        void notices.show({ severity: 'error', text: messageOf(error) });
      });
    }),
  );
  parts.add(
    chat.onDidChange(({ type }) => {
      if (type === 'chatOpened' || type === 'runningElsewhere') tell();
    }),
  );
  return parts;
}
