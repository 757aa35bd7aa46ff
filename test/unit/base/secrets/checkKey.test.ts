import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkKey } from '../../../../src/base/secrets/checkKey.ts';

describe('checkKey', () => {
  it('takes a key and removes what was pasted around it', () => {
    for (const typed of [
      'sk-abc123',
      '  sk-abc123\n',
      '\uFEFFsk-abc123\u200B',
      '"sk-abc123"',
      '"\u200Bsk-abc123\u2060"',
      'Bearer sk-abc123',
      'Authorization: Bearer sk-abc123 ',
    ]) {
      assert.deepEqual(checkKey(typed, 'relay'), { key: 'sk-abc123' });
    }
  });

  const refused: [typed: string, problem: RegExp][] = [
    ['', /Enter an API key/],
    [' \n ', /Enter an API key/],
    ['Bearer ', /Enter an API key/],
    ['sk-abc 123', /spaces or line breaks/],
    ['sk-abc\t123', /spaces or line breaks/],
    ['sk-abc\nsk-def', /spaces or line breaks/],
    ['sk-abc\r\ndef', /spaces or line breaks/],
    ['sk-äbc', /character/],
    ['sk-abc\u200Bdef', /character/],
    ['sk-abc\u0007', /character/],
    ['sk-ab****yz', /masked/],
    ['sk-abc...', /masked/],
    [`sk-${' '.repeat(100_000)}x`, /key is too long/],
    ['https://relay.example.com', /address/],
    ['http://relay.example.com', /address/],
  ];
  for (const [typed, problem] of refused) {
    it(`refuses ${JSON.stringify(typed.slice(0, 80))} with its reason`, () => {
      const checked = checkKey(typed, 'relay');
      assert.ok('problem' in checked);
      assert.match(checked.problem, problem);
    });
  }

  it('questions what is only unusual', () => {
    const questioned = (key: string, kind: 'relay' | 'dataset' | 'app') => {
      const checked = checkKey(key, kind);
      assert.ok('key' in checked && checked.key === key);
      return checked.question !== undefined;
    };
    assert.equal(questioned('abcdef', 'relay'), true);
    assert.equal(questioned('sk-or-abcdef', 'relay'), false);
    assert.equal(questioned('dataset-abc', 'dataset'), false);
    assert.equal(questioned('abcdef', 'dataset'), false);
    assert.equal(questioned('app-abc', 'dataset'), true);
    assert.equal(questioned('app-abc', 'app'), false);
    assert.equal(questioned('dataset-abc', 'app'), true);
    assert.equal(questioned('abcdef', 'app'), true);
  });

  it('gives only keys that a header can carry, reads its own result as itself, and never repeats a key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), (text) => {
        const checked = checkKey(text, 'relay');
        if ('key' in checked) {
          assert.match(checked.key, /^[\x21-\x7E]+$/);
          const again = checkKey(checked.key, 'relay');
          assert.equal('key' in again ? again.key : undefined, checked.key);
        } else {
          assert.ok(!checked.problem.includes(text));
        }
      }),
    );
  });
});
