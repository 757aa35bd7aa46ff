import { shapesMarkedIn } from './secretMarks.ts';
import { longestSecret, privateKeyMark } from './secretShapes.ts';

export const redactedMark = '[redacted secret]';
const redactedLine = '[redacted]';

/** Characters of a private key that are searched for its end. */
const longestKey = 16_384;
/** A line of a private key: base64 or a header, possibly quoted, indented, in a diff, or with an escaped line break. */
const keyLine =
  /[ \t"'`+>|#*-]{0,40}(?:[A-Za-z0-9+/=]{16,200}|(?:Proc-Type|DEK-Info|Version|Comment|Hash):[^\n\\]{0,200})?[ \t"'`,;+\\]{0,20}(?:\r?\n|n(?=[A-Za-z0-9+/=]{16}|-----)|(?![^]))/y;
const keyEnd = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** Context that decides on a part of a text, in UTF-16 code units. */
const reach = longestKey + 2 * longestSecret;

export interface RedactableText {
  text: string;
  /** Lacks what the whole document shows to be part of a secret, as a line of a private key. */
  redacted: string;
}

interface Span {
  start: number;
  end: number;
}

/** Redacts what looks like a secret and keeps line numbers. Context around `start` and `end` (UTF-16) counts. */
export function redactSecrets(text: string, start = 0, end = text.length): string {
  const out: string[] = [];
  let at = start;
  const first = Math.max(0, start - reach);
  for (const span of spansIn(text.slice(first, end + reach), 0, true)) {
    const [from, to] = [Math.max(first + span.start, start), Math.min(first + span.end, end)];
    if (from >= to) continue;
    out.push(text.slice(at, from), marksFor(text.slice(from, to)));
    at = to;
  }
  out.push(text.slice(at, end));
  return out.join('');
}

/** False only if `redactSecrets` leaves these whole lines unchanged; looks at little more than them. */
export function mayRedact(text: string, start: number, end: number): boolean {
  return text.includes(privateKeyMark) || spansIn(text.slice(start, end), 0, true).length > 0;
}

export function countRedacted(text: string): number {
  const count = text.split(redactedMark).length - 1;
  return count === 0 && text.includes(redactedLine) ? 1 : count;
}

/** Redacts streamed text in linear time; holds back at most the length of the longest secret. */
export class Redactor {
  private held = '';
  /** The character before it, which decides on where a token begins. */
  private before = '';

  push(piece: string): string {
    return this.take(this.held + piece, false);
  }

  end(): string {
    return this.take(this.held, true);
  }

  private take(text: string, isEnd: boolean): string {
    const whole = this.before + text;
    const from = this.before.length;
    // A secret at the end may continue in the next piece, and one may begin before it.
    let sure = isEnd ? whole.length : Math.max(from, whole.length - longestSecret - 1);
    const out: string[] = [];
    let at = from;
    for (const { start, end } of spansIn(whole, from, isEnd)) {
      if (!isEnd && (end === whole.length || start >= sure)) {
        sure = Math.min(sure, start);
        break;
      }
      sure = Math.max(sure, end);
      out.push(whole.slice(at, start), marksFor(whole.slice(start, end)));
      at = end;
    }
    sure = Math.max(sure, at);
    out.push(whole.slice(at, sure));
    this.before = whole.slice(Math.max(0, sure - 1), sure);
    this.held = whole.slice(sure);
    return out.join('');
  }
}

/** Sorted and without overlaps. */
function spansIn(text: string, from: number, isEnd: boolean): Span[] {
  const spans: Span[] = [];
  const nextKeyEnd = keyEndsIn(text);
  for (const { marks, pattern, isReal } of shapesMarkedIn(text, from)) {
    const isKey = marks.includes(privateKeyMark);
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      if (start < from || (isReal && !isReal(match))) continue;
      if (isKey && start < (spans.at(-1)?.end ?? 0)) continue;
      const end = start + match[0].length;
      spans.push({ start, end: isKey ? endOfKey(text, end, isEnd, nextKeyEnd(end)) : end });
    }
  }
  spans.sort((a, b) => a.start - b.start);
  return joined(spans);
}

/** Finds the next end of a key; positions must be asked in ascending order. */
function keyEndsIn(text: string): (from: number) => Span | undefined {
  let next: Span | undefined = { start: -1, end: -1 };
  return (from) => {
    if (!next || next.start >= from) return next;
    keyEnd.lastIndex = from;
    const match = keyEnd.exec(text);
    return (next = match ? { start: match.index, end: keyEnd.lastIndex } : undefined);
  };
}

function endOfKey(text: string, from: number, isEnd: boolean, next: Span | undefined): number {
  const limit = from + longestKey;
  if (next && next.start < limit) return next.end;
  if (!isEnd && text.length < limit) return text.length;
  // The end is missing: lines that look like a key are redacted.
  let end = from;
  for (keyLine.lastIndex = from; end < limit && keyLine.test(text) && keyLine.lastIndex > end;) {
    end = keyLine.lastIndex;
  }
  return text.slice(from, end).trimEnd().length + from;
}

function joined(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of spans) {
    const last = apart.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else apart.push({ ...span });
  }
  return apart;
}

function marksFor(secret: string): string {
  const breaks = secret.match(/\r?\n/g) ?? [];
  return [redactedMark, ...breaks.map((lineBreak) => lineBreak + redactedLine)].join('');
}
