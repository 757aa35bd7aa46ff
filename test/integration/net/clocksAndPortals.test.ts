import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAuthority } from '../../support/certificates.ts';
import { startHttp, startHttps, startProxy } from '../../support/tinyServers.ts';
import { temporaryFile } from '../../support/temporaryFile.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

const day = 24 * 60 * 60_000;
const list = '{"data":[{"id":"one"}]}';

describe('what stands between us and the server', () => {
  const { stops, started, client } = stopsOfTest();
  describe('the clock', () => {
    const authority = createAuthority();
    /** A server whose certificate is valid for a day from `from` on, and whose clock says `now`. */
    async function serverAt(from: number, now: number) {
      const certificate = authority.issue({
        name: 'relay',
        hosts: ['localhost'],
        from: new Date(from),
        to: new Date(from + day),
      });
      const heard: IncomingMessage[] = [];
      const server = await started(
        startHttps((request, response) => {
          heard.push(request);
          response.writeHead(200, { date: new Date(now).toUTCString() }).end();
        }, certificate),
      );
      const caFile = await temporaryFile(authority.cert, stops);
      return { relay: client({ baseUrl: `https://localhost:${server.port}`, network: { caFile } }), heard };
    }

    it('is named when the server has another time, and the key stays here', async () => {
      const ahead = await serverAt(Date.now() - 100 * day, Date.now() - 100 * day);
      await assert.rejects(ahead.relay.list(), {
        code: 'tls',
        message: /^This computer's clock is about 100 days ahead of localhost/,
      });
      assert.deepEqual(
        ahead.heard.map(({ method, headers }) => [method, headers.authorization]),
        [['HEAD', undefined]],
      );
      const behind = await serverAt(Date.now() + 10 * day, Date.now() + 10 * day);
      await assert.rejects(behind.relay.list(), {
        code: 'tls',
        message: /about 10 days behind .* doesn't seem to be valid yet/,
      });
    });

    it('is not blamed when both agree: then the certificate is what it is', async () => {
      const { relay } = await serverAt(Date.now() - 100 * day, Date.now());
      await assert.rejects(relay.list(), {
        code: 'tls',
        message: /^The certificate of localhost:\d+ has expired/,
      });
    });
  });

  describe('a sign-in page', () => {
    /** Goes through a proxy, as no network lies between us and this machine. */
    async function network(answer: (response: ServerResponse, count: number) => void) {
      let count = 0;
      const server = await started(startHttp((_, response) => answer(response, ++count)));
      const proxy = await started(startProxy(server.port));
      return client({
        baseUrl: 'http://relay.test',
        network: { proxyUrl: `http://127.0.0.1:${proxy.port}` },
      });
    }
    const page = (response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Hotel</title>');
    const good = (response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(list);
    const away = (response: ServerResponse) =>
      void response.writeHead(302, { location: 'http://login.hotel.test/?go=relay' }).end();
    const signIn = {
      code: 'offline',
      message: /^This network asks you to sign in before it connects to relay\.test/,
    };

    it('is named by the status that is made for it', async () => {
      const relay = await network((response) => void response.writeHead(511).end('<html>'));
      await assert.rejects(relay.list(), signIn);
    });

    for (const [name, instead] of [
      ['page', page],
      ['redirect', away],
    ] as const) {
      it(`is named where there were answers before: a ${name}`, async () => {
        const relay = await network((response, count) => (count === 1 ? good : instead)(response));
        await relay.list();
        await assert.rejects(relay.list(), signIn);
        assert.equal((await relay.ask({})).failure?.code, 'offline');
      });

      it(`is thought of where there were none: a ${name}`, async () => {
        const relay = await network(instead);
        await assert.rejects(relay.list(), {
          code: 'wrong-address',
          message: /If this network has a sign-in page, sign in with a browser first\.$/,
        });
      });
    }

    it('is not thought of on this machine, nor over TLS', async () => {
      const server = await started(startHttp((_, response) => page(response)));
      const relay = client({ baseUrl: `http://127.0.0.1:${server.port}` });
      await assert.rejects(relay.list(), ({ message }: Error) => !message.includes('sign-in'));
    });
  });
});
