import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connectBySocks } from '../../../src/net/socks.ts';

/** A proxy that gives one answer after each thing it is sent; undefined closes the connection. */
function proxyOf(...answers: (readonly number[] | undefined)[]) {
  const sent: number[][] = [];
  const socket = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      sent.push([...bytes]);
      const answer = answers.shift();
      if (answer) socket.push(Buffer.from(answer));
      else socket.destroy();
      done();
    },
  });
  return { sent, socket: socket as unknown as Socket };
}

const { signal } = new AbortController();
const target = { host: 'relay.test', port: 8443, authorization: undefined, signal };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const accepted = [5, 0];
const connected = [5, 0, 0, 1, 10, 0, 0, 1, 0, 80];

describe('SOCKS5', () => {
  it('asks for the host by its name and the whole port, and reads all of the answer', async () => {
    for (const address of [
      [1, 10, 0, 0, 1],
      [4, ...Array.from({ length: 16 }, () => 1)],
      [3, 2, 97, 98],
    ]) {
      const { sent, socket } = proxyOf(accepted, [5, 0, 0, ...address, 0, 80, 7]);
      await connectBySocks(socket, target);
      assert.deepEqual(sent, [
        [5, 1, 0],
        [5, 1, 0, 3, 10, ...Buffer.from('relay.test'), 32, 251],
      ]);
      // The first byte of the target is left.
      assert.deepEqual([...(socket.read() as Buffer)], [7]);
    }
  });

  it('signs in with a password that may have colons, only where the proxy wants it', async () => {
    const { sent, socket } = proxyOf([5, 2], [1, 0], connected);
    await connectBySocks(socket, { ...target, authorization: basic('me:a:b') });
    assert.deepEqual(sent.slice(0, 2), [
      [5, 2, 0, 2],
      [1, 2, ...Buffer.from('me'), 3, ...Buffer.from('a:b')],
    ]);
    const free = proxyOf(accepted, connected);
    await connectBySocks(free.socket, { ...target, authorization: basic('me:a') });
    assert.equal(free.sent.length, 2);
  });

  it('is refused for a missing or wrong sign-in as by HTTP, and for another version or an error by its name', async () => {
    const refusals: [answers: number[][], refused: RegExp][] = [
      [[[5, 255]], /407/],
      [[[5, 2]], /407/],
      [[[4, 0]], /not SOCKS5/],
      [[accepted, [5, 5, 0, 1]], /SOCKS 5/],
    ];
    for (const [answers, refused] of refusals) {
      const { socket } = proxyOf(...answers);
      await assert.rejects(connectBySocks(socket, target), refused);
    }
    const wrong = proxyOf([5, 2], [1, 1], connected);
    await assert.rejects(connectBySocks(wrong.socket, { ...target, authorization: basic('me:x') }), /407/);
  });

  it('ends when the proxy closes, or when the request is stopped', async () => {
    const closing = proxyOf(undefined);
    await assert.rejects(connectBySocks(closing.socket, target), { code: 'ECONNRESET' });
    const stop = new AbortController();
    const silent = proxyOf([]);
    const connecting = connectBySocks(silent.socket, { ...target, signal: stop.signal });
    stop.abort(new Error('stopped'));
    await assert.rejects(connecting, /stopped/);
  });

  it('cuts a name that is longer than any, and leaves nothing that listens to the socket', async () => {
    const { sent, socket } = proxyOf([5, 2], [1, 0], connected);
    const before = socket.listenerCount('close');
    await connectBySocks(socket, { ...target, authorization: basic(`${'n'.repeat(300)}:p`) });
    assert.deepEqual(sent[1], [1, 255, ...Buffer.from('n'.repeat(255)), 1, 'p'.charCodeAt(0)]);
    assert.equal(socket.listenerCount('close'), before);
  });
});
