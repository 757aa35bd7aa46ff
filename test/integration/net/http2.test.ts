import assert from 'node:assert/strict';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  constants,
  type SecureServerOptions,
  sensitiveHeaders,
} from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { megabyte } from '../../../src/base/text/formatSize.ts';
import type { HttpRequest } from '../../../src/net/httpClient.ts';
import { createAuthority } from '../../support/certificates.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import type { RelayOptions, RelayUnderTest } from '../../support/relayUnderTest.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';
import { startHttps, startProxy } from '../../support/tinyServers.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

describe('a server that speaks HTTP/2', () => {
  const authority = createAuthority();
  const certificate = authority.issue({ name: 'relay', hosts: ['localhost', 'relay.test'] });
  const { stops, client: newClient } = stopsOfTest();
  let caFile: string;
  let versions: string[];
  let sessions: number;
  let open: number;
  let sockets: Socket[];
  beforeEach(async () => {
    versions = [];
    sessions = 0;
    open = 0;
    sockets = [];
    caFile = await temporaryFile(authority.cert, stops);
  });
  async function started(answer: Answer, options: SecureServerOptions = {}): Promise<number> {
    const server: Http2SecureServer = createSecureServer({ ...certificate, allowHTTP1: true, ...options });
    server.on('request', (request, response) => {
      versions.push(request.httpVersion);
      request.stream?.on('error', () => undefined);
      answer(request, response);
    });
    server.on('secureConnection', (socket) => sockets.push(socket));
    server.on('session', (session) => {
      sessions++;
      open++;
      session.on('close', () => open--);
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
  const send = (port: number, { http }: RelayUnderTest, more: Partial<HttpRequest> = {}) =>
    http.send({
      ...{ method: 'GET', url: `https://localhost:${port}/`, headers: {} },
      timeouts: { connectMs: 20_000, firstTokenMs: 0, idleMs: 0 },
      signal: new AbortController().signal,
      ...more,
    });
  const json = (response: Http2ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(list);

  it('is asked over one connection, one after the other and many at once', async () => {
    const port = await started((request, response) => {
      request.resume();
      if (request.method === 'GET') return json(response);
      head(response);
      response.end(said('Hello') + done);
    });
    const relay = client(port);
    for (let count = 0; count < 3; count++) await relay.list();
    assert.equal((await relay.ask({})).text, 'Hello');
    await Promise.all(Array.from({ length: 8 }, () => relay.ask({})));
    assert.deepEqual([sessions, new Set(versions), versions.length], [1, new Set(['2.0']), 12]);
  });

  it('is asked over more connections where it takes few requests on each', async () => {
    let running = 0;
    const port = await started(
      (_, response) => {
        // The first answer ends when the second request has arrived, too.
        if (++running === 2) json(response);
        else void eventuallyEqual(() => running, 2).then(() => json(response));
      },
      { settings: { maxConcurrentStreams: 1 } },
    );
    const relay = client(port);
    running = 1;
    await relay.list();
    running = 0;
    await Promise.all([relay.list(), relay.list()]);
    assert.equal(sessions, 2);
  });

  it('is asked through a proxy', async () => {
    const port = await started((request, response) => {
      request.resume();
      head(response);
      response.end(said('Hello') + done);
    });
    const proxy = await startProxy(port);
    stops.push(() => proxy.stop());
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const relay = client(port, { baseUrl: 'https://relay.test', network: { proxyUrl } });
    assert.equal((await relay.ask({})).text, 'Hello');
    await relay.ask({});
    assert.deepEqual([versions, proxy.targets], [['2.0', '2.0'], ['relay.test:443']]);
  });

  it('gets the name of the host, secrets and the length, and no headers of a connection', async () => {
    let headers: IncomingHttpHeaders = {};
    const port = await started((request, response) => {
      ({ headers } = request);
      request.resume();
      json(response);
    });
    const given = {
      ...{ Host: 'virtual.test', Connection: 'close', TE: 'gzip', 'X-Gateway': 'a' },
      ...{ Authorization: 'Bearer sk-1', 'X-Api-Key': 'sk-2' },
    };
    const response = await send(port, client(port), { method: 'POST', headers: given, body: '{"ä":1}' });
    assert.equal(await response.text(100), list);
    const { connection, te } = headers;
    assert.deepEqual(
      [headers[':authority'], headers['x-gateway'], headers['content-length'], connection, te],
      ['virtual.test', 'a', '8', undefined, undefined],
    );
    // The compression of headers keeps neither of them.
    assert.deepEqual((headers as { [sensitiveHeaders]?: string[] })[sensitiveHeaders], [
      'authorization',
      'x-api-key',
    ]);
  });

  it('that closes politely has its answers read to the end, and is asked over a new connection', async () => {
    const port = await started((request, response) => {
      request.resume();
      head(response);
      response.write(said('Hel'));
      request.stream.session?.goaway(constants.NGHTTP2_NO_ERROR);
      setImmediate(() => response.end(said('lo') + done));
    });
    const relay = client(port);
    for (let count = 0; count < 2; count++) {
      const { text, course } = await relay.ask({});
      assert.deepEqual([text, course], ['Hello', ['requestSent', 'textAdded', 'modelFinished']]);
    }
    assert.deepEqual([versions, sessions], [['2.0', '2.0'], 2]);
  });

  for (const [name, refuse] of [
    ['refuses a request', (request) => request.stream.close(constants.NGHTTP2_REFUSED_STREAM)],
    [
      'closes before it takes a request',
      (request) => request.stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 1),
    ],
  ] satisfies [string, (request: Http2ServerRequest) => void][]) {
    it(`that ${name} gets it again at once`, async () => {
      const port = await started((request, response) => {
        request.resume();
        if (versions.length === 2) return refuse(request);
        head(response);
        response.end(said('Hello') + done);
      });
      const relay = client(port, { retry: { retries: 0 } });
      for (let count = 0; count < 2; count++) {
        assert.deepEqual((await relay.ask({})).course, ['requestSent', 'textAdded', 'modelFinished']);
      }
      assert.deepEqual(versions, ['2.0', '2.0', '2.0']);
    });
  }

  it('that refuses every request is asked no more than by HTTP/1.1', async () => {
    const port = await started((request) => request.stream.close(constants.NGHTTP2_REFUSED_STREAM));
    const { course } = await client(port, { retry: { retries: 0 } }).ask({});
    assert.deepEqual([course, versions.length], [['requestSent', 'transient'], 3]);
  });

  it('that ends an answer with an error has failed like any other, and is asked by HTTP/2 again', async () => {
    const port = await started((request, response) => {
      request.resume();
      if (versions.length === 1) return request.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      head(response);
      response.write(said('Hel'));
      const code = versions.length === 2 ? constants.NGHTTP2_INTERNAL_ERROR : constants.NGHTTP2_CANCEL;
      setImmediate(() => request.stream.close(code));
    });
    const relay = client(port);
    assert.deepEqual((await relay.ask({})).course, [
      ...['requestSent', 'retryScheduled', 'requestSent', 'textAdded', 'truncated'],
    ]);
    assert.deepEqual((await relay.ask({})).course, ['requestSent', 'textAdded', 'truncated']);
    assert.deepEqual([versions, sessions], [['2.0', '2.0', '2.0'], 1]);
  });

  it('whose connection breaks has its answers cut, and is asked over a new one', async () => {
    const port = await started((_, response) => {
      if (versions.length > 1) return json(response);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":');
      setImmediate(() => sockets[0]?.destroy());
    });
    const relay = client(port);
    const cut = await send(port, relay);
    await assert.rejects(cut.text(100), { code: 'transient' });
    assert.equal((await relay.list()).length, 1);
    assert.equal(sessions, 2);
  });

  it('is not taken at its word when it cancels an answer that is as long as it is', async () => {
    const port = await started((request, response) => {
      response.writeHead(200);
      response.write('half');
      setImmediate(() => request.stream.close(constants.NGHTTP2_CANCEL));
    });
    await assert.rejects((await send(port, client(port))).text(100), { code: 'transient' });
  });

  it('learns that the user stops, before and while it answers, and goes on with the rest', async () => {
    const closed: number[] = [];
    const stop = new AbortController();
    const stopLater = new AbortController();
    let endRest = (): unknown => undefined;
    const port = await started((request, response) => {
      request.resume();
      request.stream.on('close', () => closed.push(request.stream.rstCode));
      if (request.url === '/silent') return stop.abort();
      head(response);
      response.write(said('Hel'));
      if (request.url !== '/stopped') endRest = () => response.end(done);
    });
    const relay = client(port);
    const asking = relay.ask({});
    const url = `https://localhost:${port}`;
    await assert.rejects(send(port, relay, { url: `${url}/silent`, signal: stop.signal }), {
      code: 'cancelled',
    });
    const { body } = await send(port, relay, { url: `${url}/stopped`, signal: stopLater.signal });
    await assert.rejects(
      async () => {
        for await (const _ of body) stopLater.abort();
      },
      { code: 'cancelled' },
    );
    await eventuallyEqual(() => closed.length, 2);
    endRest();
    assert.equal((await asking).course.at(-1), 'modelFinished');
    assert.deepEqual([closed, sessions], [[8, 8, 0], 1]);
  });

  it('learns that the user stops an upload', async () => {
    const closed: number[] = [];
    const stop = new AbortController();
    const port = await started((request, response) => {
      if (request.method === 'GET') return void response.write('begun');
      request.stream.on('close', () => closed.push(request.stream.rstCode));
      request.once('data', () => stop.abort());
    });
    const relay = client(port);
    await send(port, relay);
    let source = new Readable();
    const body = () => (source = Readable.from(endless()));
    await assert.rejects(send(port, relay, { method: 'POST', body, signal: stop.signal }), {
      code: 'cancelled',
    });
    await eventuallyEqual(() => closed.join(), '8');
    assert.equal(source.destroyed, true);
  });

  it('is not sent a body that cannot be read', async () => {
    const port = await started((request) => request.resume());
    const body = () =>
      new Readable({
        read() {
          this.destroy(Object.assign(new Error('Gone'), { code: 'ENOENT' }));
        },
      });
    await assert.rejects(send(port, client(port), { method: 'POST', body }), { systemError: /Gone.*ENOENT/ });
  });

  it('is told when a reader leaves early', async () => {
    const closed: number[] = [];
    const port = await started((request, response) => {
      request.stream.on('close', () => closed.push(request.stream.rstCode));
      response.write('begun');
    });
    const relay = client(port);
    // An idle connection would end, and the answer with it.
    await send(port, relay);
    for await (const _ of (await send(port, relay)).body) break;
    await eventuallyEqual(() => closed.join(), '8');
  });

  for (const [silent, timeouts, code] of [
    ['before', { firstTokenMs: 1_000 }, 'timeout-first-token'],
    ['in the middle of', { idleMs: 1_000 }, 'timeout-idle'],
  ] as const) {
    it(`that is silent ${silent} an answer for too long is told, and asked by HTTP/1.1 then`, async () => {
      const closed: number[] = [];
      const port = await started((request, response) => {
        request.resume();
        if (request.httpVersion === '1.1' || silent !== 'before') head(response);
        if (request.httpVersion === '1.1') return void response.end(said('Hello') + done);
        request.stream.on('close', () => closed.push(request.stream.rstCode));
        if (silent !== 'before') response.write(said('Hel'));
      });
      const relay = client(port, { timeouts, retry: { retries: 0 } });
      assert.equal((await relay.ask({})).failure?.code, code);
      await eventuallyEqual(() => closed.join(), '8');
      assert.equal((await relay.ask({})).text, 'Hello');
      assert.deepEqual(versions, ['2.0', '1.1']);
    });
  }

  it('waits for a reader that is slow, and the other answers do not', async () => {
    let written = 0;
    const port = await started((request, response) => {
      if (request.url !== '/large') return json(response);
      const more = (): void => {
        const piece = Buffer.alloc(64 * 1024);
        while (written < 64 * megabyte && response.write(piece)) written += piece.length;
      };
      response.on('drain', more);
      more();
    });
    const relay = client(port);
    const large = await send(port, relay, { url: `https://localhost:${port}/large` });
    for (let count = 0; count < 20; count++) await relay.list();
    assert.ok(written < 4 * megabyte, `${written}`);
    assert.equal(sessions, 1);
    let received = 0;
    for await (const piece of large.body) {
      received += piece.length;
      if (received > 32 * megabyte) break;
    }
  });

  it('gets a body of many megabytes, and may answer before it has read it', async () => {
    const body = 'x'.repeat(12 * megabyte);
    let received = 0;
    let closed = 0;
    const port = await started((request, response) => {
      if (request.url === '/open') return void response.write('begun');
      if (request.url === '/refused') {
        request.stream.on('close', () => closed++);
        // A client that has read nothing would close the stream by itself.
        request.once('data', () => {
          request.pause();
          response.writeHead(413, { 'content-type': 'application/json' }).end('{}');
        });
        return;
      }
      request.on('data', (piece: Buffer) => (received += piece.length));
      request.on('end', () => json(response));
    });
    const relay = client(port);
    const url = `https://localhost:${port}`;
    await send(port, relay, { url: `${url}/open` });
    const streamed = () => Readable.from([body.slice(0, megabyte), body.slice(megabyte)]);
    for (const each of [body, streamed]) {
      received = 0;
      await (await send(port, relay, { url, method: 'POST', body: each })).text(100);
      assert.equal(received, body.length);
      const refused = await send(port, relay, { url: `${url}/refused`, method: 'POST', body: each });
      assert.deepEqual([refused.status, await refused.text(100)], [413, '{}']);
    }
    await relay.list();
    await eventuallyEqual(() => closed, 2);
    assert.equal(sessions, 1);
  });

  it('whose headers are too many is no relay', async () => {
    const port = await started((_, response) => {
      for (let count = 0; count < 400; count++) response.setHeader(`x-${count}`, 'x'.repeat(1000));
      json(response);
    });
    await assert.rejects(client(port).list(), { code: 'transient' });
  });

  it('that fails at it is read from by HTTP/1.1, now and later', async () => {
    const port = await started((request, response) => {
      if (request.httpVersion !== '2.0') return json(response);
      request.stream.session?.goaway(constants.NGHTTP2_INTERNAL_ERROR);
      request.stream.session?.destroy();
    });
    const relay = client(port);
    assert.equal((await relay.list()).length, 1);
    await relay.list();
    assert.deepEqual(versions, ['2.0', '1.1', '1.1']);
  });

  it('and wants HTTP/1.1 for some requests gets them so, now and later', async () => {
    const port = await started((request, response) => {
      request.resume();
      if (request.httpVersion === '2.0') return request.stream.close(constants.NGHTTP2_HTTP_1_1_REQUIRED);
      head(response);
      response.end(said('Hello') + done);
    });
    const relay = client(port, { retry: { retries: 0 } });
    assert.deepEqual((await relay.ask({})).course, ['requestSent', 'textAdded', 'modelFinished']);
    await relay.ask({});
    assert.deepEqual(versions, ['2.0', '1.1', '1.1']);
  });

  it('is left when the client is disposed, and its answers are cancelled', async () => {
    const port = await started((request, response) => {
      request.resume();
      head(response);
      response.write(said('Hel'));
      relay.http.dispose();
    });
    const relay = client(port);
    assert.equal((await relay.ask({})).course.at(-1), 'cancelled');
    await eventuallyEqual(() => open, 0);
  });

  it('that chose HTTP/1.1 is asked over the connection on which it did, and offered no other', async () => {
    const offers: string[] = [];
    const answered: (() => void)[] = [];
    const server = await startHttps(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        // The answers end together, so that one connection isn't enough.
        answered.push(() => response.end(list));
        if (answered.length !== 2) for (const end of answered) end();
      },
      {
        ...certificate,
        ALPNCallback: ({ protocols }) => {
          offers.push(protocols.join());
          return 'http/1.1';
        },
      },
    );
    stops.push(() => server.stop());
    const relay = client(server.port);
    await relay.list();
    await Promise.all([relay.list(), relay.list()]);
    assert.deepEqual([offers.at(0), new Set(offers.slice(1))], ['h2,http/1.1', new Set(['http/1.1'])]);
    assert.equal(offers.length, server.connections);
  });
});

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1024);
}
