import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLoopback, isUnencrypted, normaliseAddress } from '../../../src/base/address.ts';
import { shownAddress } from '../../../src/base/urls.ts';
import { overHttps, shorterAddresses } from '../../../src/connections/otherAddresses.ts';

describe('normaliseAddress', () => {
  const good: [typed: string, baseUrl: string][] = [
    ['https://relay.example.com', 'https://relay.example.com'],
    ['https://relay.example.com/#/token?x=1', 'https://relay.example.com'],
    ['  https://relay.example.com/ ', 'https://relay.example.com'],
    ['relay.example.com', 'https://relay.example.com'],
    ['RELAY.Example.com/V1/', 'https://relay.example.com'],
    ['relay.example.com:8443/v1', 'https://relay.example.com:8443'],
    ['//relay.example.com', 'https://relay.example.com'],
    ['https:/relay.example.com', 'https://relay.example.com'],
    ['"https://relay.example.com/v1"', 'https://relay.example.com'],
    ['<https://relay.example.com/v1>', 'https://relay.example.com'],
    ["'https://relay.example.com/v1'", 'https://relay.example.com'],
    ['`https://relay.example.com/v1`', 'https://relay.example.com'],
    ['https://relay.example.com/v1//', 'https://relay.example.com'],
    ['https://relay.example.com/v1/v1', 'https://relay.example.com'],
    ['https://relay.example.com/v1/chat/completions', 'https://relay.example.com'],
    ['https://relay.example.com/v1/chat/completions/', 'https://relay.example.com'],
    ['https://relay.example.com/v1/models?limit=3#top', 'https://relay.example.com'],
    ['https://relay.example.com/chat/completions', 'https://relay.example.com'],
    ['https://relay.example.com/v1/messages', 'https://relay.example.com'],
    ['https://relay.example.com/v1/responses', 'https://relay.example.com'],
    ['https://app.example.com/v1/datasets', 'https://app.example.com'],
    ['https://app.example.com/v1/datasets/1f/document/create_by_text', 'https://app.example.com'],
    ['https://app.example.com/v1/chat-messages', 'https://app.example.com'],
    ['https://app.example.com/v1/workflows/run', 'https://app.example.com'],
    ['https://app.example.com/chat-messages', 'https://app.example.com'],
    ['https://app.example.com/completion-messages', 'https://app.example.com'],
    ['https://app.example.com/workflows/run', 'https://app.example.com'],
    ['https://app.example.com/run', 'https://app.example.com/run'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api'],
    ['https://host.example/relay/v1', 'https://host.example/relay'],
    ['https://host.example/relay/v1/chat/completions', 'https://host.example/relay'],
    ['https://host.example/v1/team/gateway', 'https://host.example/v1/team/gateway'],
    ['http://localhost:3000/v1', 'http://localhost:3000'],
    ['localhost:3000', 'http://localhost:3000'],
    ['LOCALHOST', 'http://localhost'],
    ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['192.168.1.5:3000', 'https://192.168.1.5:3000'],
    ['http://relay.example.com:80', 'http://relay.example.com'],
    ['https://中转.example.com', 'https://xn--fiqq40n.example.com'],
  ];
  for (const [typed, baseUrl] of good) {
    it(`reads ${typed.trim()}`, () => {
      assert.deepEqual(normaliseAddress(typed), { baseUrl, origin: new URL(baseUrl).origin });
    });
  }

  const bad: [typed: string, problem: RegExp][] = [
    ['', /Enter the address/],
    ['   ', /Enter the address/],
    ['https://relay example.com', /contains spaces/],
    ['https://a.example\nhttps://b.example', /contains spaces/],
    ['ftp://relay.example.com', /ftp:/],
    [`https://relay.example.com${'/v1'.repeat(33_000)}`, /address is too long/],
    [`https://relay.example.com/${'中'.repeat(700)}`, /address is too long/],
    [`https://${'a.'.repeat(130)}example.com`, /^Enter an address/],
    ['ws://relay.example.com', /ws:/],
    ['https://me:secret@relay.example.com', /password/],
    ['me@relay.example.com', /user name/],
    ['https://', /^Enter an address/],
    ['https://relay.example.com:99999', /^Enter an address/],
    ['sk-abcdef123', /key/],
    ['app-abcdef123', /key/],
    ['dataset-abcdef123', /key/],
  ];
  for (const [typed, problem] of bad) {
    it(`refuses ${JSON.stringify(typed.slice(0, 80))}`, () => {
      const address = normaliseAddress(typed);
      assert.ok('problem' in address);
      assert.match(address.problem, problem);
      assert.ok(!address.problem.includes('secret'));
    });
  }

  it('leaves its own result as it is, and never ends in a slash or /v1', () => {
    const piece = fc.constantFrom(
      'v1',
      'chat',
      'completions',
      'models',
      'datasets',
      'relay',
      'api',
      '',
      'ä',
      '%20',
      '..',
    );
    const typed = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string(),
      fc
        .tuple(fc.constantFrom('https://', 'http://', '', 'HTTPS://'), fc.domain(), fc.array(piece))
        .map(([scheme, host, path]) => `${scheme}${[host, ...path].join('/')}`),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const once = normaliseAddress(text);
        if ('problem' in once) return;
        assert.doesNotMatch(once.baseUrl, /\/$|\/v1$/i);
        assert.ok(once.baseUrl.startsWith(once.origin));
        assert.deepEqual(normaliseAddress(once.baseUrl), once);
        assert.deepEqual(normaliseAddress(`${once.baseUrl}/v1/chat/completions`), once);
      }),
      { numRuns: 500 },
    );
  });
});

describe('addresses', () => {
  it('knows what stays on this machine', () => {
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
      assert.ok(isLoopback(host), host);
    for (const host of ['example.com', '128.0.0.1', '127.example.com', 'localhost.example', 'notlocalhost']) {
      assert.ok(!isLoopback(host), host);
    }
  });

  it('shows an address without what may be secret', () => {
    assert.equal(shownAddress('https://u:p@h.example/v1/models?key=1#x'), 'https://h.example/v1/models');
    assert.equal(shownAddress('not a url?key=1'), 'not a url');
    assert.equal(shownAddress('me:hunter2@proxy:8080'), 'proxy:8080');
    assert.equal(shownAddress('socks5://me:hunter2@proxy:1080'), 'socks5://proxy:1080');
    assert.equal(shownAddress('http://me:hunter2@'), 'http://');
  });
});

describe('shorterAddresses', () => {
  const shorter = (baseUrl: string) => shorterAddresses({ baseUrl, origin: new URL(baseUrl).origin });

  for (const [typed, found] of [
    ['https://relay.example.com', ['https://relay.example.com/api']],
    ['https://relay.example.com/api', ['https://relay.example.com']],
    [
      'https://relay.example.com:8443/console/token',
      [
        'https://relay.example.com:8443/console',
        'https://relay.example.com:8443',
        'https://relay.example.com:8443/api',
      ],
    ],
  ] as const) {
    it(`looks above ${typed}`, () => {
      assert.deepEqual(
        shorter(typed).map(({ baseUrl }) => baseUrl),
        found,
      );
    });
  }

  it('are shown without what follows them, in time that grows with their length', () => {
    const slashes = '/'.repeat(200_000);
    assert.equal(shownAddress(`https://a.example${slashes}b${slashes}?q`), `https://a.example${slashes}b`);
  });

  it('never leaves the origin, tries no address twice, and ends', () => {
    const segment = fc.constantFrom('console', 'token', 'api', 'a', '%2e%2e', '@evil.example', 'v1x');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 40 }), (segments) => {
        const normal = normaliseAddress(['https://relay.example.com:8443', ...segments].join('/'));
        fc.pre('origin' in normal);
        const found = shorterAddresses(normal);
        assert.ok(found.length <= 7);
        const addresses = found.map(({ baseUrl }) => baseUrl);
        assert.equal(new Set([...addresses, normal.baseUrl]).size, addresses.length + 1);
        for (const { baseUrl, origin } of found) {
          assert.equal(new URL(baseUrl).origin, normal.origin);
          assert.equal(origin, normal.origin);
          assert.ok(normal.baseUrl.startsWith(baseUrl) || baseUrl === `${origin}/api`, baseUrl);
        }
        assert.ok(normal.baseUrl === normal.origin || addresses.includes(normal.origin));
      }),
    );
  });
});

describe('isUnencrypted', () => {
  const judge = (typed: string) => {
    const address = normaliseAddress(typed);
    assert.ok('origin' in address);
    return isUnencrypted(address);
  };
  for (const typed of [
    'http://relay.lan:3000',
    'http://192.168.1.5',
    'http://relay.example.com/api',
    'http://0.0.0.0',
  ]) {
    it(`is true of ${typed}`, () => assert.equal(judge(typed), true));
  }
  for (const typed of [
    'https://relay.lan',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:3000',
    'relay.lan',
  ]) {
    it(`is false of ${typed}`, () => assert.equal(judge(typed), false));
  }

  it('has an encrypted form of the same address', () => {
    const address = { baseUrl: 'http://relay.lan:3000/api', origin: 'http://relay.lan:3000' };
    assert.deepEqual(overHttps(address), {
      baseUrl: 'https://relay.lan:3000/api',
      origin: 'https://relay.lan:3000',
    });
  });
});
