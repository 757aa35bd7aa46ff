/** An entry of which nothing was measured yet is taken for this high, in CSS pixels. */
const unmeasuredPx = 120;
/**
 * Browsers draw nothing beyond some height of a page: 17,895,697 px in Firefox, 33,554,428 in others, divided by the zoom.
 * What is kept for entries out of view, together, stays well below.
 */
const highestPx = 4_000_000;

/**
 * The heights of all entries of a conversation, by index: measured where an entry was shown, else estimated. Sums over
 * any part take a number of steps that hardly grows with the conversation (a Fenwick tree).
 */
export class EntryHeights {
  /** NaN for what was not measured. */
  private readonly heights: number[] = [];
  private sums: number[] = [0];
  private counts: number[] = [0];
  /** Fixed by the first entries that were measured: what is out of view would move with each other one. */
  private estimate: number | undefined;

  set(index: number, height: number): void {
    while (this.heights.length <= index) this.push(NaN);
    const before = this.heights[index]!;
    this.heights[index] = height;
    add(this.sums, index, height - (before || 0));
    if (Number.isNaN(before)) add(this.counts, index, 1);
  }

  /** Of what was measured up to now, what is not measured yet is estimated. */
  settleEstimate(): void {
    const count = prefix(this.counts, this.heights.length);
    if (count > 0) this.estimate ??= prefix(this.sums, this.heights.length) / count;
  }

  /** An entry was put in here. */
  insert(index: number): void {
    if (index >= this.heights.length) return;
    const after = this.heights.slice(index);
    this.truncate(index);
    this.push(NaN);
    for (const height of after) this.push(height);
  }

  /** Entries from here on are others now, or gone. */
  truncate(count: number): void {
    if (count >= this.heights.length) return;
    this.heights.length = count;
    this.sums.length = count + 1;
    this.counts.length = count + 1;
  }

  /** The room has another width: nothing that was measured holds. */
  forget(): void {
    this.truncate(0);
    this.estimate = undefined;
  }

  /** Of the entries from one up to another. */
  sum(from: number, to: number): number {
    return this.before(to) - this.before(from);
  }

  /**
   * The height of the room that is kept for entries which are not drawn, of so many in all: theirs, or a part of it that
   * is the same for each, where all together would be higher than a page can be.
   */
  room(from: number, to: number, count: number): number {
    return this.sum(from, to) * this.scale(count);
  }

  /** The entry to which a place in the room belongs that begins with this entry, of so many. */
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

/** The sum of so many of the first values. */
function prefix(tree: readonly number[], count: number): number {
  let sum = 0;
  for (let at = count; at > 0; at -= at & -at) sum += tree[at]!;
  return sum;
}

function add(tree: number[], index: number, value: number): void {
  for (let at = index + 1; at < tree.length; at += at & -at) tree[at]! += value;
}
