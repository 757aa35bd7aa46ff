import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { createHttpClient } from '../../../src/net/httpClient.ts';
import { createNodeTransport } from '../../../src/net/nodeTransport.ts';
import { publicLookup } from '../../../src/net/publicAddresses.ts';
import { silentLog } from '../../support/silentLog.ts';

/** DNS that names this machine for every host, such as that of an attacker. */
const lookup = publicLookup(((
  _host: string,
  _options: object,
  done: (error: null, all: LookupAddress[]) => void,
) => done(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as Parameters<typeof publicLookup>[0]);

describe('a name that resolves to this machine', () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  let url: URL;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    url = new URL(`https://example.com:${port}/`);
  });
  after(() => server.close());

  const signal = new AbortController().signal;
  const isRefused = (error: unknown) => error instanceof SwitchboardError && error.code === 'not-permitted';

  it('is not connected to, by any transport', async () => {
    const client = createHttpClient({
      settings: () => ({ noProxy: [], strictTls: true }),
      ...{ log: silentLog, environment: {}, lookup },
    });
    const timeouts = { connectMs: 5000, firstTokenMs: 5000, idleMs: 5000 };
    await assert.rejects(
      client.send({ method: 'GET', url: url.href, headers: {}, timeouts, signal }),
      isRefused,
    );
    client.dispose();
    const editorWay = createNodeTransport(true, undefined, lookup);
    await assert.rejects(editorWay({ method: 'GET', url, headers: {}, connectMs: 5000, signal }), isRefused);
    assert.equal(connections, 0);
  });
});
