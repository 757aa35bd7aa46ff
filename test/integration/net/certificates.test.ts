import assert from 'node:assert/strict';
import { rootCertificates } from 'node:tls';
import { createTrust, type ListCertificates, type TrustSettings } from '../../../src/net/certificates.ts';
import { noNetworkSecrets } from '../../../src/net/transport.ts';
import { createHttpClient, type NetworkSettings } from '../../../src/net/httpClient.ts';
import { openSocket, secureSocket } from '../../../src/net/sockets.ts';
import { createAuthority } from '../../support/certificates.ts';
import { silentLog } from '../../support/silentLog.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';
import { startHttps } from '../../support/tinyServers.ts';

describe('a server whose authority is', () => {
  const { stops, started } = stopsOfTest();
  const authority = createAuthority();
  let port: number;
  beforeEach(async () => {
    const certificate = authority.issue({ name: 'relay', hosts: ['localhost'] });
    ({ port } = await started(startHttps((_, response) => void response.end(), certificate)));
  });

  /** True if a connection succeeds with these system certificates. */
  async function isTrusted(
    lists: Partial<Record<Parameters<ListCertificates>[0], string[]>>,
    settings: TrustSettings = {},
    environment: Record<string, string> = {},
  ): Promise<boolean> {
    const list: ListCertificates = (type) => {
      const certificates = lists[type];
      if (!certificates) throw new Error('Not on this computer');
      return certificates;
    };
    const secureContext = await createTrust(settings, environment, noNetworkSecrets, list);
    const target = { host: 'localhost', port, limitMs: 5_000, signal: new AbortController().signal };
    const socket = await openSocket({ ...target, host: '127.0.0.1' });
    return secureSocket(socket, target, { secureContext }).then(
      (secured) => {
        secured.destroy();
        return true;
      },
      (error: NodeJS.ErrnoException) => {
        assert.equal(error.code, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
        return false;
      },
    );
  }

  it("the system's is trusted, unless the editor is told not to", async () => {
    const lists = { default: [...rootCertificates], system: [authority.cert] };
    assert.equal(await isTrusted(lists), true);
    assert.equal(await isTrusted(lists, { systemCertificates: true }), true);
    assert.equal(await isTrusted(lists, { systemCertificates: false }), false);
    assert.equal(await isTrusted({ default: [...rootCertificates] }), false);
  });

  it("Node's, in its variable or in the setting's file is trusted, whatever becomes of the system's", async () => {
    const file = await temporaryFile(authority.cert, stops);
    const settings = { systemCertificates: false };
    assert.equal(await isTrusted({ default: [authority.cert] }, settings), true);
    assert.equal(await isTrusted({ default: [], extra: [authority.cert] }, settings), true);
    assert.equal(await isTrusted({ default: [] }, settings, { NODE_EXTRA_CA_CERTS: file }), true);
    assert.equal(await isTrusted({ default: [] }, { ...settings, caFile: file }), true);
    assert.equal(await isTrusted({ default: [] }, settings), false);
  });

  it('no longer trusted gets no request over a connection from before', async () => {
    const caFile = await temporaryFile(authority.cert, stops);
    let settings: NetworkSettings = { noProxy: [], strictTls: false, systemCertificates: false };
    const http = createHttpClient({ settings: () => settings, log: silentLog, environment: {} });
    stops.push(() => http.dispose());
    const statusOf = async (changed: Partial<NetworkSettings>) => {
      settings = { ...settings, ...changed };
      const timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000 };
      const response = await http.send({
        ...{ method: 'GET', url: `https://localhost:${port}/`, headers: {}, timeouts },
        signal: new AbortController().signal,
      });
      await response.text(100);
      return response.status;
    };
    assert.equal(await statusOf({}), 200);
    await assert.rejects(statusOf({ strictTls: true }), { code: 'tls' });
    assert.equal(await statusOf({ caFile }), 200);
    await assert.rejects(statusOf({ caFile: '' }), { code: 'tls' });
  });
});
