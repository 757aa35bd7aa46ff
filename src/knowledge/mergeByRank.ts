import { contentWords } from '../base/words.ts';

/** As in the literature: large enough that the first ranks do not outweigh all others. */
const smoothing = 60;

/**
 * Reciprocal rank fusion of what several searches found, best first each. Their scores are not compared: those of
 * keyword search are all 0, and two embedding models do not measure alike. Of two at the same rank, the one that holds
 * more of the query's words comes first.
 */
export function mergeByRank<T extends { content: string }>(
  lists: readonly (readonly T[])[],
  query: string,
): T[] {
  const [only] = lists;
  if (only && lists.length === 1) return [...only];
  const words = contentWords(query).map((word) => word.toLowerCase());
  return lists
    .flatMap((list) =>
      list.map((result, rank) => ({
        result,
        weight: 1 / (smoothing + rank + 1),
        matches: matchesIn(result.content, words),
      })),
    )
    .toSorted((a, b) => b.weight - a.weight || b.matches - a.matches)
    .map(({ result }) => result);
}

function matchesIn(content: string, words: readonly string[]): number {
  const text = content.toLowerCase();
  return words.filter((word) => text.includes(word)).length;
}
