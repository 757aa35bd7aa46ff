import assert from 'node:assert/strict';
import { chooseRoute, originOfProxy, secretsOfRoute } from '../../../src/net/routes.ts';

const settings = { noProxy: [], strictTls: true };
const proxied = { ...settings, proxyUrl: 'http://proxy.example:8080' };

function route(url: string, given: Parameters<typeof chooseRoute>[1] = proxied, environment = {}) {
  const chosen = chooseRoute(new URL(url), given, environment);
  return chosen.type === 'proxy' ? chosen.proxyUrl : chosen.fallible ? 'direct, fallible' : 'direct';
}

describe('chooseRoute', () => {
  it("takes the editor's proxy before the environment's", () => {
    const environment = { HTTPS_PROXY: 'http://other.example' };
    assert.equal(route('https://relay.example', proxied, environment), 'http://proxy.example:8080');
    assert.equal(route('https://relay.example', settings, environment), 'http://other.example');
  });

  it("takes the environment's proxy by scheme, in either case", () => {
    assert.equal(
      route('https://relay.example', settings, { https_proxy: 'p.example:1' }),
      'http://p.example:1',
    );
    assert.equal(
      route('http://relay.example', settings, { HTTP_PROXY: 'http://p.example' }),
      'http://p.example',
    );
    assert.equal(
      route('http://relay.example', settings, { HTTPS_PROXY: 'http://p.example' }),
      'direct, fallible',
    );
    assert.equal(
      route('http://relay.example', settings, { http_proxy: '', all_proxy: 'http://p.example' }),
      'http://p.example',
    );
  });

  it('goes straight, with a way out, when nobody names a proxy', () => {
    assert.equal(route('https://relay.example', settings), 'direct, fallible');
  });

  it('never takes a proxy to this machine', () => {
    for (const url of [
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      'http://a.localhost',
    ]) {
      assert.equal(route(url), 'direct', url);
    }
  });

  const exemptions: [entry: string, url: string, exempt: boolean][] = [
    ['*', 'https://relay.example', true],
    ['relay.example', 'https://relay.example', true],
    ['relay.example', 'https://eu.relay.example', true],
    ['relay.example', 'https://otherrelay.example', false],
    ['.relay.example', 'https://eu.relay.example', true],
    ['*.relay.example', 'https://eu.relay.example', true],
    ['RELAY.example', 'https://relay.example', true],
    ['relay.example:8443', 'https://relay.example:8443', true],
    ['relay.example:443', 'https://relay.example', true],
    ['relay.example:8443', 'https://relay.example', false],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd00::12', 'https://[fd00::12]', true],
    ['FD00:0::12', 'https://[fd00::12]:8443', true],
    ['[fd00::12]:443', 'https://[fd00::12]', true],
    ['fd00::12', 'https://[fd00::1]:12', false],
    ['relay.example:80', 'http://relay.example', true],
    ['relay.example:443', 'http://relay.example', false],
    ['', 'https://relay.example', false],
  ];
  for (const [entry, url, exempt] of exemptions) {
    it(`${exempt ? 'exempts' : 'proxies'} ${url} with noProxy "${entry}"`, () => {
      const chosen = route(url, { ...proxied, noProxy: [entry] });
      assert.equal(chosen, exempt ? 'direct' : 'http://proxy.example:8080');
    });
  }

  it("reads the environment's exemptions when the editor has none", () => {
    const environment = { NO_PROXY: 'a.example, relay.example' };
    assert.equal(route('https://relay.example', proxied, environment), 'direct');
    assert.equal(
      route('https://relay.example', { ...proxied, noProxy: ['b.example'] }, environment),
      'http://proxy.example:8080',
    );
  });

  it('takes user name and password out of the address, and knows what of them is secret', () => {
    const proxyOf = (proxyUrl: string, proxyAuthorization = '') => {
      const chosen = chooseRoute(
        new URL('https://relay.example'),
        { ...settings, proxyUrl, proxyAuthorization },
        {},
      );
      return { ...chosen, secrets: secretsOfRoute(chosen) };
    };
    const value = Buffer.from('me:p@ss').toString('base64');
    const named = {
      ...{ type: 'proxy', fallible: false },
      ...{ proxyUrl: 'http://proxy.example:8080', source: 'http.proxy' },
    };
    assert.deepEqual(proxyOf('http://me:p%40ss@proxy.example:8080'), {
      ...named,
      authorization: `Basic ${value}`,
      secrets: [value, 'p@ss'],
    });
    // The editor's own setting comes first, of any scheme.
    assert.deepEqual(proxyOf('http://me:other@proxy.example:8080', 'Bearer abc'), {
      ...named,
      authorization: 'Bearer abc',
      secrets: ['abc'],
    });
    assert.deepEqual(secretsOfRoute(chooseRoute(new URL('https://relay.example'), settings, {})), []);
    assert.deepEqual(proxyOf('http://proxy.example', 'a-token-alone').secrets, ['a-token-alone']);
    const alone = proxyOf('http://:p@proxy.example');
    assert.equal(alone.type === 'proxy' && alone.proxyUrl, 'http://proxy.example');
    // A percent sign that begins no code, and a user name alone.
    const odd = Buffer.from('a%zz:').toString('base64');
    assert.deepEqual(proxyOf('http://a%zz@proxy.example').secrets, [odd]);
  });

  it('keeps a sign-in for one port of a proxy, and knows a password with a colon as a whole', () => {
    const authorization = `Basic ${Buffer.from('me:one:two').toString('base64')}`;
    const chosen = chooseRoute(
      new URL('https://relay.example'),
      { ...proxied, proxyAuthorization: authorization },
      {},
    );
    assert.ok(chosen.type === 'proxy');
    assert.equal(originOfProxy(chosen), 'http://proxy.example:8080');
    assert.ok(secretsOfRoute(chosen).includes('one:two'));
  });
});
