import { shapesMarkedIn } from './secretMarks.ts';
import { longestSecret, privateKeyMark } from './secretShapes.ts';

/** Stands in a text for a secret, and on each further line that the secret had. */
export const redactedMark = '[redacted secret]';
const redactedLine = '[redacted]';

/** The body of a private key is gone through so far for its end. */
const longestKey = 16_384;
/** A line of it: base64 or a header, perhaps quoted, indented or in a diff; also with its break written as `\n`. */
const keyLine =
  /[ \t"'`+>|#*-]{0,40}(?:[A-Za-z0-9+/=]{16,200}|(?:Proc-Type|DEK-Info|Version|Comment|Hash):[^\n\\]{0,200})?[ \t"'`,;+\\]{0,20}(?:\r?\n|n(?=[A-Za-z0-9+/=]{16}|-----)|(?![^]))/y;
const keyEnd = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;

interface Span {
  start: number;
  end: number;
}

/**
 * The text without what looks like a secret; its lines keep their numbers.
 * @param start of the part of the text that is wanted, in UTF-16 code units: what is a secret hangs on the whole, such as
 *   for a line in the middle of a private key
 */
export function redactSecrets(text: string, start = 0, end = text.length): string {
  const out: string[] = [];
  let at = start;
  for (const span of spansIn(text, 0, true)) {
    if (span.end <= start || span.start >= end) continue;
    const [from, to] = [Math.max(span.start, start), Math.min(span.end, end)];
    out.push(text.slice(at, from), marksFor(text.slice(from, to)));
    at = to;
  }
  out.push(text.slice(at, end));
  return out.join('');
}

/**
 * False only if `redactSecrets` leaves the whole lines from `start` to `end` as they are. Looks at little more than them:
 * of all secrets only a private key takes several lines.
 */
export function mayRedact(text: string, start: number, end: number): boolean {
  return text.includes(privateKeyMark) || spansIn(text.slice(start, end), 0, true).length > 0;
}

/** How many secrets are redacted in a text, or in a part of one. */
export function countRedacted(text: string): number {
  const count = text.split(redactedMark).length - 1;
  return count === 0 && text.includes(redactedLine) ? 1 : count;
}

/**
 * Redacts a text that comes in pieces. Gives back what is certain and holds the rest, at most as much as the longest
 * secret has. Takes time that grows with the length of the text.
 */
export class Redactor {
  private held = '';
  /** What came before it: whether something is a token hangs on what it is joined to. */
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
    // A secret that touches the end may go on in the next piece, and one may begin before it.
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

/** In order and apart from each other. */
function spansIn(text: string, from: number, isEnd: boolean): Span[] {
  const spans: Span[] = [];
  for (const { marks, pattern, isReal } of shapesMarkedIn(text, from)) {
    const isKey = marks.includes(privateKeyMark);
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      if (start < from || (isReal && !isReal(match))) continue;
      if (isKey && start < (spans.at(-1)?.end ?? 0)) continue;
      const end = start + match[0].length;
      spans.push({ start, end: isKey ? endOfKey(text, end, isEnd) : end });
    }
  }
  spans.sort((a, b) => a.start - b.start);
  return joined(spans);
}

/** Where the key ends, the end of the text if that has yet to come. */
function endOfKey(text: string, from: number, isEnd: boolean): number {
  const limit = from + longestKey;
  const body = text.slice(from, limit);
  for (let at = body.indexOf('-----END'); at >= 0; at = body.indexOf('-----END', at + 1)) {
    keyEnd.lastIndex = from + at;
    if (keyEnd.test(text)) return keyEnd.lastIndex;
  }
  if (!isEnd && text.length < limit) return text.length;
  // Its end is missing or was left out: then what looks like its lines goes.
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
