import type { Disposable } from '../../base/disposable.ts';
import type { ChatController } from '../../chat/chatController.ts';
import { pathsToReview } from '../../chat/rollback.ts';
import type { ReviewHost } from './reviewHost.ts';

/** Loads what shows hunks in editors, with the first that is to be reviewed. */
export function followEdits(chat: ChatController, review: () => Promise<ReviewHost>): Disposable {
  return chat.onDidChange(({ type }) => {
    if (type !== 'editsMade' && type !== 'chatOpened' && type !== 'earlierLoaded') return;
    const { all } = chat.conversation;
    if (all.some((item) => item.type === 'edits' && pathsToReview(item).length > 0)) void review();
  });
}
