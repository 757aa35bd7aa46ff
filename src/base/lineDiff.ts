/** A stretch of lines that a change leaves, takes out or puts in. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  lines: readonly string[];
}

/** Beyond so many differing lines the shortest difference is not looked for: the whole stretch is replaced. */
const mostEdits = 400;

/** What turns one text into the other, line by line. Texts of any size take at most a moment. */
export function diffLines(before: string, after: string): DiffPart[] {
  const a = toLines(before);
  const b = toLines(after);
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const parts: DiffPart[] = [];
  push(parts, 'same', a.slice(0, start));
  for (const part of diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end))) {
    push(parts, part.kind, part.lines);
  }
  push(parts, 'same', end > 0 ? a.slice(-end) : []);
  return parts;
}

/** How many lines come and go. */
export function countChanges(parts: readonly DiffPart[]): { added: number; removed: number } {
  const count = (kind: DiffPart['kind']) =>
    parts.reduce((sum, part) => (part.kind === kind ? sum + part.lines.length : sum), 0);
  return { added: count('added'), removed: count('removed') };
}

/** Without their ends, of which it does not matter here of which system they are; nothing at all has no lines. */
function toLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function push(parts: DiffPart[], kind: DiffPart['kind'], lines: readonly string[]): void {
  if (lines.length === 0) return;
  const last = parts.at(-1);
  if (last?.kind === kind) parts[parts.length - 1] = { kind, lines: [...last.lines, ...lines] };
  else parts.push({ kind, lines });
}

/** The greedy algorithm of Myers (1986), of which each step's furthest points are kept to find the way back. */
function diffMiddle(a: readonly string[], b: readonly string[]): DiffPart[] {
  const replaced: DiffPart[] = [
    { kind: 'removed', lines: a },
    { kind: 'added', lines: b },
  ];
  if (a.length === 0 || b.length === 0) return replaced;
  const steps: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, mostEdits); edits++) {
    steps.push(furthest);
    const next = new Map(furthest);
    for (let k = -edits; k <= edits; k += 2) {
      let x = isDown(furthest, k, edits) ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return wayBack(a, b, steps);
    }
    furthest = next;
  }
  return replaced;
}

/** Whether the way to diagonal `k` adds a line rather than removing one. */
function isDown(furthest: ReadonlyMap<number, number>, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && (furthest.get(k - 1) ?? 0) < (furthest.get(k + 1) ?? 0));
}

function wayBack(
  a: readonly string[],
  b: readonly string[],
  steps: readonly ReadonlyMap<number, number>[],
): DiffPart[] {
  const reversed: { kind: DiffPart['kind']; line: string }[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = steps.length - 1; edits >= 0; edits--) {
    const furthest = steps[edits]!;
    const k = x - y;
    const isAdded = isDown(furthest, k, edits);
    const fromX = furthest.get(isAdded ? k + 1 : k - 1) ?? 0;
    // Behind the line that was added or removed all is the same.
    const sameFrom = edits === 0 ? 0 : isAdded ? fromX : fromX + 1;
    for (; x > sameFrom; y--) reversed.push({ kind: 'same', line: a[--x]! });
    if (edits === 0) break;
    if (isAdded) reversed.push({ kind: 'added', line: b[--y]! });
    else reversed.push({ kind: 'removed', line: a[--x]! });
  }
  const parts: DiffPart[] = [];
  for (const { kind, line } of reversed.toReversed()) push(parts, kind, [line]);
  return parts;
}
