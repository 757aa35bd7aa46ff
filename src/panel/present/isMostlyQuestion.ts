import type { ChatItem } from '../../chat/conversation/items.ts';

/** True if the newest message is larger than all items before it together. */
export function isMostlyQuestion(items: readonly ChatItem[]): boolean {
  const at = items.findLastIndex(({ type }) => type === 'user');
  const question = items[at];
  if (!question) return false;
  const others = items.reduce((sum, item) => sum + sizeOf(item), 0) - sizeOf(question);
  return sizeOf(question) > others;
}

/** Size in characters, a proxy for its share of the request. */
function sizeOf(item: ChatItem): number {
  switch (item.type) {
    case 'user': {
      const attached = item.attachments?.map(
        ({ text = '', image }) => text.length + (image?.data.length ?? 0),
      );
      return item.text.length + (attached?.reduce((sum, size) => sum + size, 0) ?? 0);
    }
    case 'answer':
      return item.text.length + item.reasoning.length;
    case 'tool':
      return item.outcome?.content.length ?? 0;
    default:
      return 0;
  }
}
