import type { Path, Value } from '../edit.ts';

/** How one kind of file is read and changed in its place. Texts have no byte order mark, and no other line ends than `\n`. */
export interface Format {
  /**
   * What the text holds, read as strictly as the program reads it. Of an empty text: an empty object.
   * @throws UnchangeableFile with the line that is broken
   */
  parse(text: string): object;
  /** The text with another value in the place of one that is there. */
  replace(text: string, path: Path, value: Value): string;
  /** The text with a new member of an object, or a new last item of a list. */
  insert(text: string, container: Path, key: string | number, value: Value): string;
  remove(text: string, path: Path): string;
}

/** The text with another one between two places. */
export function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** The place of the line break that ends the line, or the end of the text. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

export function lineStart(text: string, from: number): number {
  return text.lastIndexOf('\n', from - 1) + 1;
}

/** What stands before the first character of the line, if that is at the place, else undefined. */
export function indentBefore(text: string, at: number): string | undefined {
  const before = text.slice(lineStart(text, at), at);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** The text without a part of it, and without the whole line, where nothing else is in that. */
export function withoutLine(text: string, start: number, end: number): string {
  const isAlone =
    indentBefore(text, start) !== undefined && text.slice(end, lineEnd(text, end)).trim() === '';
  return isAlone
    ? splice(text, lineStart(text, start), Math.min(lineEnd(text, end) + 1, text.length), '')
    : splice(text, start, end, '');
}

export function indentOfLine(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? '';
}
