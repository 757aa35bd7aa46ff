import type { Conversation } from '../chat/conversation/conversation.ts';
import type { FoundText } from './historySource.ts';

/** Prefers the current path over other branches, so nothing has to be switched. Skips deleted items. */
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
