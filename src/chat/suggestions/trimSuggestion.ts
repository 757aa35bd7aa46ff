import { unseenAt } from '../../base/text/visibleText.ts';
import type { Surroundings } from './suggestionPlace.ts';

export const mostLines = 12;
export const mostCharacters = 1_000;

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const openers = new Set(Object.values(closers));
const quotes = ['"', "'", '`'];

/** The bounded part worth showing, without what follows the caret; one line before code. `isCut`: hit the limit. */
export function trimSuggestion(answer: string, { after }: Surroundings, isCut = false): string {
  const text = visiblePart(answer.replaceAll('\r\n', '\n'));
  const [restOfLine = ''] = after.split('\n', 1);
  // Brackets and quotes that the editor closed by itself may still move to another line.
  const isWithinLine = /[^\s)\]}>"'`;,]/.test(restOfLine);
  const bounded = isWithinLine ? firstLine(text) : withinBounds(text, isCut);
  const short = withoutRepeatedLines(bounded, after).trimEnd();
  return withoutOverlap(short, after).trimEnd();
}

/** Code that looks different from what it is, is not suggested. */
function visiblePart(text: string): string {
  const at = unseenAt(text);
  return at < 0 ? text : text.slice(0, at);
}

function firstLine(text: string): string {
  return shortened(text.split('\n', 1)[0] ?? '');
}

/** Never between the halves of a character. */
function shortened(text: string): string {
  return text.length > mostCharacters ? text.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/, '') : text;
}

function withinBounds(text: string, isCut: boolean): string {
  const short = shortened(text);
  const lines = short.split('\n');
  if (lines.length > 1 && (isCut || short !== text)) lines.pop();
  return lines.slice(0, mostLines).join('\n');
}

function withoutRepeatedLines(text: string, after: string): string {
  const [, ...below] = after.split('\n');
  const next = below.find((line) => line.trim() !== '')?.trimEnd();
  if (next === undefined) return text;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const end = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, end < 0 ? text.length : end);
    if (line.trimEnd() === next && mayEndAt(text, at)) return text.slice(0, at);
  }
  return text;
}

function withoutOverlap(text: string, after: string): string {
  for (let length = Math.min(text.length, after.length); length > 0; length--) {
    const at = text.length - length;
    if (after.startsWith(text.slice(at)) && mayEndAt(text, at)) return text.slice(0, at);
  }
  return text;
}

export function closedAfter(text: string, after: string): number {
  const unopened = bracketsOf(text).unopened;
  let count = 0;
  while (count < unopened.length && after[count] === unopened[count]) count++;
  return count;
}

/** Brackets without a partner: closing ones, and opening ones behind them. */
function bracketsOf(text: string): { unopened: string[]; unclosed: string[] } {
  const unopened: string[] = [];
  const unclosed: string[] = [];
  for (const character of text) {
    const opener = closers[character];
    if (openers.has(character)) unclosed.push(character);
    else if (opener !== undefined && unclosed.at(-1) === opener) unclosed.pop();
    else if (opener !== undefined) unopened.push(character);
  }
  return { unopened, unclosed };
}

/** False if the text before `at` opens a bracket or a quote that is closed after it. */
function mayEndAt(text: string, at: number): boolean {
  const [kept, cut] = [text.slice(0, at), text.slice(at)];
  const isClosed = bracketsOf(cut).unopened.length > 0 && bracketsOf(kept).unclosed.length > 0;
  return !isClosed && quotes.every((quote) => !cut.includes(quote) || kept.split(quote).length % 2 === 1);
}
