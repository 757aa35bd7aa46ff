import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Http2Session, NotProcessed, type SessionLimits } from '../../../src/net/http2Session.ts';
import type { WireRequest } from '../../../src/net/transport.ts';
import { createAuthority } from '../../support/certificates.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

describe('a connection that speaks HTTP/2', () => {
  const certificate = createAuthority().issue({ name: 'relay', hosts: ['localhost'] });
  const { stops } = stopsOfTest();
  let ended: number;
  beforeEach(() => {
    ended = 0;
  });

  /** A session through a wire that can be cut without either end noticing. */
  async function started(limits: SessionLimits): Promise<{ session: Http2Session; freeze(): void }> {
    const server = createSecureServer(certificate, (_, response) => void response.end('answer'));
    const wires: Socket[] = [];
    const wire = createServer((socket) => {
      const upstream = connect((server.address() as AddressInfo).port, '127.0.0.1');
      wires.push(socket, upstream);
      for (const each of [socket, upstream]) each.on('error', () => undefined);
      socket.pipe(upstream).pipe(socket);
    });
    for (const each of [server, wire]) {
      await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
      stops.push(() => void each.close());
    }
    const { port } = wire.address() as AddressInfo;
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    stops.push(() => {
      for (const each of [socket, ...wires]) each.destroy();
    });
    await once(socket, 'secureConnect');
    const session = new Http2Session(`https://localhost:${port}`, socket, limits, () => ended++);
    return { session, freeze: () => wires.forEach((each) => each.unpipe()) };
  }
  async function ask(session: Http2Session): Promise<string> {
    const request: WireRequest = {
      ...{ method: 'GET', url: new URL('https://localhost/'), headers: {}, connectMs: 0 },
      signal: new AbortController().signal,
    };
    let text = '';
    for await (const piece of (await session.send(request, assert.fail)).body) text += String(piece);
    return text;
  }

  it('closes when nothing was under way for a while', async () => {
    const { session } = await started({ keepAliveMs: 50, silenceMs: 60_000, pingMs: 1 });
    assert.equal(await ask(session), 'answer');
    assert.deepEqual([session.hasRoom, ended], [true, 0]);
    await eventuallyEqual(() => ended, 1);
    assert.equal(session.hasRoom, false);
    await assert.rejects(ask(session), NotProcessed);
  });

  it('is asked after a silence whether it is still there', async () => {
    const { session, freeze } = await started({ keepAliveMs: 60_000, silenceMs: 0, pingMs: 10_000 });
    assert.equal(await ask(session), 'answer');
    const many = Array.from({ length: 20 }, () => session.isAlive());
    assert.deepEqual(new Set(await Promise.all(many)), new Set([true]));
    assert.equal(await ask(session), 'answer');
    session.destroy();

    const lost = await started({ keepAliveMs: 60_000, silenceMs: 0, pingMs: 100 });
    assert.equal(await ask(lost.session), 'answer');
    freeze();
    lost.freeze();
    assert.equal(await lost.session.isAlive(), false);
    assert.equal(lost.session.hasRoom, false);
    await eventuallyEqual(() => ended, 2);
  });
});
