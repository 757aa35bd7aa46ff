import { diffStretches, type LineChange } from '../../base/text/lineDiff.ts';

/** `user`: anybody else, such as the user, a formatter or a command. */
export type Author = 'tool' | 'user' | 'both';

export interface AuthoredChange extends LineChange {
  by: Author;
}

/** Lines with their ends. Editors also end lines at a lone carriage return. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+/g) ?? [];
}

/** Ignores line ends, which editors unify. */
export function isSameLine(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && comparable(a) === comparable(b));
}

export function changesBetween(
  before: readonly string[],
  after: readonly string[],
  by: Author,
): AuthoredChange[] {
  return diffStretches(before.map(comparable), after.map(comparable)).map((change) => ({ ...change, by }));
}

/** Combines the changes between three texts. Overlapping changes are joined; adjacent ones only for the same author. */
export function compose(
  first: readonly AuthoredChange[],
  second: readonly AuthoredChange[],
): AuthoredChange[] {
  // Sorted by place in the second text; changes without lines there come first.
  const places = [
    ...first.map(({ newFrom: start, newTo: end, by, ...change }): Place => ({
      start,
      end,
      by,
      growth: growthOf({ newFrom: start, newTo: end, ...change }),
      laterGrowth: 0,
    })),
    ...second.map((change): Place => ({
      start: change.from,
      end: change.to,
      by: change.by,
      growth: 0,
      laterGrowth: growthOf(change),
    })),
  ].toSorted((a, b) => a.start - b.start || a.end - b.end);
  const joined: Place[] = [];
  for (const place of places) {
    const last = joined.at(-1);
    if (!last || !isOne(last, place)) {
      joined.push(place);
      continue;
    }
    last.end = Math.max(last.end, place.end);
    last.growth += place.growth;
    last.laterGrowth += place.laterGrowth;
    if (last.by !== place.by) last.by = 'both';
  }
  let [growth, laterGrowth] = [0, 0];
  return joined.map((place) => {
    const [from, newFrom] = [place.start - growth, place.start + laterGrowth];
    growth += place.growth;
    laterGrowth += place.laterGrowth;
    return { from, to: place.end - growth, newFrom, newTo: place.end + laterGrowth, by: place.by };
  });
}

interface Place {
  start: number;
  end: number;
  by: Author;
  /** Lines that the second text has more than the first; `laterGrowth`: the third more than the second. */
  growth: number;
  laterGrowth: number;
}

function isOne(a: Place, b: Place): boolean {
  if (a.by === b.by && a.by !== 'both') return b.start <= a.end;
  // Lines inserted where others were removed replace them.
  const isSamePoint = a.start === a.end && b.start === b.end && a.start === b.start;
  return b.start < a.end || isSamePoint;
}

function growthOf({ from, to, newFrom, newTo }: LineChange): number {
  return newTo - newFrom - (to - from);
}

function comparable(line: string): string {
  return line.replace(/\r\n?$/, '\n');
}
