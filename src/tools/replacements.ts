import { asWritten } from '../base/visibleText.ts';
import { nearestLines } from './nearestLines.ts';

export interface Replacement {
  /** With `\n` for any line end of the file. */
  oldText: string;
  newText: string;
  all?: boolean | undefined;
}

/**
 * Makes all replacements, each on the result of the one before, or none: then `problem` says which did not fit and
 * what to try next. Line ends stay as they are; new lines get the kind that the file mostly has.
 */
export function applyReplacements(
  text: string,
  replacements: readonly Replacement[],
): { text: string } | { problem: string } {
  const lineEnd = usualLineEnd(text);
  let current = text;
  for (const [index, replacement] of replacements.entries()) {
    const which =
      replacements.length > 1 ? `Replacement ${index + 1} of ${replacements.length}` : 'The replacement';
    const outcome = replace(current, replacement, lineEnd);
    if ('problem' in outcome) return { problem: `${which} does not fit: ${outcome.problem}` };
    current = outcome.text;
  }
  return { text: current };
}

function replace(
  text: string,
  replacement: Replacement,
  lineEnd: string,
): { text: string } | { problem: string } {
  const { oldText, newText, all = false } = replacement;
  if (oldText === '') {
    if (text === '') return { text: newText };
    return {
      problem: 'oldText is empty. To insert text, give a line next to the place and repeat it in newText.',
    };
  }
  const places = placesOf(text, oldText);
  if (places.length === 0 && asWritten(oldText) !== oldText) {
    return replace(text, { all, oldText: asWritten(oldText), newText: asWritten(newText) }, lineEnd);
  }
  if (places.length === 0)
    return { problem: `oldText does not occur in the file. ${nearestLines(text, oldText)}` };
  if (places.length > 1 && !all) {
    const lines = places.slice(0, 10).map(([start]) => lineNumber(text, start));
    const more = places.length > 10 ? ', …' : '';
    return {
      problem:
        `oldText occurs ${places.length} times (lines ${lines.join(', ')}${more}). Add lines around it until it ` +
        'occurs once, or set all to true to replace every one.',
    };
  }
  const inserted = newText.replace(/\r?\n/g, lineEnd);
  let result = '';
  let from = 0;
  for (const [start, end] of places) {
    result += text.slice(from, start) + inserted;
    from = end;
  }
  return { text: result + text.slice(from) };
}

/** Start and end of each occurrence; a line end in `wanted` stands for either kind. */
function placesOf(text: string, wanted: string): [start: number, end: number][] {
  const lines = wanted.split(/\r?\n/).map((line) => line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return [...text.matchAll(new RegExp(lines.join('\\r?\\n'), 'g'))].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}

function usualLineEnd(text: string): string {
  const all = text.match(/\n/g)?.length ?? 0;
  const withReturn = text.match(/\r\n/g)?.length ?? 0;
  return withReturn * 2 > all ? '\r\n' : '\n';
}

function lineNumber(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
