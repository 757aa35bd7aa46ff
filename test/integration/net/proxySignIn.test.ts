import assert from 'node:assert/strict';
import { basic } from '../../../src/net/routes.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { type RelayOptions, relayUnderTest } from '../../support/relayUnderTest.ts';
import { scriptedSecrets } from '../../support/scriptedSecrets.ts';
import { startProxy } from '../../support/tinyServers.ts';

describe('a proxy that wants a user name and a password', () => {
  const good = basic('me', 'pass: word');
  let relay: RelayServer;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeEach(async () => {
    relay = await startRelay();
    proxy = await startProxy(Number(new URL(relay.url).port), { authorization: good });
  });
  afterEach(async () => {
    await proxy.stop();
    await relay.stop();
  });

  async function through(options: Partial<RelayOptions> & { user?: string }, times = 1) {
    const { user = '', network, ...more } = options;
    const proxyUrl = `http://${user}127.0.0.1:${proxy.port}`;
    const client = relayUnderTest({
      ...{ baseUrl: 'http://relay.test', key: relay.key, network: { proxyUrl, ...network } },
      ...more,
    });
    try {
      const outcomes = [];
      for (let count = 0; count < times; count++) outcomes.push(await client.ask({}));
      return outcomes.map(({ course }) => course.at(-1));
    } finally {
      client.http.dispose();
    }
  }

  it('gets them from its address, from http.proxyAuthorization, or from the variable', async () => {
    assert.deepEqual(await through({ user: 'me:pass%3A%20word@' }), ['modelFinished']);
    assert.deepEqual(await through({ network: { proxyAuthorization: good } }), ['modelFinished']);
    const environment = { HTTP_PROXY: `http://me:pass%3A%20word@127.0.0.1:${proxy.port}` };
    assert.deepEqual(await through({ network: { proxyUrl: '' }, environment }), ['modelFinished']);
  });

  it('has them asked for once, before anything was sent to the server, and kept', async () => {
    const secrets = scriptedSecrets(good);
    assert.deepEqual(await through({ secrets }, 2), ['modelFinished', 'modelFinished']);
    const origin = `http://127.0.0.1:${proxy.port}`;
    assert.deepEqual(secrets.asked, [`proxy ${origin}`]);
    assert.equal(relay.requests.length, 2);
    assert.equal(relay.requests[0]?.headers['proxy-authorization'], undefined);
    assert.deepEqual(await through({ secrets }), ['modelFinished']);
    assert.equal(secrets.asked.length, 1);
  });

  it('has others asked for when they are wrong, and is named when nobody answers', async () => {
    const wrong = basic('me', 'wrong');
    const secrets = scriptedSecrets(wrong, good);
    assert.deepEqual(await through({ secrets }, 2), ['proxy', 'modelFinished']);
    assert.match(secrets.asked[1] ?? '', /, not Basic /);
    const nobody = scriptedSecrets(undefined);
    assert.deepEqual(await through({ secrets: nobody }), ['proxy']);
    assert.equal(relay.requests.length, 1);
  });
});
