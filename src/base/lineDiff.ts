import { diffArrays } from 'diff';

/** A stretch of lines that a change leaves, takes out or puts in. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  lines: readonly string[];
}

/** Lines of one text in whose place others stand in the next: counted from 0, the ends not included. */
export interface LineChange {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** Beyond so many differing lines the shortest difference is not looked for: the whole stretch is replaced. */
const mostEdits = 400;

/** What turns one list of lines into the other, in order. Lists of any length take at most a moment. */
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

/** What turns one text into the other, line by line, as it is shown. */
export function diffLines(before: string, after: string): DiffPart[] {
  const [a, b] = [toLines(before), toLines(after)];
  const parts: DiffPart[] = [];
  const push = (kind: DiffPart['kind'], lines: readonly string[]) => {
    if (lines.length > 0) parts.push({ kind, lines });
  };
  let at = 0;
  for (const { from, to, newFrom, newTo } of diffStretches(a, b)) {
    push('same', a.slice(at, from));
    push('removed', a.slice(from, to));
    push('added', b.slice(newFrom, newTo));
    at = to;
  }
  push('same', a.slice(at));
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
