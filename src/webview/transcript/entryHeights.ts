const unmeasuredPx = 120;
/** Pages are limited to 17,895,697 px in Firefox, 33,554,428 px elsewhere, divided by the zoom; this is far below. */
const highestPx = 4_000_000;

/** Heights of all entries by index, measured or estimated, in CSS pixels. A Fenwick tree makes sums logarithmic. */
export class EntryHeights {
  /** NaN if not measured. */
  private readonly heights: number[] = [];
  private sums: number[] = [0];
  private counts: number[] = [0];
  /** Fixed by the first measured entries, so that later ones don't move what is out of view. */
  private estimate: number | undefined;

  set(index: number, height: number): void {
    while (this.heights.length <= index) this.push(NaN);
    const before = this.heights[index]!;
    this.heights[index] = height;
    add(this.sums, index, height - (before || 0));
    if (Number.isNaN(before)) add(this.counts, index, 1);
  }

  settleEstimate(): void {
    const count = prefix(this.counts, this.heights.length);
    if (count > 0) this.estimate ??= prefix(this.sums, this.heights.length) / count;
  }

  insert(index: number): void {
    if (index >= this.heights.length) return;
    const after = this.heights.slice(index);
    this.truncate(index);
    this.push(NaN);
    for (const height of after) this.push(height);
  }

  truncate(count: number): void {
    if (count >= this.heights.length) return;
    this.heights.length = count;
    this.sums.length = count + 1;
    this.counts.length = count + 1;
  }

  forget(): void {
    this.truncate(0);
    this.estimate = undefined;
  }

  sum(from: number, to: number): number {
    return this.before(to) - this.before(from);
  }

  /** Height reserved for entries, of `count`; scaled down where the whole would exceed the browser's limit. */
  room(from: number, to: number, count: number): number {
    return this.sum(from, to) * this.scale(count);
  }

  inRoom(from: number, offset: number, count: number): number {
    const wanted = this.before(from) + offset / this.scale(count);
    let [low, high] = [0, Math.max(0, count - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.before(middle) <= wanted) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private scale(count: number): number {
    return Math.min(1, highestPx / this.before(count));
  }

  private before(index: number): number {
    const known = Math.min(index, this.heights.length);
    const measured = prefix(this.counts, known);
    return prefix(this.sums, known) + (index - measured) * (this.estimate ?? unmeasuredPx);
  }

  private push(height: number): void {
    this.heights.push(height);
    const end = this.heights.length;
    const from = end - (end & -end);
    const isKnown = !Number.isNaN(height);
    this.sums.push(prefix(this.sums, end - 1) - prefix(this.sums, from) + (isKnown ? height : 0));
    this.counts.push(prefix(this.counts, end - 1) - prefix(this.counts, from) + (isKnown ? 1 : 0));
  }
}

function prefix(tree: readonly number[], count: number): number {
  let sum = 0;
  for (let at = count; at > 0; at -= at & -at) sum += tree[at]!;
  return sum;
}

function add(tree: number[], index: number, value: number): void {
  for (let at = index + 1; at < tree.length; at += at & -at) tree[at]! += value;
}
