import { diffStretches } from '../../base/text/lineDiff.ts';
import { asWritten } from '../../base/text/visibleText.ts';
import { largestWholeFile } from '../files/fileTexts.ts';
import { nearestLines } from './nearestLines.ts';
import { type Place, OldTextFinder } from './oldTextFinder.ts';
import type { GiveWay } from '../../base/async/promises.ts';

export interface Replacement {
  /** `\n` matches any line end. */
  oldText: string;
  newText: string;
  all?: boolean | undefined;
}

interface Problem {
  index: number;
  problem: string | NearMiss;
}

interface NearMiss {
  text: string;
  wanted: string;
}

/** Per file and call; this many in 10 MB take a few seconds. */
export const mostReplacements = 200;
const mostProblems = 4;
const mostCompared = 1_000_000;
const mostPlaces = 100_000;
/** In characters of old and new text; longer ones must match exactly. */
const longestAlike = 50_000;
const sampleLength = 100_000;

/** Applies all replacements in order, or none and describes the problem; line ends stay as they are. */
export async function applyReplacements(
  text: string,
  replacements: readonly Replacement[],
  giveWay: GiveWay,
): Promise<{ text: string } | { problem: string }> {
  const lineEnd = usualLineEnd(text.slice(0, sampleLength));
  let current = new OldTextFinder(text, giveWay);
  const problems: Problem[] = [];
  for (const [index, replacement] of replacements.entries()) {
    const outcome = await replace(current, replacement, lineEnd, giveWay);
    // All problems are reported at once to save attempts.
    if ('problem' in outcome) problems.push({ index, problem: outcome.problem });
    else current = new OldTextFinder(outcome.text, giveWay);
  }
  if (problems.length === 0) return { text: current.text };
  return { problem: await inWords(problems, replacements.length, giveWay) };
}

async function inWords(problems: readonly Problem[], count: number, giveWay: GiveWay): Promise<string> {
  const told = problems.slice(0, mostProblems);
  const others = problems.slice(mostProblems).map(({ index }) => index + 1);
  const lines: string[] = [];
  for (const { index, problem } of told) {
    const which = count > 1 ? `Replacement ${index + 1} of ${count}` : 'The replacement';
    const what = typeof problem === 'string' ? problem : await nearMiss(problem, told.length, giveWay);
    lines.push(`${which} does not fit: ${what}`);
  }
  return [...lines, ...(others.length > 0 ? [`Nor do replacements ${others.join(', ')}.`] : [])].join('\n');
}

async function nearMiss({ text, wanted }: NearMiss, count: number, giveWay: GiveWay): Promise<string> {
  const searched = new OldTextFinder(text, giveWay);
  const nearest = await nearestLines(searched, wanted, Math.floor(mostCompared / count), giveWay);
  return `oldText does not occur in the file. ${nearest}`;
}

async function replace(
  searched: OldTextFinder,
  { oldText, newText, all = false }: Replacement,
  lineEnd: string,
  giveWay: GiveWay,
): Promise<{ text: string } | Pick<Problem, 'problem'>> {
  const { text } = searched;
  if (oldText === '') {
    if (text === '') return { text: newText };
    return {
      problem: 'oldText is empty. To insert text, give a line next to the place and repeat it in newText.',
    };
  }
  const exact = await searched.find(oldText, 'exact', mostPlaces);
  const mayBeAlike = exact.length === 0 && oldText.length + newText.length <= longestAlike;
  if (mayBeAlike && asWritten(oldText) !== oldText) {
    const written = { all, oldText: asWritten(oldText), newText: asWritten(newText) };
    return replace(searched, written, lineEnd, giveWay);
  }
  const alike = mayBeAlike ? await searched.find(oldText, 'alike', mostPlaces) : [];
  const places = exact.length > 0 ? exact : alike;
  if (places.length === 0) return { problem: { text, wanted: oldText } };
  if (places.length === mostPlaces) {
    return { problem: `oldText occurs ${mostPlaces} times or more. Add text around it.` };
  }
  if (places.length > 1 && !all) {
    const lines = await searched.lineNumbers(places.slice(0, 10));
    const more = places.length > 10 ? ', …' : '';
    return {
      problem:
        `oldText occurs ${places.length} times (lines ${lines.join(', ')}${more}). Add lines around it until it ` +
        'occurs once, or set all to true to replace every one.',
    };
  }
  const inserted = exact.length > 0 ? () => newText : keepingLines(oldText, newText);
  return join(text, places, (found) => inserted(found).replace(/\r?\n/g, lineEnd), giveWay);
}

async function join(
  text: string,
  places: readonly Place[],
  inserted: (found: string) => string,
  giveWay: GiveWay,
): Promise<{ text: string } | { problem: string }> {
  const pieces: string[] = [];
  let [from, length] = [0, text.length];
  for (const [start, end] of places) {
    const piece = inserted(text.slice(start, end));
    length += piece.length - (end - start);
    if (length > Math.max(text.length, largestWholeFile))
      return { problem: 'the file would be larger than 10 MB, which is more than can be edited.' };
    pieces.push(text.slice(from, start), piece);
    from = end;
    await giveWay();
  }
  return { text: [...pieces, text.slice(from)].join('') };
}

/** For an almost exact match: lines that the new text only repeats stay as in the file. */
function keepingLines(oldText: string, newText: string): (found: string) => string {
  const after = newText.split(/\r?\n/);
  const stretches = diffStretches(oldText.split(/\r?\n/), after);
  return (found) => {
    const lines = found.split(/\r?\n/);
    const kept: string[] = [];
    let at = 0;
    for (const { from, to, newFrom, newTo } of stretches) {
      kept.push(...lines.slice(at, from), ...after.slice(newFrom, newTo));
      at = to;
    }
    return [...kept, ...lines.slice(at)].join('\n');
  };
}

function usualLineEnd(text: string): string {
  const all = text.split('\n').length - 1;
  return (text.split('\r\n').length - 1) * 2 > all ? '\r\n' : '\n';
}
