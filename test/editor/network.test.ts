import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Settings } from '../../src/host/settings.ts';
import { createNetworkReader } from '../../src/host/window/networkReader.ts';
import { findEditorResolver } from '../../src/net/editorResolver.ts';
import type { ResolveProxy } from '../../src/net/httpClient.ts';
import { createNodeTransport } from '../../src/net/nodeTransport.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { silentLog } from '../support/silentLog.ts';
import { createAuthority } from '../support/certificates.ts';
import { relayUnderTest } from '../support/relayUnderTest.ts';
import { stopsOfTest } from '../support/stopsOfTest.ts';
import { temporaryFile } from '../support/temporaryFile.ts';
import { startHttp, startMute, startProxy, startSocks } from '../support/tinyServers.ts';

const set = (name: string, value: unknown) =>
  vscode.workspace.getConfiguration('http').update(name, value, vscode.ConfigurationTarget.Global);

/** The editor's own resolver, with a fixed PAC answer instead of the system's. */
function resolverOf(answer: string): ResolveProxy {
  const { appRoot } = vscode.env;
  const agent = createRequire(join(appRoot, 'package.json'))('@vscode/proxy-agent') as ProxyAgent;
  const never = () => undefined;
  const { resolveProxyURL } = agent.createProxyResolver({
    resolveProxy: async () => answer,
    getProxyURL: never,
    getNoProxyConfig: () => [],
    isUseHostProxyEnabled: () => true,
    loadSystemCertificatesFromNode: () => false,
    proxyResolveTelemetry: never,
    log: { trace: never, debug: never, info: never, warn: never, error: never },
    env: {},
  });
  return resolveProxyURL;
}

interface ProxyAgent {
  createProxyResolver(parameters: object): { resolveProxyURL: ResolveProxy };
}

describe('the network, as the editor is told of it', () => {
  const { stops, started } = stopsOfTest();
  afterEach(async () => {
    for (const name of [
      'proxy',
      'proxyAuthorization',
      'proxySupport',
      'noProxy',
      'proxyStrictSSL',
      'systemCertificates',
    ])
      await set(name, undefined);
  });

  it('is read from the settings of the user, and the log says once when certificates are not checked', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    const read = createNetworkReader(new Settings({}, silentLog), log);
    assert.deepEqual([read().strictTls, read().systemCertificates], [true, true]);
    await set('proxy', 'http://proxy.example:8080');
    await set('proxyAuthorization', 'Basic abc');
    await set('noProxy', ['relay.example']);
    await set('proxyStrictSSL', false);
    await set('systemCertificates', false);
    const { proxyUrl, proxyAuthorization, noProxy, strictTls, systemCertificates } = read();
    assert.deepEqual(
      { proxyUrl, proxyAuthorization, noProxy, strictTls, systemCertificates },
      {
        proxyUrl: 'http://proxy.example:8080',
        proxyAuthorization: 'Basic abc',
        noProxy: ['relay.example'],
        strictTls: false,
        systemCertificates: false,
      },
    );
    read();
    assert.equal(warnings.length, 1);
  });

  it('has no proxy at all where the editor is told so', async () => {
    const read = createNetworkReader(new Settings({}, silentLog), silentLog);
    await set('proxy', 'http://proxy.example:8080');
    await set('proxySupport', 'off');
    const { proxyUrl, noProxy } = read();
    assert.deepEqual([proxyUrl, noProxy], [undefined, ['*']]);
  });

  it("has the editor's resolver, which says what its settings say", async () => {
    const resolve = findEditorResolver(vscode.env.appRoot);
    assert.ok(resolve);
    for (const [proxy, found] of [
      [undefined, undefined],
      ['http://proxy.example:8080', 'http://proxy.example:8080'],
      ['socks5://proxy.example:1080', 'socks://proxy.example:1080'],
    ]) {
      await set('proxy', proxy);
      await eventuallyEqual(() => resolve('https://relay.test/'), found);
    }
    assert.equal(findEditorResolver('/no/such/editor'), undefined);
  });

  it("is gone by each form of a PAC file's answer, as the editor reads it", async () => {
    const authority = createAuthority();
    const tls = authority.issue({ name: 'proxy', hosts: ['localhost'] });
    const relay = await started(
      startHttp((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"one"}]}');
      }),
    );
    const [plain, secure, socks, gone] = await Promise.all([
      started(startProxy(relay.port)),
      started(startProxy(relay.port, { tls })),
      started(startSocks(relay.port)),
      startMute(),
    ]);
    await gone.stop();
    const caFile = await temporaryFile(authority.cert, stops);
    for (const [answer, passed] of [
      [`PROXY localhost:${plain.port}`, 'plain'],
      [`HTTPS localhost:${secure.port}`, 'secure'],
      [`SOCKS localhost:${socks.port}`, 'socks'],
      [`SOCKS5 localhost:${socks.port}; DIRECT`, 'socks'],
      [`PROXY localhost:${plain.port}; PROXY localhost:${gone.port}; DIRECT`, 'plain'],
      [`PROXY localhost:${gone.port}; DIRECT`, 'direct'],
      ['DIRECT', 'direct'],
      [`SOCKS4 localhost:${socks.port}`, 'unsupported protocol'],
    ] as const) {
      const counts = () => [plain.targets.length, secure.targets.length, socks.targets.length];
      const before = counts();
      const { http, list } = relayUnderTest({
        baseUrl: `http://relay.invalid:${relay.port}`,
        network: { caFile },
        resolveProxy: resolverOf(answer),
        // Proxies bypass this machine's own name by themselves, so another one leads to it.
        lookup: (_name, { all }, found) =>
          all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4),
      });
      const outcome = await list().then(
        () => ['plain', 'secure', 'socks'].find((_, index) => counts()[index] !== before[index]) ?? 'direct',
        (error: unknown) => String(error),
      );
      http.dispose();
      assert.ok(outcome.includes(passed), `${answer}: ${outcome}`);
    }
  });

  it("is gone by the editor's own resolver where we know no proxy", async () => {
    const asked: string[] = [];
    const proxy = await startHttp((request, response) => {
      asked.push(request.url ?? '');
      response.end('by the proxy');
    });
    try {
      await set('proxy', `http://127.0.0.1:${proxy.port}`);
      await eventually(async () => {
        const { status } = await createNodeTransport(true)({
          ...{ method: 'GET', url: new URL('http://relay.test/v1/models'), headers: {} },
          ...{ connectMs: 2_000, signal: new AbortController().signal },
        });
        assert.equal(status, 200);
      });
      assert.equal(asked[0], 'http://relay.test/v1/models');
    } finally {
      await proxy.stop();
    }
  });
});
