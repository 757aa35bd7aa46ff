import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskSecrets } from '../../../../src/base/secrets/maskSecrets.ts';
import { sanitizeServerMessage } from '../../../../src/base/text/sanitizeServerMessage.ts';
import { processorMs } from '../../../support/processorTime.ts';

const key = 'sk-q7Wm2Rt9Xb4Lp8Zk3Vn6Hc1Yd5Gf0Js';
const upper = (text: string) => text.toUpperCase();
const between = (mark: string) => (text: string) => text.split('').join(mark);
const base64 = (before: string) => (text: string) => Buffer.from(before + text).toString('base64');

/** Observed ways in which servers, proxies and gateways repeated keys. */
const echoes: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'in upper case': upper,
  'split by zero-width spaces': between('\u200b'),
  'split by joiners and soft hyphens': (text) => between('\u200d')(between('\u00ad')(text)),
  'split by spaces and line breaks': between(' \n'),
  'full-width': (text) =>
    text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  'in base64': base64(''),
  'in base64 behind Bearer': base64('Bearer '),
  'in base64 behind a user': base64('u:'),
  'in URL-safe base64': (text) => Buffer.from(text).toString('base64url'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'percent encoded': (text) => text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'split and then percent encoded': (text) => encodeURIComponent(between('\u200b')(text)),
  'its beginning': (text) => text.slice(0, 20),
  'its end': (text) => text.slice(-12),
};

/** Asserts that no readable part of the key remains. */
function assertHidden(text: string, secret: string, form: string): void {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const wanted = secret.toLowerCase().replace(/[^a-z0-9]/g, '');
  for (let at = 0; at + 8 <= wanted.length; at++) {
    assert.ok(!plain.includes(wanted.slice(at, at + 8)), `${form}: ${text}`);
  }
}

describe('base: masking secrets', () => {
  for (const [form, echo] of Object.entries(echoes)) {
    it(`masks a key ${form}, and keeps the words around it`, () => {
      const masked = maskSecrets(`Key ${echo(key)} is wrong`, [key]);
      assert.match(masked, /^Key .*\*\*\*.* is wrong$/s);
      assertHidden(masked, echo(key).length > 60 ? echo(key) : key, form);
      assertHidden(masked, key, form);
    });
  }

  it('keeps the word that keys of knowledge bases begin with', () => {
    const datasetKey = 'dataset-aPq7Wm2Rt9Xb4Lp8Zk3Vn6Hc';
    const message = 'Dataset api access is not enabled.';
    assert.equal(maskSecrets(message, [datasetKey]), message);
    assert.equal(maskSecrets(`${datasetKey} is wrong`, [datasetKey]), 'dataset-*** is wrong');
    assert.equal(maskSecrets(datasetKey.slice(0, 16), [datasetKey]), 'dataset-***');
    // A short key is masked as a whole.
    assert.equal(maskSecrets('dataset-abc is wrong', ['dataset-abc']), '*** is wrong');
  });

  it('masks short secrets whole, and no word of a message', () => {
    assert.equal(maskSecrets('pass hun2 refused', ['hun2']), 'pass *** refused');
    const message = 'Incorrect API key provided. You can find your key in the settings, status 401.';
    assert.equal(maskSecrets(message, [key, 'hunter2000']), message);
    assert.equal(maskSecrets(message, []), message);
    assert.equal(maskSecrets(message, ['', 'ab']), message);
  });

  it('masks what a limit would cut in the middle of a key', () => {
    for (let before = 340; before < 420; before += 3) {
      const words = sanitizeServerMessage(`${'x '.repeat(before / 2)}${key}`, [key]);
      assertHidden(words, key, String(before));
    }
    for (let before = 3150; before < 3210; before += 3) {
      assertHidden(sanitizeServerMessage(`${' '.repeat(before)}${key}`, [key]), key, String(before));
    }
  });

  it('masks any key in any text, however it is written', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.split('');
    const secret = fc.string({ unit: fc.constantFrom(...letters, '-', '_'), minLength: 16, maxLength: 60 });
    const noise = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(
        secret,
        noise,
        noise,
        fc.constantFrom(...Object.keys(echoes)),
        (made, before, after, form) => {
          const secretKey = `sk-${made}`;
          const text = `${before} ${echoes[form]?.(secretKey)} ${after}`;
          assertHidden(sanitizeServerMessage(text, [secretKey]), secretKey, form);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('masks a short key as it is, and no word that its encodings could be', () => {
    assert.equal(maskSecrets('abcd YWJjZA 61626364', ['abcd']), '*** YWJjZA ***');
    assert.equal(maskSecrets('abc YWJj', ['abc']), 'abc YWJj');
  });

  it('takes time that grows with the text', () => {
    assert.ok(processorMs(() => maskSecrets(key.repeat(3000), [key, 'x'.repeat(4000)])) < 3000);
  });
});
