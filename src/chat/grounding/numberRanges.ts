/** Sorted, disjoint and inclusive. */
export type NumberRanges = readonly (readonly [first: number, last: number])[];

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
