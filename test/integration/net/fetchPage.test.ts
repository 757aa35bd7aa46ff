import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fetchPage } from '../../../src/net/fetchPage.ts';
import { createHttpClient } from '../../../src/net/httpClient.ts';
import { createAuthority } from '../../support/certificates.ts';
import { silentLog } from '../../support/silentLog.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';

/** Names of the test lead to this machine. */
const lookup: LookupFunction = (_host, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

describe('a page of a real server', () => {
  const { stops } = stopsOfTest();
  const authority = createAuthority();
  const hosts = ['pages.example', 'www.pages.example'];

  for (const protocol of ['HTTP/2', 'HTTP/1.1'] as const) {
    it(`is loaded over its redirect by ${protocol}, and is not without a trusted certificate`, async () => {
      const tls = authority.issue({ name: 'pages', hosts });
      const versions = new Set<string>();
      const answer = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse) => {
        versions.add(request.httpVersion);
        const host = String(request.headers[':authority'] ?? request.headers.host);
        if (host.startsWith('www.')) {
          response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
          response.end(gzipSync('<p>Tides'));
        } else {
          response.writeHead(301, { location: `https://www.${host}/tides` }).end('Moved');
        }
      };
      const server =
        protocol === 'HTTP/2'
          ? createSecureServer(tls, (request, response) =>
              answer(request, response as unknown as ServerResponse),
            )
          : createServer(tls, answer);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      stops.push(async () => void server.close());
      const { port } = server.address() as AddressInfo;
      const caFile = await temporaryFile(authority.cert, stops);
      const load = async (network: { caFile?: string }) => {
        const client = createHttpClient({
          settings: () => ({ noProxy: [], strictTls: true, ...network }),
          ...{ log: silentLog, environment: {}, lookup },
        });
        try {
          const { signal } = new AbortController();
          return await fetchPage(new URL(`https://pages.example:${port}/`), {
            client,
            signal,
            mayLoad: async () => true,
          });
        } finally {
          client.dispose();
        }
      };
      const page = await load({ caFile });
      assert.deepEqual([page?.text, page?.url.href], ['<p>Tides', `https://www.pages.example:${port}/tides`]);
      assert.deepEqual([...versions], [protocol === 'HTTP/2' ? '2.0' : '1.1']);
      await assert.rejects(load({}), /certificate/);
    });
  }
});
