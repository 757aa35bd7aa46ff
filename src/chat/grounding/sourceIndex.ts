import type { Findings, Source } from '../../tools/knowledge/source.ts';
import type { ChatItem } from '../conversation/items.ts';

export interface EarlierSources {
  readonly ranges: NumberRanges;
  find(n: number): Source | undefined;
}

interface Found {
  at: number;
  source: Source;
}

export class SourceIndex {
  private items: readonly ChatItem[] = [];
  private settled = 0;
  private readonly found = new Map<number, Found[]>();
  private ranges: { at: number; ranges: NumberRanges }[] = [];

  /** @param items the chosen path; a new array unless only its end changed */
  before(items: readonly ChatItem[], at: number): EarlierSources {
    if (items !== this.items) this.reset(items);
    this.advance(at);
    return {
      ranges: lastBefore(this.ranges, at)?.ranges ?? [],
      find: (n) => lastBefore(this.found.get(n) ?? [], at)?.source,
    };
  }

  changed(id: string): void {
    const at = this.items.findLastIndex((item) => item.id === id);
    if (at < this.settled) this.reset([]);
  }

  private reset(items: readonly ChatItem[]): void {
    this.items = items;
    this.settled = 0;
    this.found.clear();
    this.ranges = [];
  }

  private advance(to: number): void {
    for (; this.settled < to; this.settled++) {
      const item = this.items[this.settled];
      const { sources = [] } = (item && findingsOf(item)) ?? {};
      if (sources.length > 0) this.add(this.settled, sources);
    }
  }

  private add(at: number, sources: readonly Source[]): void {
    const fresh: number[] = [];
    for (const source of sources) {
      const known = this.found.get(source.n);
      // One search may find a segment several times.
      if (known && known.at(-1)?.at !== at) known.push({ at, source });
      if (!known) {
        fresh.push(source.n);
        this.found.set(source.n, [{ at, source }]);
      }
    }
    if (fresh.length > 0)
      this.ranges.push({ at, ranges: addNumbers(this.ranges.at(-1)?.ranges ?? [], fresh) });
  }
}

function lastBefore<T extends { at: number }>(list: readonly T[], before: number): T | undefined {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle]!.at < before) from = middle + 1;
    else to = middle;
  }
  return list[from - 1];
}

export function findingsOf(item: ChatItem): Findings | undefined {
  if (item.type === 'search') return item.outcome.findings;
  return item.type === 'tool' ? item.outcome?.findings : undefined;
}

/** Sorted, disjoint and inclusive. */
type NumberRanges = readonly (readonly [first: number, last: number])[];

/** Accepts numbers in any order. */
export function addNumbers(ranges: NumberRanges, numbers: readonly number[]): NumberRanges {
  if (numbers.length === 0) return ranges;
  const all = [...ranges, ...numbers.map((n) => [n, n] as const)].toSorted(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [first, last] of all) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}
