export interface LineRange {
  startLine: number;
  endLine: number;
}

/** In non-space characters; shorter lines are ambiguous. */
const shortestAnchor = 12;
const mostAnchors = 20;

/**
 * The lines of a file that a segment came from, ignoring white space, since platforms join lines, drop blank ones and
 * trim. If the whole isn't found (platforms remove addresses, files change), starts at the segment's first line that is
 * found and ends where the texts differ. Undefined if no line is found. Linear in both texts.
 */
export function locateSegment(fileText: string, segmentText: string): LineRange | undefined {
  const file = withoutSpace(fileText);
  const segment = withoutSpace(segmentText).text;
  if (segment === '') return undefined;
  const whole = file.text.indexOf(segment);
  if (whole >= 0) return linesOf(fileText, file.places, whole, segment.length);

  const anchors = segmentText
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\s+/g, ''))
    .filter(({ length }) => length >= shortestAnchor);
  for (const anchor of anchors.slice(0, mostAnchors)) {
    const start = file.text.indexOf(anchor);
    if (start < 0) continue;
    const rest = segment.slice(segment.indexOf(anchor));
    return linesOf(fileText, file.places, start, sharedLength(file.text, start, rest));
  }
  return undefined;
}

function withoutSpace(text: string): { text: string; places: Uint32Array } {
  const kept: string[] = [];
  const places = new Uint32Array(text.length);
  let length = 0;
  for (const { 0: run, index } of text.matchAll(/\S+/g)) {
    kept.push(run);
    for (let offset = 0; offset < run.length; offset++) places[length++] = index + offset;
  }
  return { text: kept.join(''), places: places.subarray(0, length) };
}

function sharedLength(text: string, start: number, other: string): number {
  let length = 0;
  while (length < other.length && text[start + length] === other[length]) length++;
  return length;
}

function linesOf(text: string, places: Uint32Array, start: number, length: number): LineRange {
  const first = places[start] ?? 0;
  const last = places[start + length - 1] ?? first;
  const startLine = 1 + lineBreaks(text, 0, first);
  return { startLine, endLine: startLine + lineBreaks(text, first, last) };
}

/** A line ends in LF, CR LF or CR. */
function lineBreaks(text: string, from: number, to: number): number {
  let breaks = 0;
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) breaks++;
  }
  return breaks;
}
