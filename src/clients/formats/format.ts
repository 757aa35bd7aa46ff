import type { Path, Value } from '../edit.ts';

/** Reads a file format and edits it in place. Texts have no byte order mark and only `\n` as line end. */
export interface Format {
  /** Is as strict as the program; an empty text is an empty object. Throws `UnchangeableFile` with the broken line. */
  parse(text: string): object;
  replace(text: string, path: Path, value: Value): string;
  insert(text: string, container: Path, key: string | number, value: Value): string;
  remove(text: string, path: Path): string;
}

export function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

export function lineStart(text: string, from: number): number {
  return text.lastIndexOf('\n', from - 1) + 1;
}

export function indentBefore(text: string, at: number): string | undefined {
  const before = text.slice(lineStart(text, at), at);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

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
