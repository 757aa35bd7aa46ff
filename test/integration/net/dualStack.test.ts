import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { relayUnderTest } from '../../support/relayUnderTest.ts';
import { startHttp, type TinyServer } from '../../support/tinyServers.ts';

/** Accepts no connection, as its thread sleeps: once its queue is full, the system answers nobody. */
const deafServer = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  createServer(() => undefined).listen({ port: workerData, host: '::1', backlog: 1 }, () => {
    parentPort.postMessage('listening');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

describe('a host with two kinds of addresses', () => {
  let server: TinyServer;
  let worker: Worker;
  const waiting: Socket[] = [];
  beforeEach(async () => {
    server = await startHttp(
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"one"}]}'),
    );
    worker = new Worker(deafServer, { eval: true, workerData: server.port });
    await once(worker, 'message');
    // The queue takes one or two more than its limit; four fill it.
    for (let count = 0; count < 4; count++) {
      waiting.push(connect({ host: '::1', port: server.port }).on('error', () => undefined));
    }
    await once(waiting[0]!, 'connect');
  });
  afterEach(async () => {
    for (const socket of waiting.splice(0)) socket.destroy();
    await worker.terminate();
    await server.stop();
  });

  it('is reached by the one that answers', async () => {
    const addresses = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    const lookup: LookupFunction = (_name, { all }, found) =>
      all ? found(null, addresses) : found(null, '::1', 6);
    const relay = relayUnderTest({
      baseUrl: `http://relay.localhost:${server.port}`,
      lookup,
      timeouts: { connectMs: 8_000 },
    });
    try {
      assert.equal((await relay.list()).length, 1);
      assert.equal(server.connections, 1);
    } finally {
      relay.http.dispose();
    }
  });
});
