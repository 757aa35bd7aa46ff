import assert from 'node:assert/strict';
import { SwitchboardError, type ErrorCode } from '../../../src/base/errors/errors.ts';
import { createHttpClient, type HttpRequest } from '../../../src/net/httpClient.ts';
import type { Transport, WireRequest, WireResponse } from '../../../src/net/transport.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { silentLog } from '../../support/silentLog.ts';

function answer(status = 200, headers: Record<string, string> = {}, ...pieces: string[]): WireResponse {
  async function* body() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  return { status, headers, body: body() };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Plays the answers in turn, and keeps the requests. */
function scripted(...answers: (WireResponse | Error)[]): Transport & { asked: WireRequest[] } {
  const asked: WireRequest[] = [];
  const transport: Transport = async (wire) => {
    asked.push(wire);
    const next = answers[asked.length - 1] ?? answer();
    if (next instanceof Error) throw next;
    wire.onSent?.();
    return next;
  };
  return Object.assign(transport, { asked });
}

function request(url = 'https://relay.example/v1/models', more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    url,
    headers: {},
    timeouts: { connectMs: 1000, firstTokenMs: 0, idleMs: 0 },
    signal: new AbortController().signal,
    ...more,
  };
}

function client(direct: Transport, fallback: Transport, proxyUrl?: string) {
  return createHttpClient({
    settings: () => ({ noProxy: [], strictTls: true, ...(proxyUrl && { proxyUrl }) }),
    log: silentLog,
    environment: {},
    direct,
    fallback,
  });
}

const isCode = (code: ErrorCode) => (error: unknown) =>
  error instanceof SwitchboardError && error.code === code;

describe('createHttpClient', () => {
  it('leaves no timer when a request fails after it was sent', async () => {
    const clock = new ManualClock();
    const transport: Transport = async (wire) => {
      wire.onSent?.();
      assert.equal(clock.pending, 1);
      throw failure('ECONNRESET');
    };
    const http = createHttpClient({
      settings: () => ({ noProxy: [], strictTls: true }),
      ...{ log: silentLog, environment: {}, direct: transport, fallback: transport, clock },
    });
    const timeouts = { connectMs: 1000, firstTokenMs: 1000, idleMs: 1000 };
    await assert.rejects(http.send(request(undefined, { timeouts })), SwitchboardError);
    assert.equal(clock.pending, 0);
  });

  it('leaves no timer when an answer was read or closed, and its signal tells that it was closed', async () => {
    for (const end of ['text', 'close'] as const) {
      const clock = new ManualClock();
      const direct = scripted(answer(200, {}, 'a'));
      const http = createHttpClient({
        settings: () => ({ noProxy: [], strictTls: true }),
        ...{ log: silentLog, environment: {}, direct, clock },
      });
      const timeouts = { connectMs: 1000, firstTokenMs: 1000, idleMs: 1000 };
      const response = await http.send(request(undefined, { timeouts, beginsWithEvent: true }));
      assert.equal(clock.pending, 1);
      if (end === 'text') await response.text(10);
      else response.close();
      assert.deepEqual([clock.pending, direct.asked[0]?.signal.aborted], [0, end === 'close']);
    }
  });

  it('limits the wait for the first event of an answer that came before its body was read', async () => {
    const clock = new ManualClock();
    const http = createHttpClient({
      settings: () => ({ noProxy: [], strictTls: true }),
      ...{ log: silentLog, environment: {}, direct: async () => answer(), clock },
    });
    const timeouts = { connectMs: 1000, firstTokenMs: 1000, idleMs: 0 };
    const post = { method: 'POST', body: '{}', timeouts, beginsWithEvent: true } as const;
    await http.send(request(undefined, post));
    assert.equal(clock.pending, 1);
  });

  it('leaves the compression to whoever names one', async () => {
    const direct = scripted();
    await client(direct, scripted()).send(request(undefined, { headers: { 'accept-encoding': 'identity' } }));
    assert.equal(direct.asked[0]?.headers['accept-encoding'], 'identity');
  });

  it('signs in to a proxy as the settings say, before what was saved', async () => {
    const routeWith = async (proxyAuthorization: string) => {
      const http = createHttpClient({
        settings: () => ({ noProxy: [], strictTls: true, proxyUrl: 'http://p.example', proxyAuthorization }),
        ...{ log: silentLog, environment: {} },
        secrets: { get: async () => 'Basic saved', ask: async () => undefined, askAgain: () => undefined },
      });
      const { route } = await http.wayTo(new URL('https://relay.example'), new AbortController().signal);
      return route.type === 'proxy' && route.authorization;
    };
    assert.equal(await routeWith(''), 'Basic saved');
    assert.equal(await routeWith('Basic set'), 'Basic set');
  });

  it('passes over a proxy that is gone for a minute, and finds no other when the user stops', async () => {
    const clock = new ManualClock();
    let found = Promise.resolve<string | undefined>('http://pac.example:8080');
    const http = createHttpClient({
      settings: () => ({ noProxy: [], strictTls: true }),
      ...{ log: silentLog, environment: {}, clock, resolveProxy: () => found },
      direct: scripted(failure('ECONNREFUSED'), answer()),
    });
    const stop = new AbortController();
    const wayTo = async () => (await http.wayTo(new URL('https://relay.example'), stop.signal)).route.type;
    assert.equal(await wayTo(), 'proxy');
    await http.send(request());
    clock.advance(59_999);
    assert.equal(await wayTo(), 'direct');
    clock.advance(1);
    assert.equal(await wayTo(), 'proxy');
    found = new Promise(() => undefined);
    const finding = wayTo();
    stop.abort();
    await assert.rejects(finding, isCode('cancelled'));
  });

  it('reads certificates again when the settings name others', async () => {
    const missing = '/not-there.pem';
    let named: object = {};
    const http = createHttpClient({
      settings: () => ({ noProxy: [], strictTls: true, systemCertificates: false, ...named }),
      ...{ log: silentLog, environment: {} },
    });
    const connect = async () => {
      const way = await http.wayTo(new URL('https://relay.example'), new AbortController().signal);
      return way.connect();
    };
    for (const other of [{ caFile: missing }, { clientCertificate: { certificateFile: missing } }]) {
      named = {};
      assert.ok((await connect()).secureContext);
      named = other;
      await assert.rejects(connect(), isCode('tls'));
    }
  });

  describe('when the server is not reachable directly', () => {
    it("tries the editor's own way once, and remembers it for the origin", async () => {
      const direct = scripted(failure('ENOTFOUND'));
      const fallback = scripted(answer(200), answer(200));
      const http = client(direct, fallback);
      assert.equal((await http.send(request())).status, 200);
      assert.equal((await http.send(request())).status, 200);
      assert.equal(direct.asked.length, 1);
      assert.equal(fallback.asked.length, 2);
      await http.send(request('https://other.example/'));
      assert.equal(direct.asked.length, 2);
    });

    it('waits less for the direct way, on which a network may drop everything, than for the other', async () => {
      const direct = scripted(failure('UND_ERR_CONNECT_TIMEOUT'), failure('UND_ERR_CONNECT_TIMEOUT'));
      const fallback = scripted(failure('ETIMEDOUT'), answer(200));
      const http = client(direct, fallback);
      const timeouts = { connectMs: 15_000, firstTokenMs: 0, idleMs: 0 };
      await assert.rejects(http.send(request(undefined, { timeouts })), isCode('timeout-connect'));
      await http.send(request(undefined, { timeouts: { ...timeouts, connectMs: 0 } }));
      assert.deepEqual(
        [...direct.asked, ...fallback.asked].map(({ connectMs }) => connectMs),
        [4_000, 4_000, 15_000, 0],
      );
    });

    it('forgets the way when it fails as well', async () => {
      const direct = scripted(failure('ECONNREFUSED'), answer(200));
      const fallback = scripted(failure('ECONNREFUSED'));
      const http = client(direct, fallback);
      await assert.rejects(http.send(request()), isCode('offline'));
      assert.equal((await http.send(request())).status, 200);
    });

    it('has no other way to this machine, through a named proxy, or after the connection stood', async () => {
      const never = scripted();
      const refused = () => scripted(failure('ECONNREFUSED'));
      await assert.rejects(client(refused(), never).send(request('http://localhost:1')), isCode('offline'));
      await assert.rejects(client(refused(), never, 'http://p.example').send(request()), isCode('proxy'));
      await assert.rejects(
        client(scripted(failure('ECONNRESET')), never).send(request()),
        isCode('transient'),
      );
      assert.equal(never.asked.length, 0);
    });
  });

  describe('redirects', () => {
    const to = (location: string, status = 302) => answer(status, { location }, 'moved');
    const none = scripted();

    it('are followed for GET within the origin', async () => {
      const direct = scripted(to('/v1/models/'), to('list?x=1', 308), answer(200));
      assert.equal((await client(direct, none).send(request())).status, 200);
      assert.equal(direct.asked[2]?.url.href, 'https://relay.example/v1/models/list?x=1');
    });

    for (const [name, location] of [
      ['another host', 'https://login.example/?secret=1'],
      ['another scheme', 'http://relay.example/v1/models'],
      ['another port', 'https://relay.example:8443/v1/models'],
      ['another host without scheme', '//login.example/'],
    ] as const) {
      it(`are refused to ${name}, and nothing is sent there`, async () => {
        const direct = scripted(to(location));
        await assert.rejects(client(direct, none).send(request()), isCode('wrong-address'));
        assert.equal(direct.asked.length, 1);
      });
    }

    it('are told without the key and the secrets of headers that a server puts into them', async () => {
      const key = 'q7Wm2Rt9Xb4Lp8Zk3Vn6';
      const secret = 'gateway-fedcba98';
      const headers = { authorization: `Bearer ${key}`, 'x-gateway': `Token ${secret}` };
      const authorised = request(undefined, { headers, secrets: [secret] });
      const sending = client(scripted(to(`https://login.example/${key}/${secret}`)), none).send(authorised);
      const error = await sending.then(
        () => assert.fail('It was sent.'),
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof SwitchboardError);
      assert.match(error.message, /login\.example/);
      assert.doesNotMatch(JSON.stringify([error.message, error]), /q7Wm2Rt9Xb4Lp8Zk3Vn6|fedcba98/);
    });

    it('are refused for POST, and when they do not end', async () => {
      const post = request(undefined, { method: 'POST', body: '{}' });
      await assert.rejects(client(scripted(to('/a', 307)), none).send(post), isCode('wrong-address'));
      const endless = scripted(to('/a'), to('/b'), to('/a'), to('/b'), to('/a'));
      await assert.rejects(client(endless, none).send(request()), isCode('wrong-address'));
      assert.equal(endless.asked.length, 4);
    });
  });

  it('gives text up to a limit, and types without parameters', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    const given: string[] = [];
    async function* body() {
      for (const piece of ['ab', 'cd', 'ef']) {
        given.push(piece);
        yield Buffer.from(piece);
      }
    }
    const http = client(scripted({ status: 200, headers, body: body() }), scripted());
    const response = await http.send(request());
    assert.equal(response.contentType, 'application/json');
    assert.equal(await response.text(3), 'abc');
    assert.deepEqual(given, ['ab', 'cd'], 'It read on.');
  });

  it('closes a body that is left early, and one that is read to its end once', async () => {
    let closed = 0;
    async function* body() {
      try {
        for (const piece of ['a', 'b']) yield Buffer.from(piece);
      } finally {
        closed++;
      }
    }
    const wire = () => ({ status: 200, headers: {}, body: body() });
    const http = client(scripted(wire(), wire()), scripted());
    for await (const _ of (await http.send(request())).body) break;
    assert.equal(closed, 1);
    await (await http.send(request())).text(10);
    assert.equal(closed, 2);
  });

  it('turns an aborted signal into a cancellation, before and after', async () => {
    const aborted: Transport = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const stop = new AbortController();
    const sending = client(aborted, scripted()).send(request(undefined, { signal: stop.signal }));
    stop.abort();
    await assert.rejects(sending, isCode('cancelled'));
  });
});
