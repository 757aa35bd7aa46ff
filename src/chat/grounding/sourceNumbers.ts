import { segmentKey } from '../../tools/knowledge/segmentKey.ts';
import type { FoundSegment, Source } from '../../tools/knowledge/source.ts';

export class SourceNumbers {
  private readonly numbers = new Map<string, number>();
  private highest = 0;

  know(source: Source): void {
    this.numbers.set(segmentKey(source), source.n);
    this.highest = Math.max(this.highest, source.n);
  }

  numberOf(segment: FoundSegment): number {
    const key = segmentKey(segment);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, ++this.highest);
    return this.highest;
  }
}
