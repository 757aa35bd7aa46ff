import * as l10n from '@vscode/l10n';
import { inline } from '../../base/text/oneLine.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { Question } from './toolBox.ts';

export interface CallText {
  name: string;
  value: string;
  /** `list`: each line of the value is an item. */
  kind?: 'command' | 'list';
}

const columns = 36;
const line = new RegExp(`[^\\n]{1,${columns}}\\n?|\\n`, 'gu');
const mostLines = 20;
/** Lines shown of each text when all texts together exceed `mostLines`. */
export const foldedLines = 12;

export function linesOf(text: string): string[] {
  return text.match(line) ?? [];
}

export function fits(text: string, lines: number): boolean {
  return linesTaken(text) <= Math.min(lines, mostLines);
}

/** True if the question shows everything its call would do, initially or after unfolding. */
export function isSeenWhole(question: Question): boolean {
  if (question.isUnfolded) return true;
  if (question.proposal) return question.proposal.files.every(({ path }) => fits(path, foldedLines));
  const texts = callTexts(question).flatMap(({ name, value }) => [name, value]);
  return texts.reduce((lines, text) => lines + linesTaken(text), 0) <= mostLines;
}

export function callTexts({ name, title, input }: Pick<Question, 'name' | 'title' | 'input'>): CallText[] {
  const names = title === undefined ? [] : [title, name].filter((each) => inline(each) !== each);
  return [
    ...names.map((value) => ({ name: l10n.t('Tool'), value })),
    ...Object.entries(input).map(([each, value]) => ({ name: each, ...inHumanForm(each, value) })),
  ];
}

function linesTaken(text: string): number {
  // Longer texts never fit, wherever their lines end.
  if (text.length > columns * mostLines) return Infinity;
  return Math.max(linesOf(text).length, linesOf(visibleText(text)).length);
}

const commandName = /^(?:command|cmd|script)$/i;
const plainWord = /^[\w@%+=:,./-]+$/;

function inHumanForm(name: string, value: unknown): Omit<CallText, 'name'> {
  const isCommand = commandName.test(name);
  if (typeof value === 'string') return { value, ...(isCommand && { kind: 'command' }) };
  const items = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : [];
  if (isCommand && items.length > 0) {
    const words = items.map((word) => (plainWord.test(word) ? word : JSON.stringify(word)));
    return { value: words.join(' '), kind: 'command' };
  }
  // A line break would split one item into two.
  if (items.length > 0 && !items.some((item) => /[\r\n]/.test(item))) {
    return { value: items.join('\n'), kind: 'list' };
  }
  return { value: JSON.stringify(value, null, 2) ?? '' };
}
