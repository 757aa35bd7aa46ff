import type { ChatItem } from '../chat/items.ts';

/** Whether the newest message of these items is larger than all before it together, as they are sent. */
export function isMostlyQuestion(items: readonly ChatItem[]): boolean {
  const at = items.findLastIndex(({ type }) => type === 'user');
  const question = items[at];
  if (!question) return false;
  const others = items.reduce((sum, item) => sum + sizeOf(item), 0) - sizeOf(question);
  return sizeOf(question) > others;
}

/** In characters, which is about what it takes in a request. */
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
