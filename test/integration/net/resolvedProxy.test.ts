import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { ResolveProxy } from '../../../src/net/httpClient.ts';
import { createNodeTransport } from '../../../src/net/nodeTransport.ts';
import { basic } from '../../../src/net/routes.ts';
import type { Transport } from '../../../src/net/transport.ts';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { createAuthority } from '../../support/certificates.ts';
import { diagnosed, type DiagnosedOptions } from '../../support/diagnosed.ts';
import type { RelayOptions } from '../../support/relayUnderTest.ts';
import { scriptedSecrets } from '../../support/scriptedSecrets.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';
import { startHttp, startMute, startProxy, startSocks } from '../../support/tinyServers.ts';

describe("a proxy that the editor's resolver knows", () => {
  const authority = createAuthority();
  const { stops, started, client } = stopsOfTest();
  let server: RelayServer;
  let port: number;
  beforeEach(async () => {
    server = await started(startRelay());
    port = Number(new URL(server.url).port);
  });
  /** Finds no proxy, like the editor in these tests. */
  const noWay: Transport = () =>
    Promise.reject(Object.assign(new Error('Nobody there'), { code: 'ENOTFOUND' }));
  const by = (resolveProxy: ResolveProxy, more: Partial<RelayOptions> = {}) =>
    client({ baseUrl: 'http://relay.invalid', key: server.key, fallback: noWay, resolveProxy, ...more });
  const last = async (asking: Promise<{ course: string[] }>) => (await asking).course.at(-1);
  const gone = async () => {
    const proxy = await startMute();
    await proxy.stop();
    return proxy.port;
  };

  it('is asked for where nobody names one, and only there', async () => {
    const asked: string[] = [];
    const proxy = await started(startProxy(port));
    const resolve: ResolveProxy = async (url) => {
      asked.push(url);
      return `http://127.0.0.1:${proxy.port}`;
    };
    assert.equal(await last(by(resolve).ask({})), 'modelFinished');
    assert.deepEqual(
      [asked, proxy.targets],
      [['http://relay.invalid/v1/chat/completions'], ['relay.invalid:80']],
    );
    const network = { proxyUrl: `http://127.0.0.1:${proxy.port}` };
    assert.equal(await last(by(resolve, { network }).ask({})), 'modelFinished');
    assert.equal(await last(by(resolve, { baseUrl: server.url }).ask({})), 'modelFinished');
    assert.equal(await last(by(resolve, { network: { noProxy: ['relay.invalid'] } }).ask({})), 'offline');
    assert.equal(asked.length, 1);
  });

  it('is gone by over TLS', async () => {
    const caFile = await temporaryFile(authority.cert, stops);
    const tls = authority.issue({ name: 'proxy', hosts: ['localhost'] });
    const proxy = await started(startProxy(port, { tls }));
    const resolve: ResolveProxy = async () => `https://localhost:${proxy.port}`;
    assert.equal(await last(by(resolve, { network: { caFile } }).ask({})), 'modelFinished');
    assert.deepEqual(proxy.targets, ['relay.invalid:80']);
    const { failure } = await by(resolve).ask({});
    assert.equal(failure?.code, 'tls');
    assert.match(failure.message, new RegExp(`certificate of localhost:${proxy.port} isn't trusted`));
  });

  it('is gone by in SOCKS5, and signed in to', async () => {
    const open = await started(startSocks(port));
    assert.equal(await last(by(async () => `socks://127.0.0.1:${open.port}`).ask({})), 'modelFinished');
    assert.deepEqual(open.targets, ['relay.invalid:80']);

    const closed = await started(startSocks(port, { user: 'me', password: 'pass word' }));
    const place = `127.0.0.1:${closed.port}`;
    const named = by(async () => `socks5://me:pass%20word@${place}`);
    assert.equal(await last(named.ask({})), 'modelFinished');
    const secrets = scriptedSecrets(basic('me', 'wrong'), basic('me', 'pass word'));
    const asking = by(async () => `socks5h://${place}`, { secrets });
    assert.equal(await last(asking.ask({})), 'proxy');
    assert.equal(await last(asking.ask({})), 'modelFinished');
    assert.deepEqual(
      secrets.asked.map((each) => each.replace(/not .*/, 'not')),
      [`proxy socks5h://${place}`, `proxy socks5h://${place}, not`],
    );
  });

  it('that refuses, speaks nothing known or says nothing is named', async () => {
    for (const [proxy, says] of [
      [`socks://127.0.0.1:${(await started(startSocks(port, { reply: 2 }))).port}`, /blocked.*SOCKS 2/],
      [`socks4a://127.0.0.1:1080`, /uses an unsupported protocol.*SOCKS5/],
      [`socks://127.0.0.1:${port}`, /blocked|closed/],
      [`http://127.0.0.1:${(await started(startProxy(port, { status: 403 }))).port}`, /blocked.*403/],
    ] as const) {
      const { failure } = await by(async () => proxy, { retry: { retries: 0 } }).ask({});
      assert.match(failure?.message ?? '', says);
    }
    const mute = await started(startMute());
    const network = { proxyUrl: `socks5://127.0.0.1:${mute.port}` };
    const { failure } = await by(async () => undefined, { network, timeouts: { connectMs: 200 } }).ask({});
    assert.equal(failure?.code, 'proxy');
  });

  it('that is gone is passed over for the direct way, for a while', async () => {
    const goneAt = await gone();
    const proxy = `http://127.0.0.1:${goneAt}`;
    const resolve: ResolveProxy = async () => proxy;
    // A name that resolves to this machine without being known for it.
    const lookup: RelayOptions['lookup'] = (_name, { all }, found) =>
      all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4);
    const baseUrl = `http://relay.invalid:${port}`;
    const relay = by(resolve, { baseUrl, lookup });
    assert.equal(await last(relay.ask({})), 'modelFinished');
    let asked = 0;
    const back = createServer((socket) => {
      asked++;
      socket.destroy();
    });
    await new Promise<void>((done) => back.listen(goneAt, '127.0.0.1', done));
    assert.equal(await last(relay.ask({})), 'modelFinished');
    assert.equal(asked, 0);
    await new Promise((done) => back.close(done));
  });

  it('that is gone is named with where it comes from, also while it is passed over', async () => {
    const proxy = `http://127.0.0.1:${await gone()}`;
    const relay = by(async () => `${proxy.replace('//', '//me:pass@')}/`);
    for (const _ of ['tried', 'passed over']) {
      const { failure } = await relay.ask({});
      assert.deepEqual(
        [failure?.code, failure?.message],
        [
          'proxy',
          `Couldn't connect to relay.invalid, neither through the proxy ${proxy} (from the system or a PAC file) nor directly. Check the network and any VPN.`,
        ],
      );
    }
  });

  it("that knows the user of the system is left to the editor's own way", async () => {
    const proxy = await started(startProxy(port, { authorization: 'Negotiate abc' }));
    const resolve: ResolveProxy = async () => `http://127.0.0.1:${proxy.port}`;
    let asked = 0;
    const fallback: Transport = async () => {
      asked++;
      const body = (async function* () {
        yield Buffer.from('{"data":[{"id":"one"}]}');
      })();
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    };
    const relay = by(resolve, { fallback });
    assert.equal((await relay.list()).length, 1);
    await relay.list();
    assert.deepEqual([asked, proxy.connections], [2, 1]);

    const refused: Transport = async () => ({ status: 407, headers: {}, body: Object.assign([], noBody) });
    const secrets = scriptedSecrets('Negotiate abc');
    assert.equal(await last(by(resolve, { fallback: refused, secrets }).ask({})), 'modelFinished');
    assert.equal(secrets.asked.length, 1);
  });

  it('is no hindrance where the resolver fails, and not waited for when the user stops', async () => {
    const failing = by(() => Promise.reject(new Error('No resolver')));
    assert.equal(await last(failing.ask({})), 'offline');
    const stop = new AbortController();
    const waiting = by(() => {
      stop.abort();
      return new Promise(() => undefined);
    });
    assert.equal(await last(waiting.ask({}, { signal: stop.signal })), 'cancelled');
  });

  describe('is named in a diagnosis', () => {
    const diagnosedBy = (proxyPort: number, more: Partial<DiagnosedOptions> = {}) =>
      diagnosed({
        ...{ baseUrl: 'http://relay.invalid', key: server.key, fallback: noWay },
        resolveProxy: async () => `http://127.0.0.1:${proxyPort}`,
        ...more,
      });
    const connects = (proxyPort: number) =>
      `[OK] Proxy: http://127.0.0.1:${proxyPort} (from the system or a PAC file) connects to the server.`;

    it('where it connects', async () => {
      const proxy = await started(startProxy(port));
      assert.ok((await diagnosedBy(proxy.port)).includes(connects(proxy.port)));
    });

    it('where it is gone, and nothing else leads to the server', async () => {
      const goneAt = await gone();
      const lines = await diagnosedBy(goneAt);
      assert.deepEqual(lines.slice(4, 8), [
        `[Failed] TCP: Couldn't connect to relay.invalid, neither through the proxy http://127.0.0.1:${goneAt} (from the system or a PAC file) nor directly.`,
        '    System error: getaddrinfo ENOTFOUND relay.invalid',
        '    To do: Check the network and any VPN.',
        '[Skipped] Proxy: "TCP" failed.',
      ]);
    });

    it('where it is gone, and requests do without it', async () => {
      const goneAt = await gone();
      const host = `0.0.0.0:${port}`;
      const lines = await diagnosedBy(goneAt, { baseUrl: `http://${host}` });
      const found = lines.map((line) => line.replace(/\d+ models/, 'N models'));
      assert.deepEqual(found.slice(4), [
        `[OK] TCP: Connected to ${host}.`,
        `[Warning] Proxy: The proxy http://127.0.0.1:${goneAt} (from the system or a PAC file) isn't reachable, so requests go directly.`,
        '    To do: Ask your network administrator for the correct proxy.',
        '[Skipped] TLS: The address starts with http://.',
        '[OK] Key: The relay accepts the key.',
        '[OK] Models: N models for this key.',
        '[OK] First token: scripted-tools answers.',
        '[OK] Tool call: Tool calls work with scripted-tools.',
      ]);
    });

    it('where it wants a sign-in, for which the user is asked', async () => {
      const proxy = await started(startProxy(port, { authorization: basic('me', 'pass word') }));
      const secrets = scriptedSecrets(basic('me', 'pass word'));
      assert.ok((await diagnosedBy(proxy.port, { secrets })).includes(connects(proxy.port)));
      assert.deepEqual(secrets.asked, ['again', `proxy http://127.0.0.1:${proxy.port}`]);
    });

    it('without the sign-in that the user gave meanwhile, whoever repeats it', async () => {
      const message = 'No, Correct-Horse-7';
      const telling = await started(
        startHttp((_, response) => void response.writeHead(401).end(JSON.stringify({ error: { message } }))),
      );
      const authorization = basic('me', 'Correct-Horse-7');
      const proxy = await started(startProxy(telling.port, { authorization }));
      const lines = await diagnosedBy(proxy.port, { secrets: scriptedSecrets(authorization) });
      assert.ok(lines.includes('    Server response: No, ***'), lines.join('\n'));
    });

    it('where it knows the user of the system', async () => {
      const proxy = await started(startProxy(port, { authorization: 'Negotiate abc' }));
      const editors = createNodeTransport(true);
      const fallback: Transport = (request) =>
        editors({ ...request, url: new URL(request.url.pathname, server.url) });
      const lines = await diagnosedBy(proxy.port, { fallback });
      assert.ok(
        lines.includes(
          "[OK] Proxy: relay.invalid is reached only through the editor's own proxy (PAC or system).",
        ),
        lines.join('\n'),
      );
      assert.equal(lines.at(-1), '[OK] Tool call: Tool calls work with scripted-tools.');
    });
  });
});

const noBody = { [Symbol.asyncIterator]: async function* () {} };
