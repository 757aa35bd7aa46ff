import type { ChatItem } from './conversation.ts';
import type { ChatEvent } from './events.ts';

/** Removes items from one on. The files that tools changed stay changed, so what can revert them stays too. */
export function takeBack(items: readonly ChatItem[], fromId: string): ChatEvent[] {
  const removed = items.slice(items.findIndex(({ id }) => id === fromId));
  return [
    { type: 'itemsRemoved', fromId },
    ...removed.flatMap((item): ChatEvent[] =>
      item.type === 'edits' && !item.outcome ? [{ type: 'editsMade', id: item.id, edits: item.edits }] : [],
    ),
  ];
}

/**
 * From where on a turn is taken back to be asked again. A failed answer that came after tools had run is replaced
 * alone, so their results stay; any other is taken back with all of its turn, since a model's choice of tools is part
 * of the answer. What an app did on its platform is always begun anew.
 */
export function retriedFrom(
  items: readonly ChatItem[],
  answerId: string,
  isByApp: boolean,
): string | undefined {
  const index = items.findIndex(({ id }) => id === answerId);
  const item = items[index];
  if (item?.type !== 'answer') return undefined;
  const start = items.findLastIndex((candidate, at) => at < index && candidate.type === 'user') + 1;
  return (item.end?.reason === 'failed' && !isByApp ? item : items[start])?.id;
}
