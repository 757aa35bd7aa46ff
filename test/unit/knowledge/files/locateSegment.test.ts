import assert from 'node:assert/strict';
import fc from 'fast-check';
import { locateSegment } from '../../../../src/knowledge/files/locateSegment.ts';

const file = [
  '# Harbour rules', // 1
  '',
  'Boats wait outside the wall', // 3
  'until the light is green.',
  '',
  '## Speed',
  '',
  'Three knots, everywhere and always.', // 8
  'See https://harbour.example.com/speed for more.',
  'Boats wait inside, too.', // 10
  '',
].join('\n');

describe('locateSegment', () => {
  it('finds a segment, whatever the platform did to its white space', () => {
    const expected = { startLine: 3, endLine: 4 };
    assert.deepEqual(locateSegment(file, 'Boats wait outside the wall\nuntil the light is green.'), expected);
    assert.deepEqual(
      locateSegment(file, '  Boats wait  outside the wall until the light is green. \n\n'),
      expected,
    );
    assert.deepEqual(
      locateSegment(file.replaceAll('\n', '\r\n'), 'Boats wait outside the wall\nuntil the light is green.'),
      expected,
    );
    assert.deepEqual(
      locateSegment(file.replaceAll('\n', '\r'), 'Boats wait outside\nthe wall until the light is green.'),
      expected,
    );
  });

  it('finds as much of it as is still there', () => {
    const shortened = 'Three knots, everywhere and always. See for more.';
    assert.deepEqual(locateSegment(file, `Three knots, everywhere and always.\nSee for more.`), {
      startLine: 8,
      endLine: 9,
    });
    assert.equal(locateSegment(file, shortened), undefined, 'no line of it is there');
    assert.deepEqual(locateSegment(file, 'Speed limits:\nThree knots, everywhere and always.'), {
      startLine: 8,
      endLine: 8,
    });
  });

  it('takes the nearest of equal texts', () => {
    const rule = 'Boats wait outside the wall.';
    const text = ['a', rule, 'b', rule, 'c', 'd', `${rule} ${rule}`, rule].join('\n');
    const startNear = (near?: number) => locateSegment(text, rule, near)?.startLine;
    assert.equal(startNear(), 2);
    assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8, 99].map(startNear), [2, 2, 2, 4, 4, 7, 7, 8, 8]);
    const cut = `${rule}\nIs not there at all.`;
    assert.deepEqual(locateSegment(text, cut, 4), { startLine: 4, endLine: 4 }, 'a part of it, too');
  });

  it('does not guess', () => {
    assert.equal(locateSegment(file, 'Boats wait in the bay\nand are green'), undefined);
    assert.equal(locateSegment(file, 'Boats\nwere here'), undefined);
    assert.equal(locateSegment(file, ' \n\t'), undefined);
    assert.equal(locateSegment('', 'Boats'), undefined);
  });

  it('finds any run of lines of any text, and names lines that hold it', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '港', '😀', ' ', '\t') });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('\n', '\r\n', '\r'),
        (lines, from, count, lineEnd) => {
          const start = from % lines.length;
          const wanted = lines.slice(start, start + 1 + (count % lines.length));
          const found = locateSegment(lines.join(lineEnd), wanted.join(' '));
          const words = wanted.join('').replace(/\s/g, '');
          if (words === '') {
            assert.equal(found, undefined);
            return;
          }
          assert.ok(found && found.startLine <= start + wanted.length);
          const held = lines.slice(found.startLine - 1, found.endLine).join('');
          assert.ok(held.replace(/\s/g, '').includes(words));
        },
      ),
    );
  });

  it('takes any two texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, segment) => {
        const found = locateSegment(text, segment);
        if (!found) return;
        assert.ok(found.startLine >= 1 && found.startLine <= found.endLine);
        assert.ok(found.endLine <= text.split(/\r\n|\r|\n/).length);
      }),
    );
  });
});
