import { oneLine } from '../base/text/oneLine.ts';
import type { Conversation } from '../chat/conversation/conversation.ts';
import type { ChatItem } from '../chat/conversation/items.ts';

export interface Branch {
  id: string;
  label: string;
  by?: string;
  isShown: boolean;
  isSplit: boolean;
}

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
