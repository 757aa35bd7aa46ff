import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { EntryHeights } from '../../../../src/webview/transcript/entryHeights.ts';

type Step =
  | { type: 'set'; index: number; height: number }
  | { type: 'insert' | 'truncate'; index: number }
  | { type: 'forget' | 'settle' };

const index = fc.nat(60);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('set' as const), index, height: fc.nat(2000) }) },
  fc.record({ type: fc.constantFrom('insert' as const, 'truncate' as const), index }),
  fc.record({ type: fc.constantFrom('forget' as const, 'settle' as const) }),
);

describe('the heights of entries', () => {
  it('sum up as a plain list of them does, whatever is measured, put in and taken away', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.nat(80), fc.nat(80), (steps, a, b) => {
        const heights = new EntryHeights();
        let list: (number | undefined)[] = [];
        let estimate: number | undefined;
        for (const each of steps) {
          if (each.type === 'set') {
            heights.set(each.index, each.height);
            list[each.index] = each.height;
          } else if (each.type === 'insert') {
            heights.insert(each.index);
            if (each.index < list.length) list.splice(each.index, 0, undefined);
          } else if (each.type === 'truncate') {
            heights.truncate(each.index);
            list = list.slice(0, each.index);
          } else if (each.type === 'forget') {
            heights.forget();
            list = [];
            estimate = undefined;
          } else {
            heights.settleEstimate();
            const known = list.filter((height) => height !== undefined);
            if (known.length > 0) estimate ??= known.reduce((sum, height) => sum + height, 0) / known.length;
          }
        }
        const of = (at: number) => list[at] ?? estimate ?? 120;
        const sum = (from: number, to: number) =>
          Array.from({ length: Math.max(0, to - from) }, (_, n) => of(from + n)).reduce((x, y) => x + y, 0);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        assert.ok(Math.abs(heights.sum(from, to) - sum(from, to)) < 1e-6);
        const count = to + 1;
        const offset = sum(0, from) + of(from) / 2;
        const found = heights.inRoom(0, offset, count);
        assert.ok(found >= from && (found === from || of(from) === 0), `${found} at ${from}`);
      }),
    );
  });

  it('lead to the first and the last entry from beyond both ends', () => {
    const heights = new EntryHeights();
    heights.set(0, 10);
    assert.equal(heights.inRoom(0, -5, 3), 0);
    assert.equal(heights.inRoom(0, 1e9, 3), 2);
    assert.equal(heights.inRoom(0, 5, 0), 0);
  });

  it('keep room that a browser can draw, however many and high they are, and lead from any place in it', () => {
    const heights = new EntryHeights();
    const [count, height] = [15_000, 2500];
    for (let at = 0; at < count; at++) heights.set(at, height);
    const [first, end] = [9000, 9030];
    const [above, below] = [heights.room(0, first, count), heights.room(end, count, count)];
    assert.ok(above + below < 5_000_000, `${above} and ${below}`);
    assert.ok(Math.abs(above / below - first / (count - end)) < 0.01);
    assert.equal(heights.inRoom(0, above / 2, count), first / 2);
    assert.equal(heights.inRoom(end, below / 3, count), end + (count - end) / 3);
    assert.equal(heights.inRoom(end, below, count), count - 1);
    assert.equal(heights.room(0, 10, 1000), 10 * height);
  });
});
