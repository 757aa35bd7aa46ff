import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createNetworkReader } from '../../src/host/network.ts';
import { Settings } from '../../src/host/settings.ts';
import { createNodeTransport } from '../../src/net/nodeTransport.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/silentLog.ts';
import { startHttp } from '../support/tinyServers.ts';

const set = (name: string, value: unknown) =>
  vscode.workspace.getConfiguration('http').update(name, value, vscode.ConfigurationTarget.Global);

describe('the network, as the editor is told of it', () => {
  afterEach(async () => {
    for (const name of ['proxy', 'proxyAuthorization', 'noProxy', 'proxyStrictSSL'])
      await set(name, undefined);
  });

  it('is read from the settings of the user, and the log says once when certificates are not checked', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    const read = createNetworkReader(new Settings({}, silentLog), log);
    assert.equal(read().strictTls, true);
    await set('proxy', 'http://proxy.example:8080');
    await set('proxyAuthorization', 'Basic abc');
    await set('noProxy', ['relay.example']);
    await set('proxyStrictSSL', false);
    const { proxyUrl, proxyAuthorization, noProxy, strictTls } = read();
    assert.deepEqual(
      { proxyUrl, proxyAuthorization, noProxy, strictTls },
      {
        proxyUrl: 'http://proxy.example:8080',
        proxyAuthorization: 'Basic abc',
        noProxy: ['relay.example'],
        strictTls: false,
      },
    );
    read();
    assert.equal(warnings.length, 1);
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
