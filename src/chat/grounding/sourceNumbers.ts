import { segmentKey } from '../../tools/knowledge/segmentKey.ts';
import type { FoundSegment, Source } from '../../tools/knowledge/source.ts';

/** The numbers by which a conversation cites segments: one for each, from 1 on, never given twice. */
export class SourceNumbers {
  private readonly numbers = new Map<string, number>();
  private highest = 0;

  /** Found before. */
  know(source: Source): void {
    this.numbers.set(segmentKey(source), source.n);
    this.highest = Math.max(this.highest, source.n);
  }

  /** The segment's own number; one that is new gets the next. */
  numberOf(segment: FoundSegment): number {
    const key = segmentKey(segment);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, ++this.highest);
    return this.highest;
  }
}
