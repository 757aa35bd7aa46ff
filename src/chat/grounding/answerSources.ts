import { longestKeptContent } from '../../tools/knowledge/segmentKey.ts';
import type { Source } from '../../tools/knowledge/source.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import type { ChatItem } from '../conversation/items.ts';
import { findingsOf, type EarlierSources, type SourceIndex } from './sourceIndex.ts';

export interface AnswerSources {
  found: readonly Source[];
  earlier: EarlierSources;
}

const nothing: EarlierSources = { ranges: [], find: () => undefined };

export function sourcesAt(items: readonly ChatItem[], at: number, index: SourceIndex): AnswerSources {
  const answer = items[at];
  // Apps don't see our sources and number their own from 1 in each answer.
  if (answer?.type === 'answer' && appIdOf(answer.model) !== undefined) {
    return { found: answer.app?.sources ?? [], earlier: nothing };
  }
  const found = new Map<number, Source>();
  let asked = at - 1;
  for (; asked >= 0 && items[asked]!.type !== 'user'; asked--) {
    // Backwards, as the latest finding of a segment counts.
    for (const source of findingsOf(items[asked]!)?.sources ?? []) {
      if (!found.has(source.n)) found.set(source.n, source);
    }
  }
  return {
    found: [...found.values()].toSorted((a, b) => a.n - b.n),
    earlier: asked < 0 ? nothing : index.before(items, asked),
  };
}

export function citedSource({ found, earlier }: AnswerSources, n: number): Source | undefined {
  return found.find((source) => source.n === n) ?? earlier.find(n);
}

export function citedSources(
  conversation: { readonly all: readonly ChatItem[]; sourcesAt(at: number): AnswerSources },
  from: number,
  to: number,
): Source[] {
  const cited = new Map<number, Source>();
  for (let at = from; at < to; at++) {
    const item = conversation.all[at];
    if (item?.type !== 'answer') continue;
    const sources = conversation.sourcesAt(at);
    for (const n of citationsIn(item.text)) {
      const source = citedSource(sources, n);
      if (source) cited.set(n, source);
    }
  }
  return [...cited.values()];
}

export function isCut(content: string): boolean {
  // Cut between characters of two code units.
  return content.length >= longestKeptContent - 1;
}

export function citationsIn(text: string): number[] {
  return [...text.matchAll(/\[([\d\s,，、]+)\]/g)].flatMap(([, list = '']) =>
    (list.match(/\d+/g) ?? []).map(Number),
  );
}

export function itemsOfTurn(items: readonly ChatItem[]): readonly ChatItem[] {
  return items.slice(items.findLastIndex(({ type }) => type === 'user') + 1);
}
