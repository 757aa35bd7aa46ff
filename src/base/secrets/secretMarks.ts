import { secretShapes, type SecretShape } from './secretShapes.ts';

/** A mark, and where in it its tell-tale characters begin. */
interface Telltale {
  mark: string;
  offset: number;
  shape: SecretShape;
}

/** Three characters of a mark tell it from most of a text; no mark is shorter. */
const telltaleLength = 3;

/** For each pair of characters, a place in `telltales`; 0 for the pairs that are in none. */
const pairs = new Uint8Array(1 << 14);
const telltales: Telltale[][] = [[]];

/**
 * The shapes of which a mark is in a text, from a place on. Every text that a model reads is looked through, nearly all
 * hold no secret, and there are dozens of marks: so one pass looks at every other pair of characters.
 */
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

/** Characters beyond ASCII share the number of others: a pair is only a reason to look closer. */
function pairOf(first: number, second: number): number {
  return ((first & 127) << 7) | (second & 127);
}

function learnMarks(): void {
  for (const shape of secretShapes) {
    for (const mark of shape.marks) {
      const offset = rarestPlace(mark);
      // Whichever of the two begins at an even distance is looked at.
      for (let place = offset; place < offset + telltaleLength - 1; place++) {
        const pair = pairOf(mark.charCodeAt(place), mark.charCodeAt(place + 1));
        pairs[pair] ||= telltales.push([]) - 1;
        telltales[pairs[pair]]!.push({ mark, offset: place, shape });
      }
    }
  }
}

/** Where its two pairs are the least like those of words. */
function rarestPlace(mark: string): number {
  const letters = (place: number) =>
    (mark.slice(place, place + 2) + mark.slice(place + 1, place + 3)).replaceAll(/[^a-z]/g, '').length;
  const places = Array.from({ length: mark.length - telltaleLength + 1 }, (_, place) => place);
  return places.reduce((best, place) => (letters(place) < letters(best) ? place : best), 0);
}
