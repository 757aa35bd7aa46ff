import type { Source } from '../../tools/knowledge/source.ts';
import type { ChatItem } from '../items.ts';
import { findingsOf } from './answerSources.ts';
import { addNumbers, type NumberRanges } from './numberRanges.ts';

/** What was found before a place of the conversation. */
export interface EarlierSources {
  /** Which numbers there are. */
  readonly ranges: NumberRanges;
  /** The segment with this number, as it was found last. */
  find(n: number): Source | undefined;
}

interface Found {
  at: number;
  source: Source;
}

/**
 * What was found in the turns before the newest one. An answer can cite all of it, so each answer that is shown would
 * take a walk back to the first item: here each item is looked at once.
 */
export class SourceIndex {
  private items: readonly ChatItem[] = [];
  /** So many items are in it: those before the newest message of the user, which change no more. */
  private settled = 0;
  private readonly found = new Map<number, Found[]>();
  private ranges: { at: number; ranges: NumberRanges }[] = [];

  /**
   * What was found before a message of the user.
   * @param items the chosen path: another array where anything but its end has changed
   */
  before(items: readonly ChatItem[], at: number): EarlierSources {
    if (items !== this.items) this.reset(items);
    this.advance(at);
    return {
      ranges: lastBefore(this.ranges, at)?.ranges ?? [],
      find: (n) => lastBefore(this.found.get(n) ?? [], at)?.source,
    };
  }

  /** Something was found for this item: if it is one that was taken for settled, all is looked at again. */
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
      // One search may find a segment in several ways.
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

/** The last of a list, in the order of the items, that stands before an item. */
function lastBefore<T extends { at: number }>(list: readonly T[], before: number): T | undefined {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle]!.at < before) from = middle + 1;
    else to = middle;
  }
  return list[from - 1];
}
