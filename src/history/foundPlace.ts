import type { Conversation } from '../chat/conversation.ts';
import type { FoundText } from './historySource.ts';

/**
 * The item at which a text that was found is shown. One of the path comes first, even if the text stands on another
 * branch, too: versions of a message are much alike, and nothing needs to be left for it. What was deleted stays so.
 */
export function placeOf(
  conversation: Conversation,
  { text, itemId }: FoundText,
): { id: string; isLeft: boolean } | undefined {
  const wanted = text.toLowerCase();
  const path = conversation.all;
  const onPath =
    path.find(({ id }) => id === itemId) ??
    path.find(
      (item) => (item.type === 'user' || item.type === 'answer') && item.text.toLowerCase().includes(wanted),
    );
  if (onPath) return { id: onPath.id, isLeft: false };
  return itemId !== undefined && conversation.isLeft(itemId) ? { id: itemId, isLeft: true } : undefined;
}
