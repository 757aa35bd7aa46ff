import assert from 'node:assert/strict';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { countChanges, diffLines, type DiffPart, unifiedDiff } from '../../../../src/base/text/lineDiff.ts';
import { processorMs } from '../../../support/processorTime.ts';

const side = (parts: DiffPart[], without: DiffPart['kind']) =>
  parts.filter(({ kind }) => kind !== without).flatMap(({ lines }) => lines);

/** Length of the longest common subsequence, by dynamic programming. */
function longestCommon(a: string[], b: string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const line of a) {
    const next = [0];
    for (const [index, other] of b.entries()) {
      next.push(line === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    }
    row = next;
  }
  return row.at(-1)!;
}

describe('diffLines', () => {
  it('leaves, removes and adds lines so that one text becomes the other, with as few changes as can be', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const end = '\n';
        const [before, after] = [a, b].map((each) => each.map((line) => line + end).join('')) as [
          string,
          string,
        ];
        const parts = diffLines(before, after);
        assert.deepEqual(side(parts, 'added'), a);
        assert.deepEqual(side(parts, 'removed'), b);
        const { added, removed } = countChanges(before, after);
        assert.equal(added + removed, a.length + b.length - 2 * longestCommon(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('sees changes that lie far apart as what they are', () => {
    const text = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    const changed = text.with(3, 'new').with(90, 'newer');
    const parts = diffLines(text.join('\n'), changed.join('\r\n'));
    assert.deepEqual(countChanges(text.join('\n'), changed.join('\r\n')), { added: 2, removed: 2 });
    assert.deepEqual(
      parts.map(({ kind, lines }) => [kind, lines.length]),
      [
        ['same', 3],
        ['removed', 1],
        ['added', 1],
        ['same', 86],
        ['removed', 1],
        ['added', 1],
        ['same', 9],
      ],
    );
  });

  it('knows nothing from an empty text', () => {
    assert.deepEqual(diffLines('', ''), []);
    assert.deepEqual(diffLines('', 'a\n'), [{ kind: 'added', lines: ['a'], count: 1 }]);
    assert.deepEqual(diffLines('a', ''), [{ kind: 'removed', lines: ['a'], count: 1 }]);
  });

  it('takes a moment for texts that have nothing in common', () => {
    const text = (name: string) => Array.from({ length: 100_000 }, (_, n) => `${name}${n}`).join('\n');
    const took = processorMs(() =>
      assert.deepEqual(countChanges(text('a'), text('b')), { added: 100_000, removed: 100_000 }),
    );
    assert.ok(took < 2000);
  });
});

describe('unifiedDiff', () => {
  it('gives hunks that make one text of the other, each with three lines around', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const hunks = unifiedDiff(a.join('\n'), b.join('\n'));
        const [before, after] = [a, b].map((each) => each.map((line) => `${line}\n`).join(''));
        const patch = ['--- a', '+++ b', ...hunks, ''].join('\n');
        assert.equal(hunks.length === 0 ? before : applyPatch(before!, patch), after);
      }),
      { numRuns: 500 },
    );
    const text = Array.from({ length: 30 }, (_, n) => `${n}`);
    assert.deepEqual(
      unifiedDiff(text.join('\n'), text.with(5, 'x').with(9, 'y').with(20, 'z').join('\r\n')),
      [
        ...[
          '@@ -3,11 +3,11 @@',
          ' 2',
          ' 3',
          ' 4',
          '-5',
          '+x',
          ' 6',
          ' 7',
          ' 8',
          '-9',
          '+y',
          ' 10',
          ' 11',
          ' 12',
        ],
        ...['@@ -18,7 +18,7 @@', ' 17', ' 18', ' 19', '-20', '+z', ' 21', ' 22', ' 23'],
      ],
    );
  });

  it('takes a text of a million lines', () => {
    const text = 'x\n'.repeat(1_000_000);
    assert.equal(unifiedDiff('', text).length, 1_000_001);
    assert.deepEqual(unifiedDiff(text, text.replaceAll('\n', '\r\n')), []);
  });
});
