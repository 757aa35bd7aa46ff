import type { ChatItem } from '../conversation/items.ts';
import type { AttachedInstructions } from './sentInstructions.ts';

/** Instructions attached to results that are still readable there, neither summarised nor shortened. */
export function attachedInstructions(
  items: readonly ChatItem[],
  shortened: ReadonlyMap<string, number>,
): AttachedInstructions[] {
  const start = items.findLastIndex(({ type }) => type === 'summary') + 1;
  return items
    .slice(start)
    .flatMap((item) =>
      item.type === 'tool' && !shortened.has(item.id) ? (item.outcome?.instructions ?? []) : [],
    );
}
