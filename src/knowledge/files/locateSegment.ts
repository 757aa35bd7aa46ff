export interface LineRange {
  startLine: number;
  endLine: number;
}

/** In non-space characters; shorter lines are ambiguous. */
const shortestAnchor = 12;
const mostAnchors = 20;

/**
 * The lines that a segment came from, ignoring white space: platforms join lines, drop blank ones and trim. Else from
 * the first line found to where the texts differ; of equal texts the nearest to `near` (1-based). Linear in both.
 */
export function locateSegment(fileText: string, segmentText: string, near?: number): LineRange | undefined {
  return new SegmentLocator(fileText).find(segmentText, { near })?.lines;
}

export interface FoundSegmentLines {
  lines: LineRange;
  isWhole: boolean;
}

export interface LocateOptions {
  near?: number | undefined;
  /** Platforms drop the marks of Markdown headings. */
  isMarkdown?: boolean;
}

export class SegmentLocator {
  private exact: WordText | undefined;
  private unmarked: WordText | undefined;

  constructor(private readonly fileText: string) {}

  find(segmentText: string, { near, isMarkdown = false }: LocateOptions = {}): FoundSegmentLines | undefined {
    const exact = (this.exact ??= new WordText(this.fileText, false));
    const segment = withoutSpace(segmentText);
    if (segment === '') return undefined;
    const whole = exact.nearest(segment, near);
    if (whole !== undefined) return { lines: exact.linesOf(whole, segment.length), isWhole: true };
    if (isMarkdown) {
      this.unmarked ??= new WordText(this.fileText, true);
      const words = withoutSpace(withoutHeadingMarks(segmentText));
      const place = words === '' ? undefined : this.unmarked.nearest(words, near);
      if (place !== undefined) return { lines: this.unmarked.linesOf(place, words.length), isWhole: true };
    }
    const anchors = segmentText
      .split(/[\r\n]+/)
      .map(withoutSpace)
      .filter(({ length }) => length >= shortestAnchor);
    for (const anchor of anchors.slice(0, mostAnchors)) {
      const start = exact.nearest(anchor, near);
      if (start === undefined) continue;
      const rest = segment.slice(segment.indexOf(anchor));
      return { lines: exact.linesOf(start, sharedLength(exact.text, start, rest)), isWhole: false };
    }
    return undefined;
  }
}

class WordText {
  readonly text: string;
  private readonly source: string;
  private found: { places: Uint32Array; starts: readonly number[] } | undefined;

  constructor(source: string, isMarkdown: boolean) {
    this.source = isMarkdown ? withoutHeadingMarks(source) : source;
    this.text = withoutSpace(this.source);
  }

  /** Most files are only searched, so places are made when something is found. */
  private get index() {
    return (this.found ??= {
      places: placesOf(this.source, this.text.length),
      starts: lineStarts(this.source),
    });
  }

  nearest(wanted: string, near: number | undefined): number | undefined {
    const first = this.text.indexOf(wanted);
    if (first < 0) return undefined;
    if (near === undefined) return first;
    let best = first;
    let least = Infinity;
    // Occurrences that overlap are skipped, which keeps repetitive texts linear.
    for (let at = first; at >= 0; at = this.text.indexOf(wanted, at + wanted.length)) {
      const distance = Math.abs(this.lineOf(at) - near);
      if (distance > least) break;
      if (distance < least) [best, least] = [at, distance];
    }
    return best;
  }

  linesOf(start: number, length: number): LineRange {
    return { startLine: this.lineOf(start), endLine: this.lineOf(start + length - 1) };
  }

  private lineOf(index: number): number {
    const { places, starts } = this.index;
    const place = places[index] ?? 0;
    let [from, to] = [0, starts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (starts[middle]! <= place) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Keeps the places of all other characters. */
function withoutHeadingMarks(text: string): string {
  return text.replace(/(?<!\S)#{1,6}(?!\S)/g, (marks) => ' '.repeat(marks.length));
}

function placesOf(text: string, count: number): Uint32Array {
  const places = new Uint32Array(count);
  for (let index = 0, length = 0; length < count; index++) {
    const code = text.charCodeAt(index);
    // All other white space is above.
    const isWord = code > 32 && code < 128;
    if (isWord || !/\s/.test(text[index]!)) places[length++] = index;
  }
  return places;
}

function sharedLength(text: string, start: number, other: string): number {
  let length = 0;
  while (length < other.length && text[start + length] === other[length]) length++;
  return length;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1);
  }
  return starts;
}
