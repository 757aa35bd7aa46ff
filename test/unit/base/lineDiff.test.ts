import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countChanges, diffLines, type DiffPart } from '../../../src/base/lineDiff.ts';
import { processorMs } from '../../support/processorTime.ts';

const side = (parts: DiffPart[], without: DiffPart['kind']) =>
  parts.filter(({ kind }) => kind !== without).flatMap(({ lines }) => lines);

/** Length of the longest common subsequence, the slow and certain way. */
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
        const parts = diffLines(a.map((line) => line + end).join(''), b.map((line) => line + end).join(''));
        assert.deepEqual(side(parts, 'added'), a);
        assert.deepEqual(side(parts, 'removed'), b);
        const { added, removed } = countChanges(parts);
        assert.equal(added + removed, a.length + b.length - 2 * longestCommon(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('sees changes that lie far apart as what they are', () => {
    const text = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    const changed = text.with(3, 'new').with(90, 'newer');
    const parts = diffLines(text.join('\n'), changed.join('\r\n'));
    assert.deepEqual(countChanges(parts), { added: 2, removed: 2 });
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
    assert.deepEqual(diffLines('', 'a\n'), [{ kind: 'added', lines: ['a'] }]);
    assert.deepEqual(diffLines('a', ''), [{ kind: 'removed', lines: ['a'] }]);
  });

  it('takes a moment for texts that have nothing in common', () => {
    const text = (name: string) => Array.from({ length: 100_000 }, (_, n) => `${name}${n}`).join('\n');
    const took = processorMs(() =>
      assert.deepEqual(countChanges(diffLines(text('a'), text('b'))), { added: 100_000, removed: 100_000 }),
    );
    assert.ok(took < 2000);
  });
});
