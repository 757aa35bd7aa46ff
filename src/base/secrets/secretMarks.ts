import { secretShapes, type SecretShape } from './secretShapes.ts';

interface Telltale {
  mark: string;
  offset: number;
  shape: SecretShape;
}

/** Characters of a mark that distinguish it from most text; no mark is shorter. */
const telltaleLength = 3;

/** Maps a pair of characters to an index in `telltales`; 0 for none. */
const pairs = new Uint8Array(1 << 14);
const telltales: Telltale[][] = [[]];

/** The shapes whose marks occur; one pass over every other pair of characters, because few texts have any. */
export function shapesMarkedIn(text: string, from = 0): readonly SecretShape[] {
  if (telltales.length === 1) learnMarks();
  const marked = new Set<SecretShape>();
  for (let at = from; at < text.length - 1; at += 2) {
    const index = pairs[pairOf(text.charCodeAt(at), text.charCodeAt(at + 1))]!;
    if (index === 0) continue;
    for (const { mark, offset, shape } of telltales[index]!) {
      if (at - offset >= from && text.startsWith(mark, at - offset)) marked.add(shape);
    }
  }
  return marked.size === 0 ? [] : secretShapes.filter((shape) => marked.has(shape));
}

/** Non-ASCII characters share numbers with others: a match is only a hint. */
function pairOf(first: number, second: number): number {
  return ((first & 127) << 7) | (second & 127);
}

function learnMarks(): void {
  for (const shape of secretShapes) {
    for (const mark of shape.marks) {
      const offset = rarestPlace(mark);
      // One of the two pairs begins at an even distance.
      for (let place = offset; place < offset + telltaleLength - 1; place++) {
        const pair = pairOf(mark.charCodeAt(place), mark.charCodeAt(place + 1));
        pairs[pair] ||= telltales.push([]) - 1;
        telltales[pairs[pair]]!.push({ mark, offset: place, shape });
      }
    }
  }
}

function rarestPlace(mark: string): number {
  const letters = (place: number) =>
    (mark.slice(place, place + 2) + mark.slice(place + 1, place + 3)).replaceAll(/[^a-z]/g, '').length;
  const places = Array.from({ length: mark.length - telltaleLength + 1 }, (_, place) => place);
  return places.reduce((best, place) => (letters(place) < letters(best) ? place : best), 0);
}
