import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors.ts';
import { messageOf } from '../base/messageOf.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { PanelNotices } from './panelNotices.ts';

/** Where the id of the open conversation is stored. */
export interface OpenConversationMemory {
  chatId: string | undefined;
}

/** From then on a chat is opened again with the window. */
const persistsChat = new Set<ChatChange['type']>(['chatOpened', 'userMessageAdded', 'knowledgeChosen']);

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
