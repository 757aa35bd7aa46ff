import { indentLike, unindented } from './indentation.ts';

/** Lines of a file that a code block would replace; 0-based, `to` is exclusive. */
export interface CodePlace {
  from: number;
  to: number;
  after: string;
}

/** `certain`: exactly here. `possible`: the user chooses. `same`: the file has this code already. */
export type FoundPlaces =
  | { type: 'certain'; place: CodePlace }
  | { type: 'possible'; places: readonly CodePlace[] }
  | { type: 'same' };

interface Region {
  from: number;
  to: number;
  lines: readonly string[];
}

/** Share of equal lines below which a region isn't what the code is a version of. */
const leastAlike = 0.5;
const leastWhole = 0.6;
const mostPlaces = 5;
/** Equal lines at which a region may begin or end: bounds the comparisons. */
const mostTried = 20;
const mostEqual = 1000;
/** In characters; a pattern reads it more than once. */
const longestDeclaration = 500;
/** A line that stands for omitted ones; a spread begins with dots, too. */
const elision = /^\s*(?:(?:\/\/|#|\/\*|<!--|--|\{\s*\/\*)\s*(?:\.\.\.|…)|(?:\.\.\.|…)\s*$)/;

/** Finds the lines of a file that a code block is a new version of. Says `certain` only if no other place fits. */
export function findCodePlaces(text: string, code: string, language = ''): FoundPlaces {
  const file = new FileLines(text);
  const lines = unindented(withoutBlankEnds(code.replaceAll('\r\n', '\n').split('\n')));
  if (lines.length === 0) return { type: 'possible', places: [] };
  if (isDiff(lines, language)) return ofRegions(file, diffRegions(file, lines));
  if (file.hasRun(lines)) return { type: 'same' };
  if (isNewVersion(file, lines)) return ofRegions(file, [{ from: 0, to: file.lines.length, lines }]);
  if (lines.some((line) => elision.test(line))) return ofRegions(file, elidedRegions(file, lines));
  const regions = regionsOf(file, lines);
  if (regions.length > 0) {
    const places = regions.slice(0, mostPlaces).map((region) => file.replaced([region]));
    const [only] = places;
    return regions.length === 1 && only ? { type: 'certain', place: only } : { type: 'possible', places };
  }
  return ofRegions(file, piecewise(file, lines));
}

function ofRegions(file: FileLines, regions: readonly Region[] | undefined): FoundPlaces {
  if (!regions || regions.length === 0) return { type: 'possible', places: [] };
  const place = file.replaced(regions);
  return place.after === file.text ? { type: 'same' } : { type: 'certain', place };
}

class FileLines {
  readonly lines: readonly string[];
  readonly keys: readonly string[];
  private readonly lineEnd: string;
  private byKey: Map<string, number[]> | undefined;
  private byName: Map<string, number[]> | undefined;

  constructor(readonly text: string) {
    this.lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
    this.lines = text.split(/\r?\n/);
    this.keys = this.lines.map(keyOf);
  }

  starts(key: string): readonly number[] {
    return (this.byKey ??= indexOf(this.keys)).get(key) ?? [];
  }

  declarations(name: string): readonly number[] {
    return (this.byName ??= indexOf(this.lines.map(declared))).get(name) ?? [];
  }

  hasRun(lines: readonly string[]): boolean {
    const keys = lines.map(keyOf);
    return this.starts(keys[0] ?? '').some((start) => keys.every((key, at) => this.keys[start + at] === key));
  }

  replaced(regions: readonly Region[]): CodePlace {
    const after: string[] = [];
    let at = 0;
    for (const { from, to, lines } of regions) {
      after.push(...this.lines.slice(at, from), ...lines);
      at = to;
    }
    after.push(...this.lines.slice(at));
    const [first, last] = [regions[0], regions.at(-1)];
    const isAll = first?.from === 0 && last?.to === this.lines.length;
    const end = isAll && after.at(-1) !== '' && (this.text === '' || this.text.endsWith('\n')) ? [''] : [];
    return { from: first?.from ?? 0, to: last?.to ?? 0, after: [...after, ...end].join(this.lineEnd) };
  }

  /** Shares of telling lines that both have, of the file's and of the code's. Linear: their order is not compared. */
  likeness(from: number, to: number, lines: readonly string[]): { ofFile: number; ofCode: number } {
    const own = this.keys.slice(from, to).filter(isTelling);
    const keys = lines.map(keyOf).filter(isTelling);
    const left = new Map<string, number>();
    for (const key of own) left.set(key, (left.get(key) ?? 0) + 1);
    let equal = 0;
    for (const key of keys) {
      const count = left.get(key) ?? 0;
      if (count > 0) equal++;
      left.set(key, count - 1);
    }
    return { ofFile: equal / Math.max(1, own.length), ofCode: equal / Math.max(1, keys.length) };
  }
}

/** Places by value, at most `mostEqual` of each: more make no difference. */
function indexOf(values: readonly (string | undefined)[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  values.forEach((value, index) => {
    if (value === undefined) return;
    const known = places.get(value);
    if (!known) places.set(value, [index]);
    else if (known.length < mostEqual) known.push(index);
  });
  return places;
}

function keyOf(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

/** Brackets alone stand in every file. */
function isTelling(key: string): boolean {
  return /[\p{L}\p{N}]/u.test(key);
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

/** True for a new version of the whole file: it begins like the file and has most of it. */
function isNewVersion(file: FileLines, lines: readonly string[]): boolean {
  const own = file.keys.filter(isTelling);
  if (own.length === 0) return true;
  const keys = lines.map(keyOf).filter(isTelling);
  const { ofFile, ofCode } = file.likeness(0, file.lines.length, lines);
  const hasEnds = own[0] === keys[0] && own.at(-1) === keys.at(-1) && own.length > 1;
  if (hasEnds && ofFile >= leastAlike) return true;
  return own[0] === keys[0] && own.length > 2 && ofFile >= leastWhole + 0.1 && ofCode >= leastAlike;
}

/** The regions that the code may be a version of: the construct that it declares, or lines with the same ends. */
function regionsOf(file: FileLines, lines: readonly string[]): Region[] {
  return isOneConstruct(lines) ? constructs(file, lines) : sameEnds(file, lines);
}

const comment = /^\s*(?:\/\/|\/\*|\*|#(?!\w*(?:include|define|if))|--|@|\[|"""|<!--)/;
const closer = /^[\s)\]}>;,]*(?:end|fi|done|esac)?[\s)\]}>;,]*$/;
const opensAgain = /^\s*(?:\}\s*\w|else\b|elif\b|except\b|finally\b|catch\b|rescue\b|when\b|case\b)/;

function headOf(lines: readonly string[]): number {
  return lines.findIndex((line) => isTelling(line) && !comment.test(line));
}

/** One declaration with what is inside of it, after its comments and decorators. */
function isOneConstruct(lines: readonly string[]): boolean {
  const head = headOf(lines);
  if (head < 0) return false;
  const top = lines.filter((line) => line.trim() !== '' && !/^\s/.test(line));
  const own = top.filter((line) => !comment.test(line) && !closer.test(line) && !opensAgain.test(line));
  return own.length === 1 && own[0] === lines[head];
}

const declaration =
  /\b(function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|const|let|var|val|sub|module|namespace|package|message|service|table|view)\s+([\w$.]+)/i;
const method =
  /^\s*(?:(?:public|private|protected|static|async|override|final|get|set)\s+)*([\w$]+)\s*\([^;]*\)[^;]*\{\s*$/;

function declared(line: string): string | undefined {
  if (line.length > longestDeclaration) return undefined;
  const [, kind, name] = declaration.exec(line) ?? [];
  if (kind !== undefined) return `${/^(?:const|let|var|val)$/i.test(kind) ? 'value' : kind} ${name}`;
  const called = method.exec(line)?.[1];
  return called === undefined || /^(?:if|for|while|switch|catch|with)$/.test(called)
    ? undefined
    : `${called}()`;
}

function constructs(file: FileLines, lines: readonly string[]): Region[] {
  const head = headOf(lines);
  const first = lines[head] ?? '';
  const name = declared(first);
  const same = file.starts(keyOf(first));
  const starts = same.length > 0 || name === undefined ? same : file.declarations(name);
  return starts.slice(0, mostTried).flatMap((start) => {
    const to = endOfConstruct(file.lines, start);
    const isClosedAlike = closer.test(lines.at(-1) ?? '') === closer.test(file.lines[to - 1] ?? '');
    const isOneLine = lines.length - head === 1 && name === undefined;
    if (!isClosedAlike || isOneLine) return [];
    const from = head > 0 ? startOfComments(file.lines, start) : start;
    return { from, to, lines: indentLike(lines, lines[head] ?? '', file.lines, file.lines[start] ?? '') };
  });
}

function endOfConstruct(lines: readonly string[], start: number): number {
  const depth = indentOf(lines[start] ?? '');
  let end = start + 1;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (indentOf(line) < depth) break;
    if (indentOf(line) === depth) {
      if (opensAgain.test(line)) {
        end = at + 1;
        continue;
      }
      return closer.test(line) ? at + 1 : end;
    }
    end = at + 1;
  }
  return end;
}

function startOfComments(lines: readonly string[], start: number): number {
  const depth = indentOf(lines[start] ?? '');
  let from = start;
  while (from > 0 && comment.test(lines[from - 1] ?? '') && indentOf(lines[from - 1] ?? '') - depth <= 1)
    from--;
  return from;
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
}

function sameEnds(file: FileLines, lines: readonly string[]): Region[] {
  const keys = lines.map(keyOf);
  const first = keys.findIndex(isTelling);
  const last = keys.findLastIndex(isTelling);
  if (first < 0 || first === last) return [];
  const most = 3 * lines.length + 10;
  const allEnds = file.starts(keys[last] ?? '');
  const starts = file.starts(keys[first] ?? '').slice(0, mostTried);
  return starts.flatMap((start) => {
    const offBy = (end: number) => Math.abs(end - start - (last - first));
    const ends = allEnds.filter((end) => end > start && end - start < most);
    const near = ends
      .toSorted((a, b) => offBy(a) - offBy(b))
      .slice(0, mostTried)
      .find((end) => file.likeness(start, end + 1, lines).ofCode >= leastAlike);
    if (near === undefined) return [];
    const from = start - first;
    const to = near + 1 + (lines.length - 1 - last);
    const isCovered = from >= 0 && keys.slice(0, first).every((key, at) => file.keys[from + at] === key);
    const isEnded = keys.slice(last + 1).every((key, at) => file.keys[near + 1 + at] === key);
    if (!isCovered || !isEnded) return [];
    const shown = indentLike(lines, lines[first] ?? '', file.lines, file.lines[start] ?? '');
    return { from, to, lines: shown };
  });
}

/** Each part between the marks for omitted lines; undefined unless all of them are found, in order. */
function elidedRegions(file: FileLines, lines: readonly string[]): Region[] | undefined {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (elision.test(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return inOrder(
    parts.map(withoutBlankEnds).filter((part) => part.length > 0),
    (part, from) => {
      const keys = part.map(keyOf);
      const isHere = (start: number) =>
        start >= from && keys.every((key, at) => file.keys[start + at] === key);
      const same = file.starts(keys[0] ?? '').filter(isHere);
      if (same.length === 1)
        return same.map((start) => ({
          from: start,
          to: start + part.length,
          lines: file.lines.slice(start, start + part.length),
        }));
      const bare = unindented(part);
      return [...new Set([...constructs(file, bare), ...sameEnds(file, bare)])];
    },
  );
}

function piecewise(file: FileLines, lines: readonly string[]): Region[] | undefined {
  const parts: string[][] = [[]];
  let hasHead = false;
  for (const line of lines) {
    const isTop = /^\S/.test(line) && !closer.test(line) && !opensAgain.test(line);
    if (isTop && hasHead) {
      parts.push([]);
      hasHead = false;
    }
    parts.at(-1)?.push(line);
    if (isTop && !comment.test(line)) hasHead = true;
  }
  if (parts.length < 2) return undefined;
  return inOrder(parts.map(withoutBlankEnds), (part) => constructs(file, part));
}

function inOrder(
  parts: readonly string[][],
  find: (part: string[], from: number) => Region[],
): Region[] | undefined {
  const regions: Region[] = [];
  for (const part of parts) {
    const [only, ...others] = find(part, regions.at(-1)?.to ?? 0);
    if (!only || others.length > 0) return undefined;
    regions.push(only);
  }
  const sorted = regions.toSorted((a, b) => a.from - b.from);
  const overlaps = sorted.some(({ from }, index) => from < (sorted[index - 1]?.to ?? 0));
  return overlaps ? undefined : sorted;
}

function isDiff(lines: readonly string[], language: string): boolean {
  return /^(?:diff|patch)$/i.test(language) || lines.some((line) => /^@@ .*@@/.test(line));
}

/** The hunks of a unified diff by their lines; undefined unless each is in the file exactly once. */
function diffRegions(file: FileLines, lines: readonly string[]): Region[] | undefined {
  const hunks: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith('@@')) hunks.push([]);
    else if (!/^(?:diff |index |--- |\+\+\+ |\\ )/.test(line)) hunks.at(-1)?.push(line);
  }
  const changing = hunks.filter((hunk) => hunk.some((line) => /^[+-]/.test(line)));
  return inOrder(changing, (hunk) => {
    const old = hunk.filter((line) => !line.startsWith('+')).map((line) => keyOf(line.slice(1)));
    if (!old.some(isTelling)) return [];
    const starts = file
      .starts(old[0] ?? '')
      .filter((start) => old.every((key, at) => file.keys[start + at] === key));
    return starts.map((start) => ({
      from: start,
      to: start + old.length,
      lines: patched(file, start, hunk),
    }));
  });
}

function patched(file: FileLines, start: number, hunk: readonly string[]): string[] {
  let at = start;
  return hunk.flatMap((line) => {
    if (line.startsWith('+')) return line.slice(1);
    const own = file.lines[at++] ?? '';
    return line.startsWith('-') ? [] : own;
  });
}
