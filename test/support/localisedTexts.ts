import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface LocalisedText {
  path: string;
  line: number;
  /** The text at run time, with its escapes decoded. */
  text: string;
  /** Functions whose arguments contain it, the nearest first. */
  within: string[];
}

export function readSources(): { path: string; source: string }[] {
  return readdirSync('src', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.split(sep).join('/'), source: readFileSync(path, 'utf8') }));
}

export function localisedTexts(): LocalisedText[] {
  return readSources().flatMap(({ path, source }) => textsIn(path, source));
}

const call = /l10n\s*\.t\(\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)/g;

export function textsIn(path: string, source: string): LocalisedText[] {
  return [...source.matchAll(call)].map(({ 1: literal = '', index }) => {
    const inner = literal.slice(1, -1).replace(/\\(['"`])/g, '$1');
    return {
      path,
      line: source.slice(0, index).split('\n').length,
      text: JSON.parse(`"${inner.replace(/(?<!\\)"/g, '\\"')}"`) as string,
      within: callsAround(source, index),
    };
  });
}

/** Reads backwards to each bracket still open at the index, up to the statement's beginning. */
function callsAround(source: string, index: number): string[] {
  const names: string[] = [];
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    const character = source[at] ?? '';
    if (')]}'.includes(character)) depth++;
    else if ('([{'.includes(character)) {
      if (depth > 0) depth--;
      else if (character === '(')
        names.push(/[\w$]*$/.exec(source.slice(Math.max(0, at - 80), at))?.[0] ?? '');
      else if (character === '{') break;
    }
  }
  return names;
}
