import assert from 'node:assert/strict';
import fc from 'fast-check';
import { longestSecret } from '../../../../src/base/secrets/secretShapes.ts';
import { SecretScan, type FoundSecret } from '../../../../src/base/secrets/secretScan.ts';

/** Assembled, so that no scanner takes this file for one with secrets. */
const joined = (...parts: string[]) => parts.join('');

const letters = 'aBcDeFgHiJ';
const mixed = 'a1B2c3D4e5';
const hex = '0a1b2c3d4e';

const secrets: Record<string, readonly string[]> = {
  'a private key': [joined('-----BEGIN RSA ', 'PRIVATE KEY-----')],
  'an AWS access key': [joined('AK', 'IAQYLPMN5HHHFPZAM2'), joined('AS', 'IAQYLPMN5HHHFPZAM2')],
  'a GitHub token': [
    ...['p_', 'o_', 'u_', 's_', 'r_'].map((kind) => joined('gh', kind, 'a1B2'.repeat(9))),
    joined('github', '_pat_', mixed.repeat(4)),
  ],
  'a GitLab token': [joined('glp', 'at-', mixed.repeat(2))],
  'a Slack token': [
    joined('xo', 'xb-', '123456789012-abcdefABCDEF'),
    joined('https://hooks.', 'slack.com/services/', 'TABC12/BABC12/', mixed.repeat(2)),
  ],
  'a Google API key': [joined('AI', 'za', 'SyA1b'.repeat(7))],
  'an Anthropic key': [joined('sk-', 'ant-', `api03-${'Ab1_'.repeat(10)}`)],
  'a model service key': ['-proj-', '-svcacct-', '-admin-', '-or-v1-', '-'].map((kind) =>
    joined('sk', kind, mixed.repeat(3)),
  ),
  'a platform key': ['dataset-', 'app-'].map((kind) => joined(kind, mixed.repeat(2), 'a1B2')),
  'a Stripe key': ['sk_', 'rk_'].map((kind) => joined(kind, 'live_', '51AbCdEfGhIjKlMnOp')),
  'an npm token': [joined('np', 'm_', 'a1B2'.repeat(9))],
  'an AWS secret key': ['aws_secret_key', 'AWS_SECRET_ACCESS_KEY', 'SecretAccessKey', 'secretAccessKey'].map(
    (name) => joined(name, ' = ', mixed.repeat(4)),
  ),
  'an Azure key': ['Account', 'SharedAccess'].map((kind) => joined(kind, 'Key=', mixed.repeat(5), '==')),
  'a Telegram token': [joined('1234567890', ':AA', mixed.repeat(3), 'abc')],
  'a Discord webhook': ['discord.com', 'discordapp.com'].map((host) =>
    joined('https://', host, '/api/web', 'hooks/', '12345678901234567/', mixed.repeat(6)),
  ),
  'a token for 1Password': [joined('ops', '_eyJ', mixed.repeat(20))],
  'a token for age': [joined('AGE-', 'SECRET-KEY-1', 'A1B2C3D4E5'.repeat(5))],
  'a token for Atlassian': [joined('ATA', 'TT3', mixed.repeat(10))],
  'a token for Databricks': [joined('da', 'pi', hex.repeat(3), '0a', '-2')],
  'a token for DigitalOcean': [joined('dop', '_v1_', hex.repeat(6), '0a1b')],
  'a token for Docker': [joined('dckr', '_pat_', mixed.repeat(2))],
  'a token for Doppler': [joined('dp.', 'pt.', mixed.repeat(4))],
  'a token for Grafana': [joined('gl', 'sa_', mixed.repeat(3), 'a1_0a1b2c3d')],
  'a token for Groq': [joined('gs', 'k_', mixed.repeat(4))],
  'a token for HashiCorp Vault': [joined('hv', 's.', mixed.repeat(3))],
  'a token for Hugging Face': [joined('h', 'f_', letters.repeat(3))],
  'a token for Linear': [joined('lin', '_api_', mixed.repeat(4))],
  'a token for New Relic': [joined('NR', 'AK-', 'A1B2C3D4E5'.repeat(2), 'A1B2C3D')],
  'a token for Notion': [joined('nt', 'n_', mixed.repeat(4))],
  'a token for Perplexity': [joined('pp', 'lx-', mixed.repeat(4))],
  'a token for Postman': [joined('PM', 'AK-', hex.repeat(2), '0a1b-', hex.repeat(3), '0a1b')],
  'a token for PyPI': [joined('py', 'pi-AgEI', mixed.repeat(5))],
  'a token for Replicate': [joined('r', '8_', mixed.repeat(4))],
  'a token for RubyGems': [joined('ruby', 'gems_', hex.repeat(4), '0a1b2c3d')],
  'a token for SendGrid': [joined('S', 'G.', mixed.repeat(2), 'a1.', mixed.repeat(4), 'a1B')],
  'a token for Sentry': [joined('sn', 'trys_', mixed.repeat(8))],
  'a token for Shopify': [joined('sh', 'pat_', hex.repeat(3), '0a')],
  'a token for Square': [joined('sq0', 'atp-', mixed.repeat(2), 'a1')],
  'a token for Supabase': [joined('sb', 'p_', hex.repeat(4))],
  'a token for Tailscale': [joined('ts', 'key-', 'auth-', mixed, '-', mixed.repeat(2))],
  'a token for xAI': [joined('x', 'ai-', mixed.repeat(6))],
  'a signed token (JWT)': [
    joined('ey', 'JhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0.', 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6y'),
  ],
  'an address with a password': [joined('postgres://app:', 'Tr0ub4dor', '@db.internal/app')],
};
const githubToken = secrets['a GitHub token']?.[0] ?? '';
const awsKey = secrets['an AWS access key']?.[0] ?? '';

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
    assert.deepEqual(scan(`${githubToken}\n\n${awsKey}\n`), { line: 1, words: 'a GitHub token' });
    assert.deepEqual(scan(`${awsKey}\n\n${githubToken}\n`), { line: 1, words: 'an AWS access key' });
  });

  for (const [words, samples] of Object.entries(secrets)) {
    it(`finds ${words} and the line it is in`, () => {
      for (const secret of samples) {
        assert.deepEqual(scan(`one\ntwo\nkey = "${secret}"\n`), { line: 3, words });
        assert.deepEqual(scan(secret), { line: 1, words });
      }
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
  const placeholders = [
    ...['xxx', '...', 'pass', 'password', 'passwd', 'PWD', 'secret', 'user', 'username', 'your-password'],
    ...['mypassword', 'changeme', 'change-me', 'example', 'test', 'root', 'postgres', 'mysql', 'mongo'],
    ...['redis', 'rabbitmq', 'admin', 'guest', 'token', 'key', '<password>', '{pass}', '$PASS', '%s1', '***'],
  ].map((password) => `https://app:${password}@host/db`);
  for (const text of [...harmless, ...placeholders])
    it(`lets pass ${text}`, () => assert.equal(scan(text), undefined));

  it('finds the same however the text is cut', () => {
    const filler = fc.string({
      unit: fc.constantFrom('a', 'Z', '7', '-', '_', ' ', '\n', '/', ':', '@', '.', 'sk-', 'eyJ'),
      maxLength: 40,
    });
    const secret = fc.option(fc.constantFrom(...Object.values(secrets).flat()), { nil: '' });
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
    assert.equal(scan(`${awsKey}LONGER`, awsKey.length), undefined);
    // The kept piece begins with the key, without the letter before it that makes it none.
    const kept = awsKey + ' '.repeat(longestSecret + 1 - awsKey.length);
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
