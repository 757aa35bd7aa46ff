import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { visibleLine } from '../../base/text/visibleText.ts';
import type { OldTextFinder } from './oldTextFinder.ts';
import { cutLine } from '../files/truncate.ts';
import type { GiveWay } from '../../base/async/promises.ts';

const mostLines = 50_000;
const comparedLength = 300;
const mostShown = 20;
const longestShown = 20_000;
const longestAsked = 20_000;

/** Describes where a missing text almost occurs; compares at most `most` characters. */
export async function nearestLines(
  searched: OldTextFinder,
  wanted: string,
  most: number,
  giveWay: GiveWay,
): Promise<string> {
  const { text } = searched;
  const asked = wanted.slice(0, longestAsked).split(/\r?\n/);
  const said = asked.filter((line) => line.trim() !== '');
  if (said.length > 0 && said.every((line) => /^\s*\d+\t/.test(line)))
    return 'It has the line numbers of read_file in it, which are not part of the file. Leave them out.';

  const squeezed = await searched.find(wanted, 'squeezed', 1);
  const [found] = squeezed;
  if (found) {
    const start = found[0] === 0 ? 0 : text.lastIndexOf('\n', found[0] - 1) + 1;
    const [first = 1] = await searched.lineNumbers(squeezed);
    const lines = linesOf(redactSecrets(text, start, start + longestShown));
    return `Only white space differs. The file has:\n${show(lines, 0, asked.length, first)}\nCopy it exactly.`;
  }
  const [anchor, offset] = longestLine(asked);
  const lines = linesOf(redactSecrets(text, 0, most));
  const near = await mostSimilar(lines, anchor, giveWay);
  if (near === undefined) return 'Nothing like it is there. Read the file again.';
  const start = Math.max(0, near - offset);
  return `The nearest is:\n${show(lines, start, Math.max(asked.length, 3), start + 1)}\nRead the file again if that is not it.`;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/, mostLines);
}

function longestLine(asked: readonly string[]): [line: string, offset: number] {
  let best = 0;
  for (const [index, line] of asked.entries()) {
    if (line.trim().length > (asked[best] ?? '').trim().length) best = index;
  }
  return [(asked[best] ?? '').trim(), best];
}

async function mostSimilar(
  lines: readonly string[],
  wanted: string,
  giveWay: GiveWay,
): Promise<number | undefined> {
  const wantedPairs = pairsOf(wanted);
  let best: number | undefined;
  let bestScore = 0.4;
  for (const [index, line] of lines.entries()) {
    const pairs = pairsOf(line.slice(0, 2 * comparedLength).trim());
    let common = 0;
    for (const pair of pairs) if (wantedPairs.has(pair)) common++;
    const score = (2 * common) / (pairs.size + wantedPairs.size || 1);
    if (score > bestScore) [best, bestScore] = [index, score];
    await giveWay();
  }
  return best;
}

function pairsOf(line: string): Set<string> {
  const pairs = new Set<string>();
  for (let index = 1; index < Math.min(line.length, comparedLength); index++) {
    pairs.add(line.slice(index - 1, index + 1));
  }
  return pairs;
}

function show(lines: readonly string[], start: number, count: number, first: number): string {
  return lines
    .slice(start, start + Math.min(count, mostShown))
    .map((line, index) => `${first + index}\t${cutLine(visibleLine(line))}`)
    .join('\n');
}
