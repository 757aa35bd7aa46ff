import { differenceOf, type TextChange } from '../../base/text/textChange.ts';

/** A part of a document that moves and grows with the changes of the document. */
export class TrackedRange {
  isChanged = false;

  constructor(
    public start: number,
    public end: number,
  ) {}

  /** @param changes with offsets that are all relative to the text before the changes */
  follow(changes: readonly TextChange[]): void {
    // From the end, so that the offsets of those that are left stay right.
    for (const change of changes.toSorted((a, b) => b.rangeOffset - a.rangeOffset)) this.followOne(change);
  }

  private followOne({ rangeOffset: from, rangeLength, text }: TextChange): void {
    const { start, end } = this;
    const to = from + rangeLength;
    const growth = text.length - rangeLength;
    // Typing at an empty range counts as editing it.
    if (from < end ? to > start : start === end && from === start) {
      this.isChanged = true;
      const isFromBefore = from < start;
      this.start = isFromBefore ? from + text.length : start;
      this.end = Math.max(this.start, to > end ? from + text.length : end + growth);
    } else if (from < end) {
      this.start += growth;
      this.end += growth;
    }
  }
}

/** A part that is rewritten from its start in steps while the user may type. Texts have the document's line ends. */
export class RewrittenPart {
  private readonly range: TrackedRange;
  private readonly head: TrackedRange;
  private awaited: TextChange | undefined;
  /** Offset in the original text up to which it is rewritten. */
  private reached = 0;
  private next = { headLength: 0, reached: 0 };
  isRewritten = false;

  constructor(
    start: number,
    private readonly original: string,
  ) {
    this.range = new TrackedRange(start, start + original.length);
    this.head = new TrackedRange(start, start);
  }

  get place(): { start: number; end: number } {
    return this.range;
  }

  get isChanged(): boolean {
    return this.range.isChanged;
  }

  /** The change that puts `head` in the place of the original text before `reached`; undefined if it is there. */
  stepTo(document: string, head: string, reached: number): TextChange | undefined {
    return this.changeTo(document, head + this.original.slice(reached), head.length, reached);
  }

  /** The change that puts `lines` in the place of as many lines of the original text. */
  stepToLines(document: string, lines: string, count: number, lineEnd: string): TextChange | undefined {
    let reached = 0;
    for (let line = 0; line < count; line++) {
      const end = this.original.indexOf('\n', reached);
      if (end === -1) return this.stepTo(document, lines, this.original.length);
      reached = end + 1;
    }
    return this.stepTo(document, lines + lineEnd, reached);
  }

  /** The change that puts the original text back, with what the user typed into what was not rewritten yet. */
  restoration(document: string): TextChange | undefined {
    if (!this.isRewritten) return undefined;
    const rest = this.head.isChanged
      ? this.original.slice(this.reached)
      : document.slice(this.head.end, this.range.end);
    const head = this.original.slice(0, this.reached);
    return this.changeTo(document, head + rest, head.length, this.reached);
  }

  withOriginal(document: string): string {
    return document.slice(0, this.range.start) + this.original + document.slice(this.range.end);
  }

  /** Follows one event. True if it has the change that the last step asked for, known by its place and text. */
  follow(changes: readonly TextChange[]): boolean {
    // The editor may trim spaces elsewhere with it.
    const others = changes.filter((change) => !this.isAwaited(change));
    this.range.follow(others);
    this.head.follow(others);
    const isOwn = others.length < changes.length;
    if (isOwn) this.made();
    return isOwn;
  }

  /** The change that a step asked for was refused. */
  giveUp(): void {
    this.awaited = undefined;
  }

  private changeTo(
    document: string,
    text: string,
    headLength: number,
    reached: number,
  ): TextChange | undefined {
    const { start, end } = this.range;
    const difference = differenceOf(document.slice(start, end), text);
    const isThere = difference.rangeLength === 0 && difference.text === '';
    this.next = { headLength, reached };
    if (isThere) {
      this.made();
      return undefined;
    }
    this.awaited = { ...difference, rangeOffset: start + difference.rangeOffset };
    return this.awaited;
  }

  private isAwaited({ rangeOffset, rangeLength, text }: TextChange): boolean {
    const { awaited } = this;
    return (
      rangeOffset === awaited?.rangeOffset && rangeLength === awaited.rangeLength && text === awaited.text
    );
  }

  private made(): void {
    const { text = '', rangeLength = 0 } = this.awaited ?? {};
    if (this.awaited) this.isRewritten = true;
    this.awaited = undefined;
    this.range.end += text.length - rangeLength;
    this.reached = this.next.reached;
    this.head.start = this.range.start;
    this.head.end = this.range.start + this.next.headLength;
  }
}
