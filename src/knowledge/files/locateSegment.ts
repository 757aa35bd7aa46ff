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
 *
 * @param near 1-based line; of several equal texts the one that starts nearest to it, else the first
 */
export function locateSegment(fileText: string, segmentText: string, near?: number): LineRange | undefined {
  return new SegmentLocator(fileText).find(segmentText, { near })?.lines;
}

export interface FoundSegmentLines {
  lines: LineRange;
  /** False if only a part of the segment is there. */
  isWhole: boolean;
}

export interface LocateOptions {
  near?: number | undefined;
  /** Platforms drop the marks of Markdown headings. */
  isMarkdown?: boolean;
}

/** Finds segments in one file, whose text is read once for all of them. */
export class SegmentLocator {
  private exact: WordText | undefined;
  private unmarked: WordText | undefined;

  constructor(private readonly fileText: string) {}

  find(segmentText: string, { near, isMarkdown = false }: LocateOptions = {}): FoundSegmentLines | undefined {
    const exact = (this.exact ??= new WordText(this.fileText, false));
    const segment = wordsOf(segmentText, false);
    if (segment === '') return undefined;
    const whole = exact.nearest(segment, near);
    if (whole !== undefined) return { lines: exact.linesOf(whole, segment.length), isWhole: true };
    if (isMarkdown) {
      this.unmarked ??= new WordText(this.fileText, true);
      const words = wordsOf(segmentText, true);
      const place = words === '' ? undefined : this.unmarked.nearest(words, near);
      if (place !== undefined) return { lines: this.unmarked.linesOf(place, words.length), isWhole: true };
    }
    const anchors = segmentText
      .split(/[\r\n]+/)
      .map((line) => line.replace(/\s+/g, ''))
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

/** A text without white space, with the place of each character. */
class WordText {
  readonly text: string;
  private readonly places: Uint32Array;
  private starts: readonly number[] | undefined;

  constructor(
    private readonly source: string,
    isMarkdown: boolean,
  ) {
    const kept: string[] = [];
    const places = new Uint32Array(source.length);
    let length = 0;
    for (const { 0: run, index } of source.matchAll(/\S+/g)) {
      if (isMarkdown && isHeadingMark(run)) continue;
      kept.push(run);
      for (let offset = 0; offset < run.length; offset++) places[length++] = index + offset;
    }
    this.text = kept.join('');
    this.places = places.subarray(0, length);
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
    this.starts ??= lineStarts(this.source);
    const place = this.places[index] ?? 0;
    let [from, to] = [0, this.starts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.starts[middle]! <= place) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function wordsOf(text: string, isMarkdown: boolean): string {
  return (text.match(/\S+/g) ?? []).filter((run) => !isMarkdown || !isHeadingMark(run)).join('');
}

function isHeadingMark(run: string): boolean {
  return /^#{1,6}$/.test(run);
}

function sharedLength(text: string, start: number, other: string): number {
  let length = 0;
  while (length < other.length && text[start + length] === other[length]) length++;
  return length;
}

/** A line ends in LF, CR LF or CR. */
function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length)];
}
