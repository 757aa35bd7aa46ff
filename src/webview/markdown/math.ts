import type { Tokens } from 'marked';

/**
 * Mathematics between the delimiters of LaTeX: `\(…\)`, `\[…\]` and `$$…$$`. Markdown would take its underscores for
 * emphasis and its backslashes for escapes, so it is kept as it was written.
 */

/** Nothing longer is looked at, so that an opening without an end costs the same anywhere. */
const longestInline = 2000;
const longestBlock = 4000;

const inlineEnds: Record<string, string> = { '\\(': '\\)', '\\[': '\\]', $$: '$$' };
const blockStart = /^ {0,3}(\\\[|\$\$)/;

/** Reads mathematics where a line of text goes on with it. */
export function readInlineMath(source: string): Tokens.Generic | undefined {
  const end = inlineEnds[source.slice(0, 2)];
  if (end === undefined) return undefined;
  const at = source.slice(0, longestInline).indexOf(end, 2);
  return at > 2 && !source.slice(0, at).includes('\n\n')
    ? { type: 'math', raw: source.slice(0, at + 2) }
    : undefined;
}

/**
 * Reads mathematics that stands in lines of its own, none of them empty. Without an end it goes on to the end of the
 * text, as a fence does: what it was drawn as while it grew then never has to be taken back.
 */
export function readBlockMath(source: string): Tokens.Generic | undefined {
  const [opening, delimiter = ''] = blockStart.exec(source) ?? [];
  if (opening === undefined) return undefined;
  const near = source.slice(0, longestBlock);
  const blank = near.indexOf('\n\n');
  const end = near.indexOf(inlineEnds[delimiter] ?? '', opening.length);
  if (end < 0 || (blank >= 0 && blank < end)) {
    const isOpen = blank < 0 && source.length <= longestBlock && source.trimEnd().length > opening.length;
    return isOpen ? { type: 'mathBlock', raw: source } : undefined;
  }
  const rest = /^[ \t]*(?:\n|$)/.exec(source.slice(end + 2))?.[0];
  return rest === undefined || end === opening.length
    ? undefined
    : { type: 'mathBlock', raw: source.slice(0, end + 2) + rest };
}

/** Where a text goes on with `$$`, which ends no word of Markdown's own. */
export function inlineMathStart(source: string): number {
  const at = source.slice(0, longestInline).indexOf('$$');
  // What was not looked at is looked at with the next piece of the text.
  return at < 0 && source.length > longestInline ? longestInline : at;
}

/** Where a paragraph is followed by mathematics in lines of its own. */
export function blockMathStart(source: string): number {
  // A paragraph that is cut for nothing is put together again, which takes long for many cuts.
  for (const { index } of source.slice(0, longestBlock).matchAll(/\n(?= {0,3}(?:\\\[|\$\$))/g)) {
    if (readBlockMath(source.slice(index + 1))) return index + 1;
  }
  return -1;
}
