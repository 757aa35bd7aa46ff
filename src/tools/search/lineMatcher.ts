import { startOfLinesBefore } from '../../base/text/lineDiff.ts';
import { cutLine } from '../files/truncate.ts';
import type { LinePattern } from './linePattern.ts';

export interface LineMatch {
  /** 1-based. */
  line: number;
  column: number;
  text: string;
  before: string[];
  after: string[];
}

export interface TextMatches {
  matches: LineMatch[];
  start: number;
  end: number;
}

export class LineMatcher {
  private readonly regex: RegExp;
  /** Tests a whole text for any matching line; undefined if line ends could matter. */
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

  /** False only if no encoding of the bytes can match; cheap. */
  mayMatch(bytes: Buffer): boolean {
    if (!this.needle || bytes.includes(this.needle)) return true;
    const [first, second] = bytes;
    return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  }

  match(text: string, context: number, limit: number): LineMatch[] {
    return this.matchWithin(text, context, limit).matches;
  }

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
    return { matches, start: startOfLinesBefore(text, first, context), end: endAfter(text, last, context) };
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

/** 1-based line and 0-based column. */
interface FoundLine {
  number: number;
  start: number;
  end: number;
  column: number;
}

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

/** Like ripgrep: a carriage return ends a line only before a line feed. */
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

function endAfter(text: string, end: number, count: number): number {
  let to = lineEnd(text, end);
  for (let left = count; left > 0 && to < text.length; left--) to = lineEnd(text, to + 1);
  return to;
}
