import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shapesMarkedIn } from '../../../../src/base/secrets/secretMarks.ts';
import { secretShapes } from '../../../../src/base/secrets/secretShapes.ts';

const marks = secretShapes.flatMap((shape) => shape.marks);

describe('base: marks of secrets', () => {
  it('finds each mark, wherever it begins', () => {
    for (const shape of secretShapes) {
      for (const mark of shape.marks) {
        for (const before of ['', 'x', 'xy', '\u4e2d', mark.slice(0, 1), mark.slice(0, 2)]) {
          assert.ok(shapesMarkedIn(before + mark).includes(shape), before + mark);
        }
      }
    }
  });

  it('finds the shapes that have a mark in a text from a place on, and no others', () => {
    const part = fc.oneof(
      fc.constantFrom(...marks),
      fc
        .tuple(fc.constantFrom(...marks), fc.nat(), fc.nat())
        .map(([mark, from, to]) => mark.slice(from % 4, to % 9)),
      fc.string({ maxLength: 5 }),
      // Characters whose last seven bits are those of a mark.
      fc
        .constantFrom(...marks)
        .map((mark) => mark.replace(/./g, (each) => String.fromCharCode(each.charCodeAt(0) + 0x4e00))),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.nat(20), (parts, from) => {
        const text = parts.join('');
        assert.deepEqual(
          shapesMarkedIn(text, from),
          secretShapes.filter((shape) => shape.marks.some((mark) => text.includes(mark, from))),
        );
      }),
      { numRuns: 500 },
    );
  });
});
