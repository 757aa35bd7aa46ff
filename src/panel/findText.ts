import type { ChatItem } from '../chat/conversation/items.ts';
import type { FindText, TextFound } from '../shared/navigation.ts';
import { createGiveWay } from '../base/async/promises.ts';
import { occurrences } from '../base/text/escapeRegExp.ts';

export async function findText(
  items: readonly ChatItem[],
  { requestId, query, step, from }: FindText,
  isWanted: () => boolean,
): Promise<TextFound | undefined> {
  const hits: { index: number; id: string; before: number; count: number }[] = [];
  let total = 0;
  const giveWay = createGiveWay();
  for (const [index, item] of items.entries()) {
    const count = occurrences(saidIn(item), query).length;
    if (count > 0) hits.push({ index, id: item.id, before: total, count });
    total += count;
    if ((await giveWay()) && !isWanted()) return undefined;
  }
  if (total === 0) return { type: 'textFound', requestId, total };
  const number = wrap(startOf(items, hits, from) + { nearest: 0, next: 1, previous: -1 }[step], total);
  const hit = hits.findLast(({ before }) => before <= number)!;
  const found = { id: hit.id, nth: number - hit.before, number: number + 1, index: hit.index };
  return { type: 'textFound', requestId, total, found };
}

/** Number of occurrences before the starting one; half a step less than the next if it is none itself. */
function startOf(
  items: readonly ChatItem[],
  hits: readonly { index: number; before: number; count: number }[],
  from: FindText['from'],
): number {
  const at = from ? items.findIndex(({ id }) => id === from.id) : 0;
  const hit = hits.find(({ index }) => index >= at);
  if (!hit) return 0;
  const nth = hit.index === at ? Math.min(from?.nth ?? 0, hit.count - 1) : 0;
  return hit.before + nth;
}

function wrap(number: number, total: number): number {
  return (number + total) % total;
}

export function isFoundIn(item: ChatItem, query: string): boolean {
  return occurrences(saidIn(item), query).length > 0;
}

function saidIn(item: ChatItem): string {
  return item.type === 'user' || item.type === 'answer' ? item.text : '';
}
