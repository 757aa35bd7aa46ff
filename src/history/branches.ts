import { oneLine } from '../base/oneLine.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { ChatItem } from '../chat/items.ts';

/** One of the ways that a conversation went after something was said, known by the message or answer that it begins with. */
export interface Branch {
  id: string;
  /** The beginning of that message or answer. */
  label: string;
  /** Who answered, where it is an answer. */
  by?: string;
  /** The conversation goes this way now. */
  isShown: boolean;
  /** It splits again. */
  isSplit: boolean;
}

/**
 * The branches of a conversation, oldest first: those at which it first splits, after the beginning of another branch if
 * one is given.
 */
export function branchesOf(
  conversation: Conversation,
  branchId: string | undefined,
  nameOf: (modelId: string) => string,
): Branch[] {
  const path = new Set(conversation.all.map(({ id }) => id));
  return conversation.branchesAfter(branchId).map((item) => ({
    id: item.id,
    label: labelOf(item),
    ...(item.type === 'answer' && { by: nameOf(item.model) }),
    isShown: path.has(item.id),
    isSplit: conversation.branchesAfter(item.id).length > 0,
  }));
}

function labelOf(item: ChatItem): string {
  if (item.type === 'answer') return oneLine(item.text) || '…';
  if (item.type !== 'user') return '…';
  return oneLine(item.text) || item.attachments?.map(({ label }) => label).join(', ') || '…';
}
