/** A place that a text names: `src/app.ts:12`, `src/app.ts:12:5` or `src/app.ts:12-20`. */
export interface Place {
  /** Where in the text it stands. */
  start: number;
  end: number;
  /** With forward slashes. */
  path: string;
  /** 1-based. */
  line: number;
  column?: number;
  endLine?: number;
}

/** The longest path that is looked for: it bounds the work for each colon, so the whole is linear. */
const longestPath = 300;

const position = /:([1-9]\d{0,6})(?::([1-9]\d{0,4})|-([1-9]\d{0,6}))?(?![\p{L}\p{N}_])/gu;
/** Read one code unit at a time, so the halves of rarer letters count as letters. */
const pathCharacter = /[\p{L}\p{N}\p{Cs}_.\-/\\@+~()[\]$]/u;
const fileName = /(?:\.\p{L}[\p{L}\p{N}]{0,9}|^(?:Makefile|Dockerfile|Gemfile|Rakefile|Justfile))$/u;

/** Endings that names of hosts have: `example.com:8080` is no file. */
const hostName =
  /(?:^localhost|\.(?:com|org|net|edu|gov|io|dev|app|ai|cn|de|fr|uk|local|localhost|internal|test|example|invalid))$/i;

/** The places that a text names, in their order. Whether there is such a file is not known here. */
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
      ...{ start, end: done, path, line: Number(line) },
      ...(column !== undefined && { column: Number(column) }),
      ...(endLine !== undefined && { endLine: Number(endLine) }),
    });
  }
  return found;
}

/** Reads backwards from the colon, as far as a path can reach. */
function pathStart(text: string, colon: number, earliest: number): number {
  let start = colon;
  const limit = Math.max(earliest, colon - longestPath);
  while (start > limit && pathCharacter.test(text[start - 1] ?? '')) start--;
  // "(src/app.ts:12)": a bracket that is not closed within the path stands around it.
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
