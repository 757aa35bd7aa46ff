import { redactSecrets } from '../../base/secrets/redactSecrets.ts';

/** Characters (UTF-16 code units) that are sent. */
export const mostBefore = 4_000;
export const mostAfter = 1_000;
/** Characters on each side of the caret that are searched for secrets; a private key is this long. */
export const reach = 20_000;

/** The caret in a document. Line ends are `\n`; offsets count UTF-16 code units. */
export interface SuggestionPlace {
  path: string;
  /** The text around the caret, up to `reach` on each side. */
  text: string;
  caret: number;
  /** The caret's offset in the whole document. */
  offset: number;
}

export interface Surroundings {
  before: string;
  after: string;
}

export function surroundings({ text, caret }: SuggestionPlace): Surroundings {
  const [start, end] = bounds(text, caret);
  return { before: text.slice(start, caret), after: text.slice(caret, end) };
}

/** The surroundings with secrets masked; undefined if the caret's own line has one. */
export function sentSurroundings({ text, caret }: SuggestionPlace): Surroundings | undefined {
  const [start, end] = bounds(text, caret);
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1;
  const lineBreak = text.indexOf('\n', caret);
  const lineEnd = lineBreak < 0 ? text.length : lineBreak;
  if (redactSecrets(text, lineStart, lineEnd) !== text.slice(lineStart, lineEnd)) return undefined;
  return { before: redactSecrets(text, start, caret), after: redactSecrets(text, caret, end) };
}

/** Never between the halves of a character. */
function bounds(text: string, caret: number): [start: number, end: number] {
  const start = Math.max(0, caret - mostBefore);
  const end = Math.min(text.length, caret + mostAfter);
  return [isHalf(text, start) ? start + 1 : start, isHalf(text, end) ? end - 1 : end];
}

function isHalf(text: string, at: number): boolean {
  return at > 0 && at < text.length && /^[\uDC00-\uDFFF]/.test(text.charAt(at));
}
