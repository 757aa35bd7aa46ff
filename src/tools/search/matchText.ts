import { cutLine } from '../truncate.ts';
import type { LinePattern } from './pattern.ts';

export interface LineMatch {
  /** 1-based. */
  line: number;
  column: number;
  /** The line, cut around the match if it is very long. */
  text: string;
  before: string[];
  after: string[];
}

export interface TextMatches {
  matches: LineMatch[];
  start: number;
  end: number;
}

/** Finds the lines of texts that match a pattern. */
export class LineMatcher {
  private readonly regex: RegExp;
  /** Matches wherever a line matches, over a whole text; undefined where a line's end could make a difference. */
  private readonly wholeText: RegExp | undefined;

  private readonly needle: Buffer | undefined;

  constructor(private readonly pattern: LinePattern) {
    const { source, flags, literal } = pattern;
    this.regex = new RegExp(source, flags);
    const looksAway = /\(\?<?!/.test(source);
    this.wholeText = looksAway ? undefined : new RegExp(source, `${flags}m`);
    // eslint-disable-next-line no-control-regex -- plain ASCII is what is asked
    this.needle = literal !== undefined && /^[\x01-\x7f]*$/.test(literal) ? Buffer.from(literal) : undefined;
  }

  /** False only if nothing in the bytes can match, whatever their encoding; cheap. */
  mayMatch(bytes: Buffer): boolean {
    if (!this.needle || bytes.includes(this.needle)) return true;
    const [first, second] = bytes;
    return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  }

  /** Matching lines, at most `limit`, with up to `context` lines around each. */
  match(text: string, context: number, limit: number): LineMatch[] {
    return this.matchWithin(text, context, limit).matches;
  }

  /** The same, with the part of the text in which all the lines lie, those around the matches included. */
  matchWithin(text: string, context: number, limit: number): TextMatches {
    const matches: LineMatch[] = [];
    const found =
      this.pattern.literal === undefined ? this.regexLines(text) : literalLines(text, this.pattern.literal);
    let [first, last] = [text.length, 0];
    for (const { number, start, end, column } of found) {
      first = Math.min(first, start);
      last = end;
      matches.push({
        line: number,
        column: column + 1,
        text: cutLine(text.slice(start, end), column),
        before: linesBefore(text, start, context),
        after: linesAfter(text, end, context),
      });
      if (matches.length >= limit) break;
    }
    return { matches, start: startBefore(text, first, context), end: endAfter(text, last, context) };
  }

  private *regexLines(text: string): Generator<FoundLine> {
    if (this.wholeText?.test(text) === false) return;
    let number = 1;
    for (let start = 0; start < text.length; number++) {
      const end = lineEnd(text, start);
      const line = text.slice(start, withoutReturn(text, start, end));
      const column = this.regex.exec(line)?.index;
      if (column !== undefined) yield { number, start, end: start + line.length, column };
      start = end + 1;
    }
  }
}

/** A line's number, its place in the text, and the 0-based column of its first match. */
interface FoundLine {
  number: number;
  start: number;
  end: number;
  column: number;
}

/** Goes from hit to hit, so that what lies between is hardly looked at. */
function* literalLines(text: string, literal: string): Generator<FoundLine> {
  let number = 1;
  let counted = 0;
  for (let at = text.indexOf(literal); at >= 0;) {
    const start = text.lastIndexOf('\n', at - 1) + 1;
    for (
      let next = text.indexOf('\n', counted);
      next >= 0 && next < start;
      next = text.indexOf('\n', counted)
    ) {
      number++;
      counted = next + 1;
    }
    const end = lineEnd(text, at);
    yield { number, start, end: withoutReturn(text, start, end), column: at - start };
    at = text.indexOf(literal, end);
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** A carriage return ends a line only before a line feed, as it does for ripgrep. */
function withoutReturn(text: string, start: number, end: number): number {
  return end > start && text[end - 1] === '\r' && text[end] === '\n' ? end - 1 : end;
}

function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let end = start - 1; lines.length < count && end >= 0;) {
    const from = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    lines.unshift(cutLine(text.slice(from, withoutReturn(text, from, end))));
    end = from - 1;
  }
  return lines;
}

function linesAfter(text: string, end: number, count: number): string[] {
  const lines: string[] = [];
  for (let start = lineEnd(text, end) + 1; lines.length < count && start < text.length;) {
    const to = lineEnd(text, start);
    lines.push(cutLine(text.slice(start, withoutReturn(text, start, to))));
    start = to + 1;
  }
  return lines;
}

/** Where the line begins that is so many before the one that begins at `start`. */
function startBefore(text: string, start: number, count: number): number {
  let from = start;
  for (let left = count; left > 0 && from > 0; left--)
    from = from < 2 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
  return from;
}

/** Where the line ends that is so many after the one that ends at `end`. */
function endAfter(text: string, end: number, count: number): number {
  let to = lineEnd(text, end);
  for (let left = count; left > 0 && to < text.length; left--) to = lineEnd(text, to + 1);
  return to;
}
