import assert from 'node:assert/strict';
import fc from 'fast-check';
import { longestSecret } from '../../../../src/base/secrets/secretShapes.ts';
import { SecretScan, type FoundSecret } from '../../../../src/base/secrets/secretScan.ts';

/** Assembled, so that no scanner takes this file for one with secrets. */
const joined = (...parts: string[]) => parts.join('');

const secrets: Record<string, string> = {
  'a private key': joined('-----BEGIN RSA ', 'PRIVATE KEY-----'),
  'an AWS access key': joined('AK', 'IAQYLPMN5HHHFPZAM2'),
  'a GitHub token': joined('gh', 'p_', 'a1B2'.repeat(9)),
  'a GitLab token': joined('glp', 'at-', 'a1B2c3D4e5F6g7H8i9J0'),
  'a Slack token': joined('xo', 'xb-', '123456789012-abcdefABCDEF'),
  'a Google API key': joined('AI', 'za', 'SyA1b'.repeat(7)),
  'an Anthropic key': joined('sk-', 'ant-', `api03-${'Ab1_'.repeat(10)}`),
  'a model service key': joined('sk', '-proj-', 'Ab12'.repeat(8)),
  'a platform key': joined('data', 'set-', 'a1B2c3D4e5F6a1B2c3D4e5F6'),
  'a Stripe key': joined('sk_', 'live_', '51AbCdEfGhIjKlMnOp'),
  'an npm token': joined('np', 'm_', 'a1B2'.repeat(9)),
  'a signed token (JWT)': joined(
    'ey',
    'JhbGciOiJIUzI1NiJ9.',
    'eyJzdWIiOiIxMjM0NTY3ODkwIn0.',
    'SflKxwRJSMeKKF2QT4fwpMeJf36POk6y',
  ),
  'an address with a password': joined('postgres://app:', 'Tr0ub4dor', '@db.internal/app'),
};

function scan(text: string, ...cuts: number[]): FoundSecret | undefined {
  const scanner = new SecretScan();
  let from = 0;
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    scanner.push(text.slice(from, cut));
    from = Math.max(from, cut);
  }
  scanner.push(text.slice(from));
  return scanner.end();
}

describe('SecretScan', () => {
  it('tells of the first of two, whatever they are', () => {
    const [github, aws] = ['a GitHub token', 'an AWS access key'] as const;
    for (const [first, second] of [
      [github, aws],
      [aws, github],
    ] as const) {
      const text = `${secrets[first]}\n\n${secrets[second]}\n`;
      assert.deepEqual(scan(text), { line: 1, words: first });
    }
  });

  for (const [words, secret] of Object.entries(secrets)) {
    it(`finds ${words} and the line it is in`, () => {
      assert.deepEqual(scan(`one\ntwo\nkey = "${secret}"\n`), { line: 3, words });
      assert.deepEqual(scan(secret), { line: 1, words });
    });
  }

  const harmless = [
    'AKIAIOSFODNN7EXAMPLE',
    'postgres://user:password@localhost/db',
    joined('https://user:$', '{TOKEN}@example.com'),
    'redis://:@localhost',
    'a class named sk-button-with-a-very-long-name and task-12345678901234567890abcdef',
    'the npm_config_registry_and_other_long_names_of_variables variable',
    '-----BEGIN PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----',
    'eyJhbGciOiJIUzI1NiJ9',
    'myapp-abcdefghijklmnopqrstuvwx',
    'http://localhost:3000/@scope/name',
    'git@github.com:owner/repo.git',
  ];
  for (const text of harmless) it(`lets pass ${text}`, () => assert.equal(scan(text), undefined));

  it('finds the same however the text is cut', () => {
    const filler = fc.string({
      unit: fc.constantFrom('a', 'Z', '7', '-', '_', ' ', '\n', '/', ':', '@', '.', 'sk-', 'eyJ'),
      maxLength: 40,
    });
    const secret = fc.option(fc.constantFrom(...Object.values(secrets)), { nil: '' });
    const text = fc
      .tuple(filler, fc.nat(6000), secret, filler, secret, filler)
      .map(([a, space, b, c, d, e]) => a + ' '.repeat(space) + b + c + d + e);
    fc.assert(
      fc.property(text, fc.array(fc.nat(8000), { maxLength: 6 }), (whole, cuts) => {
        assert.deepEqual(scan(whole, ...cuts), scan(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('takes nothing for a secret that only looks like one where the text was cut', () => {
    const key = secrets['an AWS access key'] ?? '';
    assert.equal(scan(`${key}LONGER`, key.length), undefined);
    // The kept piece begins with the key, without the letter before it that makes it none.
    const kept = key + ' '.repeat(longestSecret + 1 - key.length);
    const before = `${' '.repeat(100)}x`;
    assert.equal(scan(`${before}${kept} `, before.length + kept.length), undefined);
  });

  it('takes its time in proportion to the text', () => {
    // A backtracking pattern would take minutes.
    for (const part of ['-eyJ', 'sk-', 'a://', 'AKIA', '-----BEGIN A ', 'xoxb-1']) {
      assert.equal(scan(part.repeat(300_000)), undefined);
    }
  });
});
