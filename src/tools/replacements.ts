import { diffStretches } from '../base/lineDiff.ts';
import { asWritten } from '../base/visibleText.ts';
import { foldedPlaces } from './foldedText.ts';
import { nearestLines } from './nearestLines.ts';

export interface Replacement {
  /** With `\n` for any line end of the file. */
  oldText: string;
  newText: string;
  all?: boolean | undefined;
}

/** In which of several replacements something is wrong, and what; without an index there is only one. */
interface Problem {
  index: number;
  problem: string;
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
  const problems: Problem[] = [];
  for (const [index, replacement] of replacements.entries()) {
    const outcome = replace(current, replacement, lineEnd);
    // What else does not fit is said at once, so that one more try is enough.
    if ('problem' in outcome) problems.push({ index, problem: outcome.problem });
    else current = outcome.text;
  }
  return problems.length === 0 ? { text: current } : { problem: inWords(problems, replacements.length) };
}

/** So many are told in full. */
const mostProblems = 4;

function inWords(problems: readonly Problem[], count: number): string {
  const told = problems.slice(0, mostProblems).map(({ index, problem }) => {
    const which = count > 1 ? `Replacement ${index + 1} of ${count}` : 'The replacement';
    return `${which} does not fit: ${problem}`;
  });
  const others = problems.slice(mostProblems).map(({ index }) => index + 1);
  return [...told, ...(others.length > 0 ? [`Nor do replacements ${others.join(', ')}.`] : [])].join('\n');
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
  const exact = exactPlaces(text, oldText);
  if (exact.length === 0 && asWritten(oldText) !== oldText) {
    return replace(text, { all, oldText: asWritten(oldText), newText: asWritten(newText) }, lineEnd);
  }
  const places = exact.length > 0 ? exact : foldedPlaces(text, oldText);
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
  let result = '';
  let from = 0;
  for (const [start, end] of places) {
    const inserted = exact.length > 0 ? newText : keepingLines(text.slice(start, end), oldText, newText);
    result += text.slice(from, start) + inserted.replace(/\r?\n/g, lineEnd);
    from = end;
  }
  return { text: result + text.slice(from) };
}

type Lines = [found: string[], before: string[], after: string[]];

/** The new text, in which the lines that are only repeated from the old one stay as the file has them. */
function keepingLines(found: string, oldText: string, newText: string): string {
  const [lines, before, after] = [found, oldText, newText].map((each) => each.split(/\r?\n/)) as Lines;
  const kept: string[] = [];
  let at = 0;
  for (const { from, to, newFrom, newTo } of diffStretches(before, after)) {
    kept.push(...lines.slice(at, from), ...after.slice(newFrom, newTo));
    at = to;
  }
  return [...kept, ...lines.slice(at)].join('\n');
}

/** Start and end of each occurrence; a line end in `wanted` stands for either kind. */
function exactPlaces(text: string, wanted: string): [start: number, end: number][] {
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
