import type { GiveWay } from '../../base/async/promises.ts';

/** Ignored differences: line ends; also trailing spaces and look-alike characters; or all white space within lines. */
type Likeness = 'exact' | 'alike' | 'squeezed';

export type Place = [start: number, end: number];

interface Folded {
  text: string;
  placeOf(index: number): number;
}

const lineFeed = 0x0a;
/** The first of each row replaces the others. */
const lookAlikes = new Map(
  [
    ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
    '-\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
    "'\u2018\u2019\u201a\u201b",
    '"\u201c\u201d\u201e\u201f',
  ].flatMap((row) => Array.from(row, (character) => [character.charCodeAt(0), row.charCodeAt(0)] as const)),
);

const slice = 16_384;
/** In code units; the engine's search can be quadratic. */
const longestHead = 32;

export class OldTextFinder {
  private readonly folded = new Map<Likeness, Promise<Folded>>();

  constructor(
    readonly text: string,
    private readonly giveWay: GiveWay,
  ) {}

  async find(wanted: string, likeness: Likeness, most: number): Promise<Place[]> {
    if (likeness !== 'exact' && wanted.trim() === '') return [];
    const folding = this.folded.get(likeness) ?? fold(this.text, likeness, this.giveWay);
    this.folded.set(likeness, folding);
    const { text, placeOf } = await folding;
    const { text: whole } = await fold(wanted, likeness, this.giveWay);
    const sought = likeness === 'squeezed' ? withoutLastBreaks(whole) : whole;
    // Blank text at an edge stands for the whole rest of its line.
    const beginsLine = likeness === 'squeezed' || (likeness === 'alike' && sought.startsWith('\n'));
    const endsLine =
      likeness === 'squeezed' || (likeness === 'alike' && isBlank(wanted.charCodeAt(wanted.length - 1)));
    const fits = (start: number, end: number) =>
      (!beginsLine || start === 0 || text[start - 1] === '\n') &&
      (!endsLine || end === text.length || text[end] === '\n');
    const places: Place[] = [];
    for await (const [start, end] of occurrences(text, sought, fits, this.giveWay)) {
      const last = placeOf(end - 1);
      const isLineEnd = text[end - 1] === '\n';
      places.push([placeOf(start), isLineEnd || endsLine ? this.endOfLine(last, isLineEnd) : last + 1]);
      if (places.length === most) break;
    }
    return places;
  }

  async lineNumbers(places: readonly Place[]): Promise<number[]> {
    const numbers: number[] = [];
    let [line, at] = [1, 0];
    for (const [start] of places) {
      for (; at < start; at++) {
        if (this.text.charCodeAt(at) === lineFeed) line++;
        if (at % slice === 0) await this.giveWay();
      }
      numbers.push(line);
    }
    return numbers;
  }

  private endOfLine(from: number, withBreak: boolean): number {
    const end = this.text.indexOf('\n', from);
    if (end < 0) return this.text.length;
    if (withBreak) return end + 1;
    return end > from && this.text[end - 1] === '\r' ? end - 1 : end;
  }
}

async function fold(text: string, likeness: Likeness, giveWay: GiveWay): Promise<Folded> {
  if (likeness === 'exact' && !text.includes('\r\n')) return { text, placeOf: (index) => index };
  const units = new Uint16Array(text.length);
  const places = new Uint32Array(text.length);
  let length = 0;
  let [end, place] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (at % slice === 0) await giveWay();
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    const code = text.charCodeAt(at);
    if (code === lineFeed) {
      [units[end], places[end]] = [code, place];
      [length, end, place] = [end + 1, end + 1, at + 1];
    } else if (likeness !== 'squeezed' || !isSpace(code)) {
      [units[length], places[length]] = [likeness === 'alike' ? standIn(code) : code, at];
      length++;
      if (likeness !== 'alike' || !isBlank(code)) [end, place] = [length, at + 1];
    }
  }
  const folded = Buffer.from(units.buffer, 0, 2 * end).toString('utf16le');
  return { text: folded, placeOf: (index) => places[index] ?? text.length };
}

/** Occurrences that fit, by Knuth, Morris and Pratt. */
async function* occurrences(
  text: string,
  sought: string,
  fits: (start: number, end: number) => boolean,
  giveWay: GiveWay,
): AsyncGenerator<Place, void, void> {
  const head = sought.slice(0, longestHead);
  if (head === '') return;
  const borders = new Uint32Array(sought.length + 1);
  let known = 1;
  let matched = 0;
  const extended = (length: number, unit: number) => {
    let longest = length;
    while (longest > 0 && sought.charCodeAt(longest) !== unit) longest = borders[longest]!;
    return sought.charCodeAt(longest) === unit ? longest + 1 : 0;
  };
  for (let at = 0; at < text.length;) {
    if (matched === 0) {
      const skipped = text.slice(at, at + slice + head.length).indexOf(head);
      await giveWay();
      if (skipped < 0) {
        at += slice + 1;
        continue;
      }
      at += skipped + head.length;
      matched = head.length;
    } else {
      matched = extended(matched, text.charCodeAt(at));
      if (++at % slice === 0) await giveWay();
    }
    for (; known < matched; known++) borders[known + 1] = extended(borders[known]!, sought.charCodeAt(known));
    if (matched < sought.length) continue;
    const isPlace = fits(at - matched, at);
    if (isPlace) yield [at - matched, at];
    matched = isPlace ? 0 : borders[matched]!;
  }
}

function standIn(code: number): number {
  return code < 0x80 ? code : (lookAlikes.get(code) ?? code);
}

function isBlank(code: number): boolean {
  return code === 0x09 || standIn(code) === 0x20;
}

function isSpace(code: number): boolean {
  return (
    isBlank(code) || (code >= 0x0a && code <= 0x0d) || (code > 0x7f && /\s/.test(String.fromCharCode(code)))
  );
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === lineFeed) end--;
  return text.slice(0, end);
}
