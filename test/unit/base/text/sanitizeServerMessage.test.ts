import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sanitizeServerMessage } from '../../../../src/base/text/sanitizeServerMessage.ts';

describe('sanitizeServerMessage', () => {
  it('masks the secrets in use and what looks like a key', () => {
    assert.equal(sanitizeServerMessage('key hunter2000 refused', ['hunter2000']), 'key *** refused');
    assert.equal(sanitizeServerMessage('Incorrect key: sk-proj-abc***xyz.'), 'Incorrect key: sk-***');
    assert.equal(sanitizeServerMessage('the sk- prefix is missing'), 'the sk- prefix is missing');
  });

  it('gives one bounded line without control characters, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const words = sanitizeServerMessage(text);
        assert.ok(words.length <= 401);
        assert.doesNotMatch(words, /[\p{Cc}\u2028\u2029\u202A-\u202E]/u);
      }),
    );
  });
});
