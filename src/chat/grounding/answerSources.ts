import type { Findings, Source } from '../../tools/knowledge/source.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import type { ChatItem } from '../conversation.ts';

/** What an answer can cite. Each segment is there once. */
export interface AnswerSources {
  /** Found for the question it answers. */
  found: readonly Source[];
  /** Found for earlier questions only. */
  earlier: readonly Source[];
}

/** What had been found when the answer began. */
export function sourcesOf(items: readonly ChatItem[], answerId: string): AnswerSources {
  const index = items.findLastIndex(({ id }) => id === answerId);
  const answer = items[index];
  // An app knows nothing of what was found for others, and counts from 1 in each answer.
  if (answer?.type === 'answer' && appIdOf(answer.model) !== undefined) {
    return { found: answer.app?.sources ?? [], earlier: [] };
  }
  const found = new Map<number, Source>();
  const earlier = new Map<number, Source>();
  let into = found;
  for (let at = index - 1; at >= 0; at--) {
    const item = items[at]!;
    // Backwards, so what was found last of a segment is what counts.
    for (const source of findingsOf(item)?.sources ?? []) {
      if (!found.has(source.n) && !into.has(source.n)) into.set(source.n, source);
    }
    if (item.type === 'user') into = earlier;
  }
  return { found: inOrder(found), earlier: inOrder(earlier) };
}

/** What the answers of a turn cite, in the order in which they do. */
export function citedSources(items: readonly ChatItem[], turn: readonly ChatItem[]): Source[] {
  const cited = new Map<number, Source>();
  for (const item of turn) {
    if (item.type !== 'answer') continue;
    const { found, earlier } = sourcesOf(items, item.id);
    for (const n of citationsIn(item.text)) {
      const source = [...found, ...earlier].find((candidate) => candidate.n === n);
      if (source) cited.set(n, source);
    }
  }
  return [...cited.values()];
}

/** The numbers in square brackets, which may be citations; the page knows best which are. */
export function citationsIn(text: string): number[] {
  return [...text.matchAll(/\[([\d\s,，、]+)\]/g)].flatMap(([, list = '']) =>
    (list.match(/\d+/g) ?? []).map(Number),
  );
}

/** What a search came to, if the item is one. */
export function findingsOf(item: ChatItem): Findings | undefined {
  if (item.type === 'search') return item.outcome.findings;
  return item.type === 'tool' ? item.outcome?.findings : undefined;
}

/** The items after the newest message of the user. */
export function itemsOfTurn(items: readonly ChatItem[]): readonly ChatItem[] {
  return items.slice(items.findLastIndex(({ type }) => type === 'user') + 1);
}

function inOrder(sources: ReadonlyMap<number, Source>): Source[] {
  return [...sources.values()].toSorted((a, b) => a.n - b.n);
}
