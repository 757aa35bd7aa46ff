import type { Location } from '../../shared/code.ts';

/** A location in text: `src/app.ts:12`, `src/app.ts:12:5`, `src/app.ts:12-20` or `src/app.ts#L12-L20`. */
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

const position = /(?::|#L)([1-9]\d{0,6})(?::([1-9]\d{0,4})|-L?([1-9]\d{0,6}))?(?![\p{L}\p{N}_])/gu;
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

export function isLonePath(code: string): boolean {
  const path = code.replaceAll('\\', '/');
  if (code.length > longestPath || !isPath(path)) return false;
  return Array.from(path).every((character) => pathCharacter.test(character));
}

export function linkedPlace(href: string): Location | undefined {
  const [, address = '', line, column, endLine] =
    /^([^?#]*?)(?:(?::|#L)([1-9]\d{0,6})(?::([1-9]\d{0,4})|-L?([1-9]\d{0,6}))?)?$/.exec(href) ?? [];
  if (address === '' || address.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(address)) return undefined;
  return toLocation({ path: decoded(address), line, column, endLine });
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function toLocation(
  place: { path: string } & Partial<Record<'line' | 'column' | 'endLine', unknown>>,
): Location {
  const { path, line, column, endLine } = place;
  return {
    path,
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
    ...(endLine !== undefined && { endLine: Number(endLine) }),
  };
}

export type IsThere = (path: string) => boolean | undefined;

export function addPlaceButtons(root: ParentNode, isThere: IsThere): string[] {
  const unknown: string[] = [];
  for (const span of root.querySelectorAll<HTMLElement>('span.place')) {
    if (span.parentElement?.closest('a, button')) continue;
    const path = locationOf(span)?.path;
    const isKnown = path === undefined ? false : isThere(path);
    if (isKnown === undefined && path !== undefined) unknown.push(path);
    if (!isKnown) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'place';
    if (span.title) button.title = span.title;
    button.append(...span.childNodes);
    span.replaceWith(button);
  }
  return unknown;
}

export function placeOf(target: Element): Location | undefined {
  const button = target.closest<HTMLElement>('button.place');
  return button ? locationOf(button) : undefined;
}

/** A link names its place in its title, everything else in its text. */
function locationOf({ title, textContent }: HTMLElement): Location | undefined {
  if (title) return linkedPlace(title);
  const [place] = findPlaces(textContent);
  return place ? toLocation(place) : { path: textContent.replaceAll('\\', '/') };
}
