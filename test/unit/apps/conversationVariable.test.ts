import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readValue, shownValue } from '../../../src/apps/conversationVariable.ts';

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

  const shown: [type: string, value: unknown, text: string][] = [
    // Recorded on 1.9.2 and 1.16.1.
    ['array[string]', "['remember this']", '["remember this"]'],
    ['object', "{'a': 1}", '{"a":1}'],
    ['array[string]', '["it\'s", \'"\']', '["it\'s","\\""]'],
    ['array[object]', "[{'on': True, 'off': False, 'none': None}]", '[{"on":true,"off":false,"none":null}]'],
    ['array[any]', "[1.5, -2, 1e-05, 'x']", '[1.5,-2,0.00001,"x"]'],
    ['array[string]', String.raw`['\r\t\q']`, String.raw`["\r\tq"]`],
    ['array[string]', String.raw`['a\\n\n\x07é\U0001f600']`, String.raw`["a\\n\n\u0007é😀"]`],
    ['array[string]', String.raw`["it's\x0b"]`, String.raw`["it's\u000b"]`],
    ['boolean', 'True', 'true'],
    ['object', { a: 1 }, '{"a":1}'],
    ['array[string]', '[]', '[]'],
    ['array[file]', "[File(tenant_id='t')]", "[File(tenant_id='t')]"],
    ['array[any]', "['x', 9007199254740993]", "['x', 9007199254740993]"],
    ['array[number]', '[nan]', '[nan]'],
    ['string', "['one']", "['one']"],
    ['string', 'True', 'True'],
  ];
  for (const [type, value, text] of shown) {
    it(`shows ${JSON.stringify(value)} of ${type} as ${text}`, () => {
      assert.equal(shownValue(type, value), text);
    });
  }

  it('of a list that is told as Python text is accepted as it is shown', () => {
    assert.deepEqual(readValue('array[string]', shownValue('array[string]', "['one']")), { value: ['one'] });
  });

  it('is read as it was shown', () => {
    const typed = fc.oneof(
      fc.tuple(fc.constant('string'), fc.string()),
      fc.tuple(fc.constant('number'), fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.tuple(fc.constant('boolean'), fc.boolean()),
      fc.tuple(fc.constant('array[object]'), fc.array(fc.string())),
    );
    fc.assert(
      fc.property(typed, ([type, value]) => {
        const read = readValue(type, shownValue(type, value));
        // JSON has no -0.
        assert.deepEqual(read, { value: Object.is(value, -0) ? 0 : value });
      }),
    );
  });
});
