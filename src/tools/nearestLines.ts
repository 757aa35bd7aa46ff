import { redactSecrets } from '../base/secrets/redact.ts';
import { visibleLine } from '../base/visibleText.ts';
import { cutLine } from './truncate.ts';

/** Comparing more would cost more than it helps. */
const mostLines = 50_000;
const comparedLength = 300;

/** Says where a text that does not occur almost does, with the lines as they are, for a model to copy from. */
export function nearestLines(text: string, wanted: string): string {
  const lines = redactSecrets(text).split(/\r?\n/);
  const asked = wanted.split(/\r?\n/);
  const numbered = asked.filter((line) => line.trim() !== '').every((line) => /^\s*\d+\t/.test(line));
  if (numbered)
    return 'It has the line numbers of read_file in it, which are not part of the file. Leave them out.';

  const found = findIgnoringSpace(lines, asked);
  if (found !== undefined) {
    return `Only white space differs. The file has:\n${show(lines, found, asked.length)}\nCopy it exactly.`;
  }
  const [anchor, offset] = longestLine(asked);
  const near = mostSimilar(lines.slice(0, mostLines), anchor);
  if (near === undefined) return 'Nothing like it is there. Read the file again.';
  const start = Math.max(0, near - offset);
  return `The nearest is:\n${show(lines, start, Math.max(asked.length, 3))}\nRead the file again if that is not it.`;
}

function findIgnoringSpace(lines: readonly string[], asked: readonly string[]): number | undefined {
  const squeeze = (line: string) => line.replace(/\s+/g, '');
  const wanted = asked.map(squeeze);
  while (wanted.length > 1 && wanted.at(-1) === '') wanted.pop();
  if (wanted.every((line) => line === '')) return undefined;
  const squeezed = lines.map(squeeze);
  const at = squeezed.findIndex((_, start) =>
    wanted.every((line, index) => squeezed[start + index] === line),
  );
  return at < 0 ? undefined : at;
}

/** The line that says most, and how many lines are before it. */
function longestLine(asked: readonly string[]): [line: string, offset: number] {
  let best = 0;
  for (const [index, line] of asked.entries()) {
    if (line.trim().length > (asked[best] ?? '').trim().length) best = index;
  }
  return [(asked[best] ?? '').trim(), best];
}

function mostSimilar(lines: readonly string[], wanted: string): number | undefined {
  const wantedPairs = pairsOf(wanted);
  let best: number | undefined;
  let bestScore = 0.4;
  for (const [index, line] of lines.entries()) {
    const pairs = pairsOf(line.trim());
    let common = 0;
    for (const pair of pairs) if (wantedPairs.has(pair)) common++;
    const score = (2 * common) / (pairs.size + wantedPairs.size || 1);
    if (score > bestScore) [best, bestScore] = [index, score];
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

function show(lines: readonly string[], start: number, count: number): string {
  return lines
    .slice(start, start + Math.min(count, 20))
    .map((line, index) => `${start + index + 1}\t${cutLine(visibleLine(line))}`)
    .join('\n');
}
