import { visibleName, visibleText } from './visibleText.ts';

const maxShown = 100;
const maxInline = 120;

/** Text on one line without invisible characters, cut if it is long. */
export function oneLine(text: string, max = maxShown): string {
  // The text can be a whole file.
  const line = text.slice(0, max * 4).replace(/[\s\p{Cc}]+/gu, ' ');
  return cut(line.trim(), max, text.length > max * 4, visibleName);
}

export function oneWord(text: string): string {
  return oneLine(text).replaceAll(' ', '-');
}

const rightToLeft =
  /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Samr}\p{sc=Mand}\p{sc=Adlm}\p{sc=Rohg}]/u;

/** Text of others within our sentence: visible, line breaks as signs, right-to-left text isolated. */
export function inline(text: string, max = maxInline): string {
  const line = visibleText(text.slice(0, max * 4))
    .trim()
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replace(/\s+/g, ' ');
  const shown = cut(line, max, text.length > max * 4);
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/** The same for a list of the editor, without its icon syntax `$(check)`. */
export function inList(text: string, max?: number): string {
  return inline(text, max).replace(/\$\((?=[\w~-]+\))/g, '\\$&');
}

function cut(line: string, max: number, isCut: boolean, shown = (text: string) => text): string {
  if (line.length <= max && !isCut) return shown(line);
  const start = line.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  return `${shown(start.trimEnd())}…`;
}
