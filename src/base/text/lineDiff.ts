import { diffArrays } from 'diff';

export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  /** At most 50,000. */
  lines: readonly string[];
  count: number;
}

/** Replaced line ranges, 0-based; ends are exclusive. */
export interface LineChange {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** Differing lines, and lines of a range, beyond which the whole range is replaced. */
const mostEdits = 400;
const mostLines = 50_000;

export function diffStretches(before: readonly string[], after: readonly string[]): LineChange[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [from, to, newTo] = [start, before.length - end, after.length - end];
  if (from === to && from === newTo) return [];
  const whole = { from, to, newFrom: from, newTo };
  if (from === to || from === newTo) return [whole];
  const parts = diffArrays(before.slice(from, to), after.slice(from, newTo), { maxEditLength: mostEdits });
  if (!parts) return [whole];
  const changes: LineChange[] = [];
  let [at, newAt] = [from, from];
  let open: LineChange | undefined;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      at += count;
      newAt += count;
      open = undefined;
      continue;
    }
    if (!open) changes.push((open = { from: at, to: at, newFrom: newAt, newTo: newAt }));
    if (removed) open.to = at += count;
    else open.newTo = newAt += count;
  }
  return changes;
}

/** The range of whole lines outside of which two texts are equal, as character offsets. */
export interface Difference {
  start: number;
  end: number;
  newEnd: number;
}

const piece = 4096;

export function differenceOf(before: string, after: string): Difference {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.startsWith(after.slice(same, same + piece), same)) same += piece;
  while (same < shorter && before[same] === after[same]) same++;
  const start = same === 0 ? 0 : before.lastIndexOf('\n', Math.min(same, shorter) - 1) + 1;
  let tail = 0;
  for (const size of [piece, 1]) {
    const isSame = () =>
      before.slice(before.length - tail - size, before.length - tail) ===
      after.slice(after.length - tail - size, after.length - tail);
    while (tail + size <= shorter - start && isSame()) tail += size;
  }
  const beginsLine = (text: string) => tail === text.length - start || text.at(-1 - tail) === '\n';
  if (!beginsLine(before) || !beginsLine(after)) {
    const lineEnd = before.indexOf('\n', before.length - tail);
    tail = lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  }
  return { start, end: before.length - tail, newEnd: after.length - tail };
}

/** A line diff with `context` equal lines before the first and after the last change. */
export function diffLines(before: string, after: string, context = Number.POSITIVE_INFINITY): DiffPart[] {
  const { start, end, newEnd } = differenceOf(before, after);
  const a = firstLines(before.slice(start, end), mostLines);
  const b = firstLines(after.slice(start, newEnd), mostLines);
  const isLong = Math.max(a.count, b.count) > mostLines;
  const whole = { from: 0, to: a.count, newFrom: 0, newTo: b.count };
  const parts: DiffPart[] = [];
  const push = (kind: DiffPart['kind'], lines: readonly string[], count = lines.length) => {
    if (count > 0) parts.push({ kind, lines, count });
  };
  const head = before.slice(startOfLinesBefore(before, start, context), start);
  // The lines before may differ in their line ends only.
  const leading = firstLines(head).lines;
  let at = 0;
  for (const { from, to, newFrom, newTo } of isLong ? [whole] : diffStretches(a.lines, b.lines)) {
    push('same', [...leading.splice(0), ...a.lines.slice(at, from)]);
    push('removed', a.lines.slice(from, to), to - from);
    push('added', b.lines.slice(newFrom, newTo), newTo - newFrom);
    at = to;
  }
  push('same', [
    ...leading,
    ...(isLong ? [] : a.lines.slice(at)),
    ...firstLines(before.slice(end), context).lines,
  ]);
  return parts;
}

const contextLines = 3;

/** The hunks of a unified diff by line; empty if only line ends differ. */
export function unifiedDiff(before: string, after: string): string[] {
  const [a, b] = [firstLines(before).lines, firstLines(after).lines];
  const hunks: LineChange[][] = [];
  for (const change of diffStretches(a, b)) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (hunk && last && change.from - last.to <= 2 * contextLines) hunk.push(change);
    else hunks.push([change]);
  }
  const signed = (sign: string, lines: readonly string[]) => lines.map((line) => sign + line);
  const range = (from: number, to: number) => (from === to ? `${from},0` : `${from + 1},${to - from}`);
  return hunks.flatMap((hunk) => {
    const [first, last] = [hunk[0]!, hunk.at(-1)!];
    const above = Math.min(contextLines, first.from);
    const below = Math.min(contextLines, a.length - last.to);
    let at = first.from - above;
    const head = `@@ -${range(at, last.to + below)} +${range(first.newFrom - above, last.newTo + below)} @@`;
    const lines = hunk.flatMap(({ from, to, newFrom, newTo }) => {
      const same = a.slice(at, from);
      at = to;
      return [
        ...signed(' ', same),
        ...signed('-', a.slice(from, to)),
        ...signed('+', b.slice(newFrom, newTo)),
      ];
    });
    return [head, ...lines, ...signed(' ', a.slice(at, at + below))];
  });
}

export function countChanges(before: string, after: string): { added: number; removed: number } {
  const parts = diffLines(before, after, 0);
  const count = (kind: DiffPart['kind']) =>
    parts.reduce((sum, part) => (part.kind === kind ? sum + part.count : sum), 0);
  return { added: count('added'), removed: count('removed') };
}

export function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 0x0a) count++;
  return count;
}

export function startOfLinesBefore(text: string, start: number, count: number): number {
  let from = start;
  for (let left = count; left > 0 && from > 0; left--) {
    from = from < 2 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
  }
  return from;
}

function firstLines(text: string, most = Number.POSITIVE_INFINITY): { lines: string[]; count: number } {
  const lines = text.split('\n', Math.min(most + 1, 2 ** 32 - 1));
  const isAll = lines.length <= most;
  if (!isAll || lines.at(-1) === '') lines.pop();
  const ended = text.includes('\r\n') ? lines.map((line) => line.replace(/\r$/, '')) : lines;
  return { lines: ended, count: isAll ? lines.length : countLines(text) };
}
