import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  countRedacted,
  mayRedact,
  redactedMark,
  Redactor,
  redactSecrets,
} from '../../../../src/base/secrets/redactSecrets.ts';
import { longestSecret } from '../../../../src/base/secrets/secretShapes.ts';
import { processorMs } from '../../../support/processorTime.ts';

/** Assembled, so that no scanner takes this file for one with secrets. */
const joined = (...parts: string[]) => parts.join('');
const letters = (count: number, alphabet = 'aB3dE5fG7hJ9kLmN1pQrS2tUvWxYz') =>
  Array.from({ length: count }, (_, index) => alphabet[(index * 7 + 3) % alphabet.length]).join('');
const hex = (count: number) => letters(count, '0123456789abcdef');

const keyBody = `${letters(64)}\n`.repeat(20);
const privateKey = joined(
  '-----BEGIN RSA ',
  'PRIVATE KEY-----\n',
  keyBody,
  '-----END RSA PRIVATE',
  ' KEY-----',
);

const secrets: string[] = [
  joined('AK', 'IAQYLPMN5HHHFPZAM2'),
  joined('gh', 'p_', letters(36)),
  joined('sk', '-', letters(48)),
  joined('data', 'set-', letters(24)),
  joined('xo', 'xb-123456789012-', letters(24)),
  joined('postgres://app:', 'Tr0ub4dor', '@db.internal'),
  joined('hf', '_', letters(34, 'abcdefghijKLMNOP')),
  joined('pypi-', 'AgEI', letters(100)),
  joined('SG', '.', letters(22), '.', letters(43)),
  joined('dop', '_v1_', hex(64)),
  joined('gsk', '_', letters(52)),
  joined('shp', 'at_', hex(32)),
  joined('12345678', '9:AA', letters(33)),
  joined('aws_secret', '_access_key = ', letters(40)),
  joined('AccountKey', '=', letters(86), '=='),
  privateKey,
];

function inPieces(text: string, cuts: readonly number[]): string {
  const redactor = new Redactor();
  let out = '';
  let from = 0;
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    out += redactor.push(text.slice(from, cut));
    from = Math.max(from, cut);
  }
  return out + redactor.push(text.slice(from)) + redactor.end();
}

describe('base: redacting secrets', () => {
  for (const secret of secrets) {
    it(`redacts ${secret.slice(0, 12)}… and keeps what is around it and the number of lines`, () => {
      const text = `one\nkey = "${secret}"; next\nlast`;
      const redacted = redactSecrets(text);
      assert.ok(!redacted.includes(secret.slice(-12)), redacted);
      assert.match(redacted, /^one\n.*\[redacted secret\]/);
      assert.match(redacted, /; next\nlast$/);
      assert.equal(redacted.split('\n').length, text.split('\n').length);
      assert.equal(countRedacted(redacted), 1);
    });
  }

  it('redacts a key that is quoted, escaped, indented, in a diff, or whose end is missing', () => {
    const escaped = JSON.stringify({ key: privateKey });
    const indented = privateKey.replaceAll('\n', '\n    ');
    const diff = privateKey.replaceAll(/^/gm, '+');
    const endless = privateKey.slice(0, -40);
    for (const text of [escaped, indented, diff, endless, `> ${privateKey.replaceAll('\n', '\n> ')}`]) {
      const redacted = redactSecrets(`before\n${text}\n\nafter the key`);
      assert.ok(!redacted.includes(letters(64).slice(0, 20)), redacted.slice(0, 300));
      assert.match(redacted, /after the key$/);
    }
    // A part of a key is still recognised in a few lines.
    assert.equal(countRedacted(redactSecrets(privateKey).split('\n').slice(5, 9).join('\n')), 1);
  });

  it('knows of a part of a text what is a secret in the whole of it', () => {
    const text = `before\n${privateKey}\nafter the key`;
    const lines = text.split('\n');
    const from = lines.slice(0, 4).join('\n').length + 1;
    const to = from + (lines[4]?.length ?? 0);
    assert.equal(redactSecrets(text, from, to), redactedMark);
    assert.match(redactSecrets(text, from), /^\[redacted secret\]\n(\[redacted\]\n)+after the key$/);
    assert.equal(redactSecrets(text, 0, 6), 'before');
  });

  it('tells of lines by themselves that nothing in them is redacted', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'a', 'key = ', '"', ' -', '@b', letters(40)),
      fc.constantFrom(...secrets),
      fc.constantFrom(...secrets).map((secret) => secret.slice(0, secret.length >> 1)),
    );
    const text = fc.array(
      fc.array(line, { maxLength: 3 }).map((parts) => parts.join('')),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(text, fc.nat(6), fc.nat(6), (parts, first, count) => {
        const lines = parts.join('\n').split('\n');
        const before = lines.slice(0, first).map((each) => `${each}\n`);
        const wanted = lines.slice(first, first + count).join('\n');
        const whole = lines.join('\n');
        const start = Math.min(whole.length, before.join('').length);
        if (mayRedact(whole, start, start + wanted.length)) return;
        assert.equal(redactSecrets(whole, start, start + wanted.length), wanted);
      }),
      { numRuns: 1000 },
    );
    assert.ok(
      !mayRedact(`${secrets[0]}\nother\n${secrets[1]}`, secrets[0]!.length + 1, secrets[0]!.length + 6),
    );
  });

  it('leaves texts about keys as they are', () => {
    for (const text of [
      "if (line === '-----BEGIN PRIVATE KEY-----') { return parse(line); }",
      'The header -----BEGIN PRIVATE KEY----- begins a key. It is followed by base64.',
      'AKIAIOSFODNN7EXAMPLE and postgres://user:password@localhost/db',
    ]) {
      const redacted = redactSecrets(text);
      assert.equal(redacted.replace(redactedMark, '-----BEGIN PRIVATE KEY-----'), text);
    }
  });

  it('gives the same however the text comes in pieces', () => {
    const filler = fc.string({
      unit: fc.constantFrom(
        'a',
        'Z',
        '7',
        '-',
        '_',
        ' ',
        '\n',
        '/',
        ':',
        '@',
        '.',
        'sk-',
        'eyJ',
        '-----BEGIN ',
      ),
      maxLength: 40,
    });
    const secret = fc.option(fc.constantFrom(...secrets), { nil: '' });
    const text = fc
      .tuple(filler, fc.nat(6000), secret, filler, secret, filler)
      .map(([a, space, b, c, d, e]) => a + ' '.repeat(space) + b + c + d + e);
    fc.assert(
      fc.property(text, fc.array(fc.nat(9000), { maxLength: 6 }), (whole, cuts) => {
        assert.equal(inPieces(whole, cuts), redactSecrets(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('redacts all of a secret that another one begins in', () => {
    const password = `${joined('gh', 'p_', letters(36))}.Tr0ub4dor`;
    const text = redactSecrets(`url = postgres://app:${password}@db.internal/app`);
    assert.ok(!text.includes('Tr0ub4dor'), text);
  });

  it('knows of a piece that it goes on in the middle of a word', () => {
    const text = 'y'.repeat(100) + joined('AK', 'IAQYLPMN5HHHFPZAM2') + ' '.repeat(longestSecret - 19);
    const redactor = new Redactor();
    assert.equal(redactor.push(text) + redactor.end(), text);
  });

  it('takes time that grows with the text', () => {
    const parts = [
      '-----BEGIN PRIVATE KEY-----',
      '-----END',
      'ghp_',
      'sk-ant-',
      'eyJa.eyJ',
      'http://a:b',
      '1234567890:AA',
      'ops_eyJ',
      'AccountKey=',
      'aws_secret_key = ',
      'hf_',
    ];
    for (const part of parts) {
      const text = part.repeat(400_000 / part.length);
      assert.ok(processorMs(() => redactSecrets(text)) < 1000, part);
    }
  });
});
