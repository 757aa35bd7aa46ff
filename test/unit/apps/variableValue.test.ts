import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readValue, shownValue } from '../../../src/apps/variableValue.ts';

describe('the value of a conversation variable', () => {
  const cases: [type: string, text: string, value: unknown][] = [
    ['string', ' 7 ', ' 7 '],
    ['secret', '', ''],
    ['number', '-1.5', -1.5],
    ['integer', ' 7 ', 7],
    ['boolean', 'false', false],
    ['object', '{"a": 1}', { a: 1 }],
    ['array[string]', '["a"]', ['a']],
  ];
  for (const [type, text, value] of cases) {
    it(`reads ${JSON.stringify(text)} as ${type}`, () => {
      assert.deepEqual(readValue(type, text), { value });
    });
  }

  const refused: [type: string, text: string][] = [
    ['number', ''],
    ['number', 'seven'],
    ['number', '1e999'],
    ['boolean', 'yes'],
    ['object', '[]'],
    ['array[number]', '{}'],
    ['array', 'a, b'],
  ];
  for (const [type, text] of refused) {
    it(`refuses ${JSON.stringify(text)} as ${type}`, () => {
      assert.ok('problem' in readValue(type, text));
    });
  }

  it('is read as it was shown', () => {
    const typed = fc.oneof(
      fc.tuple(fc.constant('string'), fc.string()),
      fc.tuple(fc.constant('number'), fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.tuple(fc.constant('boolean'), fc.boolean()),
      fc.tuple(fc.constant('array[object]'), fc.array(fc.string())),
    );
    fc.assert(
      fc.property(typed, ([type, value]) => {
        const read = readValue(type, shownValue(value));
        // JSON has no -0.
        assert.deepEqual(read, { value: Object.is(value, -0) ? 0 : value });
      }),
    );
  });
});
