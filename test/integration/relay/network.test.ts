import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RelayServer, startRelay } from '../../servers/sandbox.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import type { RelayOptions, RelayUnderTest } from '../../support/relayUnderTest.ts';
import {
  certificateFile,
  startHttp,
  startHttps,
  startMute,
  startProxy,
  startRaw,
  type TinyServer,
} from '../../support/tinyServers.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

const answer = JSON.stringify({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] });

describe('the network between', () => {
  const { stops, started, client } = stopsOfTest();
  const answering = () =>
    startHttp(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
    );

  describe('stopping', () => {
    let server: RelayServer;
    let relay: RelayUnderTest;
    beforeEach(async () => {
      server = await started(startRelay({ pauseMs: 50 }));
      relay = client({ baseUrl: server.url, key: server.key });
    });

    it('closes the socket at once before the first token', async () => {
      const stop = new AbortController();
      const arriving = server.waitForRequest();
      const asking = relay.ask({ model: 'fault/stall-before-first-token' }, { signal: stop.signal });
      const request = await arriving;
      stop.abort();
      assert.equal((await asking).course.at(-1), 'cancelled');
      await request.ended;
      assert.equal(request.closedEarly, true);
    });

    it('closes the socket at once in mid-answer', async () => {
      const stop = new AbortController();
      const { course } = await relay.ask(
        { model: 'fault/slow-drip' },
        { signal: stop.signal, onEvent: ({ type }) => type === 'textAdded' && stop.abort() },
      );
      assert.equal(course.at(-1), 'cancelled');
      const [request] = server.requests;
      await request?.ended;
      assert.equal(request?.closedEarly, true);
    });

    it('closes the socket when the reader just leaves', async () => {
      const stop = new AbortController();
      const arriving = server.waitForRequest();
      await assert.rejects(
        relay.ask(
          { model: 'fault/slow-drip' },
          {
            signal: stop.signal,
            onEvent: ({ type }) => {
              if (type === 'textAdded') throw new Error('leaving');
            },
          },
        ),
        /leaving/,
      );
      const request = await arriving;
      await request.ended;
      assert.equal(request.closedEarly, true);
    });

    it('before it begins sends nothing', async () => {
      assert.deepEqual((await relay.ask({}, { signal: AbortSignal.abort() })).course, ['cancelled']);
      assert.equal(server.requests.length, 0);
    });
  });

  describe('timeouts', () => {
    it('ends at the first-token limit, pings or not, and at silence, and closes the socket', async () => {
      const server = await started(startRelay());
      const relay = client({
        baseUrl: server.url,
        key: server.key,
        timeouts: { firstTokenMs: 150 },
      });
      const hasty = client({ baseUrl: server.url, key: server.key, timeouts: { idleMs: 100 } });
      for (const [asked, model, code] of [
        [relay, 'fault/stall-before-first-token', 'timeout-first-token'],
        [relay, 'fault/stall-after-head', 'timeout-first-token'],
        [relay, 'fault/pings-forever', 'timeout-first-token'],
        [hasty, 'fault/stall-mid-answer', 'timeout-idle'],
      ] as const) {
        const arriving = server.waitForRequest();
        assert.equal((await asked.ask({ model })).failure?.code, code, model);
        const request = await arriving;
        await request.ended;
        assert.equal(request.closedEarly, true, model);
      }
    });

    it('lets an answer take as long as it likes while it moves', async () => {
      // Far apart, so that a busy machine doesn't turn a pause of 100 ms into a timeout.
      const server = await started(startRelay({ pauseMs: 100 }));
      const limitMs = 1500;
      const relay = client({
        baseUrl: server.url,
        key: server.key,
        timeouts: { firstTokenMs: limitMs, idleMs: limitMs },
      });
      const begun = performance.now();
      assert.equal((await relay.ask({ model: 'fault/slow-drip' })).course.at(-1), 'modelFinished');
      assert.ok(performance.now() - begun > limitMs);
    });

    it('does not wait for a body that stays open after [DONE]', async () => {
      const server = await started(
        startHttp((_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(
            'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
          );
        }),
      );
      const timeouts = { firstTokenMs: 0, idleMs: 0 };
      const relay = client({ baseUrl: `http://127.0.0.1:${server.port}`, timeouts });
      assert.equal((await relay.ask({})).course.at(-1), 'modelFinished');
    });

    it('ends when no connection comes about in time', async () => {
      const server = await started(startMute());
      const relay = client({ baseUrl: `https://127.0.0.1:${server.port}`, timeouts: { connectMs: 200 } });
      const { course, failure } = await relay.ask({});
      assert.deepEqual(course, ['timeout-connect']);
      assert.match(failure?.message ?? '', /200 ms/);
    });

    it('limits a list like an answer', async () => {
      const server = await started(startHttp(() => undefined));
      const relay = client({ baseUrl: `http://127.0.0.1:${server.port}`, timeouts: { firstTokenMs: 100 } });
      await assert.rejects(relay.list(), { code: 'timeout-first-token' });
    });
  });

  describe('nobody there', () => {
    it('is offline, with the address', async () => {
      const server = await startMute();
      await server.stop();
      const { course, failure } = await client({ baseUrl: `http://127.0.0.1:${server.port}` }).ask({});
      assert.deepEqual(course, ['offline']);
      assert.ok(failure?.message.includes(`127.0.0.1:${server.port}`));
    });

    it('is offline when the name is unknown', async () => {
      const { course } = await client({ baseUrl: 'http://no-such-host.invalid' }).ask({});
      assert.equal(course.at(-1), 'offline');
    });
  });

  describe('sockets', () => {
    it('are used again for the next question, and closed when disposed', async () => {
      const server = await started(answering());
      const relay = client({ baseUrl: `http://127.0.0.1:${server.port}` });
      for (let i = 0; i < 3; i++) {
        const free = nextSocketFree();
        assert.equal((await relay.ask({})).text, 'Hello');
        await free;
      }
      assert.equal(server.connections, 1);
      relay.http.dispose();
      await eventuallyEqual(() => server.open, 0);
    });

    it('that are in use end as a cancellation when disposed', async () => {
      const server = await started(startRelay());
      const relay = client({ baseUrl: server.url, key: server.key });
      const arriving = server.waitForRequest();
      const asking = relay.ask({ model: 'fault/stall-before-first-token' });
      await arriving;
      relay.http.dispose();
      assert.equal((await asking).course.at(-1), 'cancelled');
      assert.deepEqual((await relay.ask({})).course, ['cancelled']);
    });

    it('are used again after a stream', async () => {
      const server = await started(startRelay());
      const proxy = await started(startProxy(Number(new URL(server.url).port)));
      const relay = client({
        baseUrl: 'http://relay.test',
        key: server.key,
        network: { proxyUrl: `http://127.0.0.1:${proxy.port}` },
      });
      for (let i = 0; i < 3; i++) {
        const free = nextSocketFree();
        await relay.ask({});
        await free;
      }
      assert.deepEqual(proxy.targets, ['relay.test:80']);
    });

    it('are closed after a few idle seconds', async () => {
      const server = await started(answering());
      const relay = client({ baseUrl: `http://127.0.0.1:${server.port}` });
      await relay.ask({});
      await eventuallyEqual(() => server.open, 0);
    });
  });

  describe('a proxy', () => {
    let server: RelayServer;
    beforeEach(async () => {
      server = await started(startRelay());
    });
    const through = (proxy: TinyServer, more: Partial<RelayOptions> = {}) =>
      client({
        baseUrl: 'http://relay.test',
        key: server.key,
        network: { proxyUrl: `http://127.0.0.1:${proxy.port}` },
        ...more,
      });
    const startThrough = (options?: { status?: number }) =>
      started(startProxy(Number(new URL(server.url).port), options));

    it('of the settings is used, for a name that only it knows', async () => {
      const proxy = await startThrough();
      assert.match((await through(proxy).ask({})).text, /scripted/);
      assert.deepEqual(proxy.targets, ['relay.test:80']);
    });

    it('of the environment is used', async () => {
      const proxy = await startThrough();
      const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
      assert.match((await through(proxy, { network: {}, environment }).ask({})).text, /scripted/);
      assert.equal(proxy.targets.length, 1);
    });

    it('gets the user name and password of its address', async () => {
      const proxy = await startThrough();
      const network = { proxyUrl: `http://me:pass%20word@127.0.0.1:${proxy.port}` };
      await through(proxy, { network }).ask({});
      assert.equal(proxy.authorizations[0], `Basic ${Buffer.from('me:pass word').toString('base64')}`);
    });

    it('is not used for loopback', async () => {
      const proxy = await startThrough();
      assert.match((await through(proxy, { baseUrl: server.url }).ask({})).text, /scripted/);
      assert.deepEqual(proxy.targets, []);
    });

    it('that refuses or is gone is named', async () => {
      for (const [status, says] of [
        [407, /user name/],
        [502, /502/],
      ] as const) {
        const { course, failure } = await through(await startThrough({ status })).ask({});
        assert.deepEqual(course, ['proxy']);
        assert.match(failure?.message ?? '', says);
      }
      const gone = await startMute();
      await gone.stop();
      assert.deepEqual((await through(gone).ask({})).course, ['proxy']);
    });

    it('that never answers is not waited for longer than for a connection', async () => {
      const mute = await started(startMute());
      const relay = through(mute, { timeouts: { connectMs: 200 } });
      assert.deepEqual((await relay.ask({})).course, ['proxy']);
    });
  });

  describe('TLS', () => {
    const secure = () =>
      startHttps(
        (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
      );

    it('with a certificate nobody knows fails, with a way out', async () => {
      const server = await started(secure());
      const { course, failure } = await client({ baseUrl: `https://127.0.0.1:${server.port}` }).ask({});
      assert.deepEqual(course, ['tls']);
      assert.match(failure?.message ?? '', /caFile/);
      assert.match(failure?.systemError ?? '', /SELF_SIGNED/);
    });

    it('works with the certificate in network.caFile, in NODE_EXTRA_CA_CERTS, or when not checked', async () => {
      const server = await started(secure());
      const baseUrl = `https://localhost:${server.port}`;
      for (const options of [
        { network: { caFile: certificateFile } },
        { environment: { NODE_EXTRA_CA_CERTS: certificateFile } },
        { network: { strictTls: false } },
      ]) {
        assert.equal((await client({ baseUrl, ...options }).ask({})).text, 'Hello');
      }
    });

    it('works through a proxy', async () => {
      const server = await started(secure());
      const proxy = await started(startProxy(server.port));
      const network = { proxyUrl: `http://127.0.0.1:${proxy.port}`, caFile: certificateFile };
      assert.equal((await client({ baseUrl: 'https://relay.test', network }).ask({})).text, 'Hello');
      assert.deepEqual(proxy.targets, ['relay.test:443']);
      const untrusted = client({ baseUrl: 'https://relay.test', network: { proxyUrl: network.proxyUrl } });
      assert.deepEqual((await untrusted.ask({})).course, ['tls']);
      const misnamed = client({ baseUrl: 'https://other.test', network });
      assert.match((await misnamed.ask({})).failure?.message ?? '', /for another name/);
    });

    it('says when the certificate file is no such thing', async () => {
      const server = await started(secure());
      const baseUrl = `https://127.0.0.1:${server.port}`;
      for (const caFile of ['/no/such/file.pem', certificateFile.replace('certificate.pem', 'README.md')]) {
        const { course, failure } = await client({ baseUrl, network: { caFile } }).ask({});
        assert.deepEqual(course, ['tls']);
        assert.ok(failure?.message.includes(caFile));
      }
    });

    it('that the server does not speak is told apart', async () => {
      const server = await started(answering());
      const { course, failure } = await client({ baseUrl: `https://127.0.0.1:${server.port}` }).ask({});
      assert.deepEqual(course, ['tls']);
      assert.match(failure?.message ?? '', /http:\/\//);
    });
  });

  it('a server that does not speak HTTP is a wrong address', async () => {
    const server = await started(startMute());
    const speaking = await import('node:net').then(({ createServer }) => {
      const other = createServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
      return new Promise<typeof other>((resolve) => other.listen(0, '127.0.0.1', () => resolve(other)));
    });
    stops.push(() => void speaking.close());
    assert.ok(server.port);
    const { port } = speaking.address() as { port: number };
    assert.deepEqual(
      (await client({ baseUrl: `http://127.0.0.1:${port}` }).ask({})).course.at(-1),
      'wrong-address',
    );
  });

  describe('an answer whose chunks break', () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
    const chunk = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
    const text = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

    const done = `data: ${JSON.stringify({ choices: [{ finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

    it('is a cut answer, and its server is no wrong address', async () => {
      for (const broken of ['zz\r\n', '<html>\r\n', 'f'.repeat(20) + '\r\n']) {
        const server = await started(startRaw(head + chunk(text('Hello')) + broken));
        const { course, text: said, failure } = await client({ baseUrl: server.url }).ask({});
        assert.deepEqual(course, ['requestSent', 'textAdded', 'truncated'], failure?.why);
        assert.equal(said, 'Hello');
      }
    });

    it('is asked for again while nothing of it was shown', async () => {
      const whole = head + chunk(`${text('Hello')}${done}`) + chunk('');
      const server = await started(startRaw(`${head}zz\r\n`, whole));
      const { course } = await client({ baseUrl: server.url }).ask({});
      assert.deepEqual(course, [
        ...['requestSent', 'retryScheduled', 'requestSent'],
        ...['textAdded', 'modelFinished'],
      ]);
    });
  });

  it('a redirect to another server is refused, named, and gets no request', async () => {
    const elsewhere = await started(answering());
    const server = await started(
      startHttp((_, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/v1?secret=1` }).end();
      }),
    );
    const relay = client({ baseUrl: `http://127.0.0.1:${server.port}` });
    const { course, failure } = await relay.ask({});
    assert.equal(course.at(-1), 'wrong-address');
    assert.ok(
      failure?.message.includes(`127.0.0.1:${elsewhere.port}/v1`) && !failure.message.includes('secret'),
    );
    await assert.rejects(relay.list(), { code: 'wrong-address' });
    assert.equal(elsewhere.connections, 0);
  });
});

/** Resolves once undici has read the next answer to its end and can reuse the socket. */
function nextSocketFree(): Promise<void> {
  const channel = 'undici:request:trailers';
  return new Promise((resolve) => {
    const heard = (message: unknown): void => {
      const { request } = message as { request: { method: string } };
      // A CONNECT to the proxy is a request, too.
      if (request.method === 'CONNECT') return;
      unsubscribe(channel, heard);
      // undici frees the socket one turn of the event loop after the answer.
      void nextTurn()
        .then(() => nextTurn())
        .then(resolve);
    };
    subscribe(channel, heard);
  });
}
