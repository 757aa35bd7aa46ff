import assert from 'node:assert/strict';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../../support/certificates.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { type RelayOptions, type RelayUnderTest } from '../../support/relayUnderTest.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';
import { startProxy } from '../../support/tinyServers.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

describe('a server that speaks HTTP/2', () => {
  const authority = createAuthority();
  const certificate = authority.issue({ name: 'relay', hosts: ['localhost', 'relay.test'] });
  const { stops, client: newClient } = stopsOfTest();
  let caFile: string;
  let versions: string[];
  let sessions: number;
  beforeEach(async () => {
    versions = [];
    sessions = 0;
    caFile = await temporaryFile(authority.cert, stops);
  });
  async function started(answer: Answer): Promise<number> {
    const server: Http2SecureServer = createSecureServer({ ...certificate, allowHTTP1: true });
    server.on('request', (request, response) => {
      versions.push(request.httpVersion);
      answer(request, response);
    });
    server.on('session', (session) => {
      sessions++;
      stops.push(() => session.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => void server.close());
    return (server.address() as AddressInfo).port;
  }
  function client(port: number, options: Partial<RelayOptions> = {}): RelayUnderTest {
    const { network, ...more } = options;
    return newClient({
      baseUrl: `https://localhost:${port}`,
      ...more,
      network: { caFile, ...network },
    });
  }
  const head = (response: Http2ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' });
  const said = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
  const done = 'data: {"choices":[{"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

  const list = '{"data":[{"id":"one"}]}';
  const json = (response: Http2ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(list);

  it('is read from, one after the other over one connection, and many at once', async () => {
    const port = await started((_, response) => json(response));
    const relay = client(port);
    for (let count = 0; count < 3; count++) await relay.list();
    assert.equal(sessions, 1);
    await Promise.all(Array.from({ length: 8 }, () => relay.list()));
    assert.deepEqual(new Set(versions), new Set(['2.0']));
    assert.equal(versions.length, 11);
  });

  it('is read from through a proxy', async () => {
    const port = await started((_, response) => json(response));
    const proxy = await startProxy(port);
    stops.push(() => proxy.stop());
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    await client(port, { baseUrl: 'https://relay.test', network: { proxyUrl } }).list();
    assert.deepEqual(versions, ['2.0']);
  });

  it('is left when the user stops, before it answers', async () => {
    let closed = 0;
    const stop = new AbortController();
    const port = await started((request) => {
      request.stream.on('close', () => closed++);
      stop.abort();
    });
    const { http } = client(port);
    const reading = (signal: AbortSignal) =>
      http.send({
        method: 'GET',
        url: `https://localhost:${port}/`,
        headers: {},
        timeouts: { connectMs: 5_000, firstTokenMs: 0, idleMs: 0 },
        signal,
      });
    await assert.rejects(reading(stop.signal), { code: 'cancelled' });
    await eventuallyEqual(() => closed, 1);
  });

  it('that fails at it is read from by HTTP/1.1, now and later', async () => {
    const port = await started((request, response) => {
      if (request.httpVersion !== '2.0') return json(response);
      request.stream.session?.goaway(2);
      request.stream.session?.destroy();
    });
    const relay = client(port);
    assert.equal((await relay.list()).length, 1);
    await relay.list();
    assert.deepEqual(versions, ['2.0', '1.1', '1.1']);
  });

  it('streams by HTTP/1.1, where no answer is cut when the server closes politely', async () => {
    const port = await started((request, response) => {
      request.resume();
      head(response);
      response.write(said('Hel'));
      request.stream?.session?.goaway(0);
      setImmediate(() => response.end(said('lo') + done));
    });
    const { text, course } = await client(port).ask({});
    assert.deepEqual([text, course.at(-1), versions], ['Hello', 'modelFinished', ['1.1']]);
  });
});
