import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutLine, takeLines, truncateText } from '../../../../src/tools/files/truncate.ts';

describe('tools: cutting what is long', () => {
  it('keeps to lines and bytes, and always gives something', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 8, max: 100 }),
        (all, maxLines, maxBytes) => {
          const { lines, left } = takeLines(all, { maxLines, maxBytes });
          assert.equal(lines.length + left, all.length);
          assert.ok(lines.length >= 1 && lines.length <= maxLines);
          assert.ok(Buffer.byteLength(lines.join('\n')) <= maxBytes);
          for (const [index, line] of lines.entries()) assert.ok(all[index]?.startsWith(line));
          if (left > 0 && lines.length < maxLines) {
            assert.ok(Buffer.byteLength(all.slice(0, lines.length + 1).join('\n')) + 1 > maxBytes);
          }
        },
      ),
    ));

  it('says what was cut and how to go on', () => {
    const limits = { maxLines: 2, maxBytes: 100 };
    assert.equal(truncateText('a\nb', 'Go on.', limits), 'a\nb');
    assert.equal(truncateText('a\nb\nc', 'Go on.', limits), 'a\nb\n[2 of 3 lines are shown. Go on.]');
    assert.match(
      truncateText('x'.repeat(200), 'Go on.', limits),
      /^x{100}\n\[a long line is cut\. Go on\.\]$/,
    );
  });

  it('cuts a line around a place without tearing a character', () => {
    assert.equal(cutLine('short'), 'short');
    assert.equal(cutLine('abcdefghij', 5, 4), '…efgh…');
    assert.equal(cutLine('abcdefghij', 0, 4), 'abcd…');
    assert.equal(cutLine('abcdefghij', 9, 4), '…ghij');
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.nat({ max: 40 }),
        fc.integer({ min: 2, max: 20 }),
        (line, at, length) => {
          assert.ok(cutLine(line, at, length).isWellFormed());
          assert.ok(cutLine(line, at, length).length <= length + 3);
        },
      ),
    );
  });
});
