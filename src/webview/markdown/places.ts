import type { Location } from '../../shared/location.ts';

/** A location in text: `src/app.ts:12`, `src/app.ts:12:5` or `src/app.ts:12-20`. */
export interface Place {
  start: number;
  end: number;
  path: string;
  line: number;
  column?: number;
  endLine?: number;
}

/** Bounds the work per colon, so that the search is linear. */
const longestPath = 300;

const position = /:([1-9]\d{0,6})(?::([1-9]\d{0,4})|-([1-9]\d{0,6}))?(?![\p{L}\p{N}_])/gu;
/** Includes surrogates, since the text is read by code unit. */
const pathCharacter = /[\p{L}\p{N}\p{Cs}_.\-/\\@+~()[\]$]/u;
const fileName = /(?:\.\p{L}[\p{L}\p{N}]{0,9}|^(?:Makefile|Dockerfile|Gemfile|Rakefile|Justfile))$/u;

const hostName =
  /(?:^localhost|\.(?:com|org|net|edu|gov|io|dev|app|ai|cn|de|fr|uk|local|localhost|internal|test|example|invalid))$/i;

export function findPlaces(text: string): Place[] {
  const found: Place[] = [];
  let done = 0;
  for (const match of text.matchAll(position)) {
    const { index: colon, 0: whole, 1: line, 2: column, 3: endLine } = match;
    if (colon < done) continue;
    const start = pathStart(text, colon, done);
    const path = text.slice(start, colon).replaceAll('\\', '/');
    if (!isPath(path) || text[start - 1] === ':') continue;
    done = colon + whole.length;
    found.push({
      start,
      end: done,
      path,
      line: Number(line),
      ...(column !== undefined && { column: Number(column) }),
      ...(endLine !== undefined && { endLine: Number(endLine) }),
    });
  }
  return found;
}

function pathStart(text: string, colon: number, earliest: number): number {
  let start = colon;
  const limit = Math.max(earliest, colon - longestPath);
  while (start > limit && pathCharacter.test(text[start - 1] ?? '')) start--;
  for (let at = start; at < colon; at++) {
    const closing = closings.get(text[at] ?? '');
    if (closing === undefined || text.slice(at, colon).includes(closing)) break;
    start = at + 1;
  }
  return start;
}

const closings = new Map([
  ['(', ')'],
  ['[', ']'],
]);

function isPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path.includes('//') || !fileName.test(name)) return false;
  return path.includes('/') || !hostName.test(name);
}

export function addPlaceButtons(root: ParentNode): void {
  for (const span of root.querySelectorAll('span.place')) {
    if (span.closest('a')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'place';
    button.append(...span.childNodes);
    span.replaceWith(button);
  }
}

export function placeOf(target: Element): Location | undefined {
  const [place] = findPlaces(target.closest('button.place')?.textContent ?? '');
  if (!place) return undefined;
  const { path, line, column, endLine } = place;
  return { path, line, ...(column !== undefined && { column }), ...(endLine !== undefined && { endLine }) };
}
