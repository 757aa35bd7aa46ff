import { diffStretches, type LineChange } from '../../base/lineDiff.ts';

/** Who wrote a change: our tools, somebody else (the user, a formatter, a command), or one over the other. */
export type Author = 'tool' | 'user' | 'both';

export interface AuthoredChange extends LineChange {
  by: Author;
}

/** With their ends, so that they make up the text again. An editor ends lines at a lone carriage return, too. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+/g) ?? [];
}

/** An editor gives all lines of a text the same end, which is nobody's change. */
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

/**
 * What leads from the first of three texts to the last, given what leads to the second and from there on. Changes that
 * lie in the same lines become one; such that only touch become one if they have the same author.
 */
export function compose(
  first: readonly AuthoredChange[],
  second: readonly AuthoredChange[],
): AuthoredChange[] {
  // All by their place in the second text. What has no lines there comes before what begins at the same line.
  const places = [
    ...first.map(({ newFrom: start, newTo: end, by, ...change }): Place => ({
      ...{ start, end, by, growth: growthOf({ newFrom: start, newTo: end, ...change }), laterGrowth: 0 },
    })),
    ...second.map((change): Place => ({
      ...{ start: change.from, end: change.to, by: change.by, growth: 0, laterGrowth: growthOf(change) },
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
  /** In the text between. */
  start: number;
  end: number;
  by: Author;
  /** Lines that the text between has more than the one before it there. */
  growth: number;
  /** Lines that the text after it has more. */
  laterGrowth: number;
}

function isOne(a: Place, b: Place): boolean {
  if (a.by === b.by && a.by !== 'both') return b.start <= a.end;
  // Where lines were removed, what somebody else puts in stands in their place.
  const isSamePoint = a.start === a.end && b.start === b.end && a.start === b.start;
  return b.start < a.end || isSamePoint;
}

function growthOf({ from, to, newFrom, newTo }: LineChange): number {
  return newTo - newFrom - (to - from);
}

function comparable(line: string): string {
  return line.replace(/\r\n?$/, '\n');
}
