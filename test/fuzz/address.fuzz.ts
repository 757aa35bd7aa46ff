import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLoopback, isUnencrypted, normaliseAddress } from '../../src/base/address.ts';
import { shownAddress } from '../../src/base/urls.ts';
import { overHttps, shorterAddresses } from '../../src/connections/otherAddresses.ts';
import { hostileText } from './inputs.ts';
import type { Target } from './property.ts';

const host = fc.constantFrom(
  'relay.example.com',
  'localhost',
  '127.0.0.1',
  '[::1]',
  '10.0.0.7',
  'EXAMPLE.COM',
  'bücher.de',
  'a.localhost',
);
const path = fc
  .array(
    fc.constantFrom(
      'v1',
      'V1',
      'chat',
      'completions',
      'chat-messages',
      'api',
      'datasets',
      'console',
      'v1beta',
      'é',
      '%2e%2e',
      '..',
      '.',
      '',
      'workflows',
      'run',
      'models',
    ),
    { maxLength: 6 },
  )
  .map((names) => names.map((name) => `/${name}`).join(''));
const address = fc
  .record({
    scheme: fc.constantFrom('https://', 'http://', 'HTTPS://', '', '//', 'https:/', 'http:'),
    host,
    port: fc.constantFrom('', ':8080', ':443', ':80'),
    path,
    tail: fc.constantFrom('', '/', '?key=sk-secret123', '#/keys', '?a#b'),
  })
  .map((parts) => ({ ...parts, text: parts.scheme + parts.host + parts.port + parts.path + parts.tail }));
const words = [
  'https://',
  'http://',
  'file://',
  'javascript:',
  '@',
  ':',
  '/',
  '\\',
  '//',
  '?',
  '#',
  'user:pw',
  'good.com',
  'evil.com',
  'v1',
  'sk-x',
  '%00',
  '..',
  '[',
  ']',
  '。',
  '℀',
  '１２７.1',
  '0x7f.1',
];

const secretWords = fc.constantFrom('hunter2hunter2', 'Pa55-w0rd!');

export const target: Target = {
  'goes to the host that was typed, and reads its own result as itself': {
    runs: 3000,
    property: fc.property(address, ({ text, scheme, host: typedHost, port }) => {
      const normal = normaliseAddress(text);
      assert.ok('baseUrl' in normal, text);
      const { baseUrl, origin } = normal;
      const url = new URL(baseUrl);
      const expected = new URL(`http://${typedHost}${port === ':80' || port === ':443' ? '' : port}`);
      assert.equal(url.hostname, expected.hostname);
      assert.equal(url.origin, origin);
      assert.ok(baseUrl === origin || baseUrl.startsWith(`${origin}/`));
      assert.equal(url.search + url.hash + url.username + url.password, '');
      if (/^https:/i.test(scheme)) assert.equal(url.protocol, 'https:');
      // Without a scheme, only this machine is addressed without encryption.
      if (!/^http/i.test(scheme)) assert.equal(isUnencrypted(normal), false);
      assert.deepEqual(normaliseAddress(baseUrl), normal);
    }),
  },
  'takes nothing for an address that leads elsewhere, whatever is typed': {
    runs: 4000,
    property: fc.property(hostileText(words, 12), (text) => {
      const normal = normaliseAddress(text);
      if ('problem' in normal) return;
      const url = new URL(normal.baseUrl);
      assert.equal(url.origin, normal.origin);
      assert.match(url.protocol, /^https?:$/);
      assert.equal(url.search + url.hash + url.username + url.password, '');
      assert.ok(normal.baseUrl === normal.origin || normal.baseUrl.startsWith(`${normal.origin}/`));
      assert.deepEqual(normaliseAddress(normal.baseUrl), normal);
      for (const other of shorterAddresses(normal)) {
        assert.equal(other.origin, normal.origin);
        assert.equal(new URL(other.baseUrl).origin, normal.origin);
        assert.notEqual(other.baseUrl, normal.baseUrl);
      }
      const secure = overHttps(normal);
      assert.equal(new URL(secure.baseUrl).protocol, 'https:');
      assert.equal(new URL(secure.baseUrl).hostname, url.hostname);
      assert.equal(isUnencrypted(secure), false);
      if (isLoopback(url.hostname)) assert.match(url.hostname, /localhost$|^127\.|^\[::1\]$/);
    }),
  },
  'shows no password and no query of an address': {
    runs: 2000,
    property: fc.property(
      fc.constantFrom('https://', 'http://', 'socks5://', '//', ''),
      hostileText(words, 4).map((user) => user.replace(/[/?#\\]/g, '')),
      secretWords,
      hostileText(words, 6),
      secretWords,
      (scheme, user, password, after, query) => {
        const shown = shownAddress(`${scheme}${user}:${password}@${after}?${query}`);
        assert.ok(!shown.includes(password), shown);
        assert.ok(!shown.includes(query), shown);
      },
    ),
  },
};
