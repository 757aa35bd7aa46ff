import type { Findings, Source } from '../../tools/knowledge/source.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import type { Conversation } from '../conversation.ts';
import type { ChatItem } from '../items.ts';
import type { EarlierSources, SourceIndex } from './sourceIndex.ts';

/** What an answer can cite. */
export interface AnswerSources {
  /** Found for the question it answers, each segment once. */
  found: readonly Source[];
  /** Found for earlier questions; what was found again is `found`. */
  earlier: EarlierSources;
}

const nothing: EarlierSources = { ranges: [], find: () => undefined };

/** What had been found when the answer at this place of the chosen path began. */
export function sourcesAt(items: readonly ChatItem[], at: number, index: SourceIndex): AnswerSources {
  const answer = items[at];
  // An app knows nothing of what was found for others, and counts from 1 in each answer.
  if (answer?.type === 'answer' && appIdOf(answer.model) !== undefined) {
    return { found: answer.app?.sources ?? [], earlier: nothing };
  }
  const found = new Map<number, Source>();
  let asked = at - 1;
  for (; asked >= 0 && items[asked]!.type !== 'user'; asked--) {
    // Backwards, so what was found last of a segment is what counts.
    for (const source of findingsOf(items[asked]!)?.sources ?? []) {
      if (!found.has(source.n)) found.set(source.n, source);
    }
  }
  return {
    found: [...found.values()].toSorted((a, b) => a.n - b.n),
    earlier: asked < 0 ? nothing : index.before(items, asked),
  };
}

/** The segment that an answer cites by this number. */
export function citedSource({ found, earlier }: AnswerSources, n: number): Source | undefined {
  return found.find((source) => source.n === n) ?? earlier.find(n);
}

/** What the answers of a turn, from one item up to another, cite, in the order in which they do. */
export function citedSources(conversation: Conversation, from: number, to: number): Source[] {
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
