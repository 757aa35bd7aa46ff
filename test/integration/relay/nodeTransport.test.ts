import assert from 'node:assert/strict';
import { createTrust } from '../../../src/net/certificates.ts';
import { noNetworkSecrets, type WireRequest } from '../../../src/net/transport.ts';
import { createNodeTransport } from '../../../src/net/nodeTransport.ts';
import {
  certificateFile,
  startHttp,
  startHttps,
  startMute,
  type TinyServer,
} from '../../support/tinyServers.ts';

describe("the editor's own transport", () => {
  let server: TinyServer | undefined;
  afterEach(() => server?.stop());

  const transport = createNodeTransport(true);
  const request = (scheme: string, more: Partial<WireRequest> = {}): WireRequest => ({
    method: 'POST',
    url: new URL(`${scheme}://127.0.0.1:${server?.port}/v1`),
    headers: { 'content-type': 'application/json' },
    body: '{"ä":1}',
    connectMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  });

  it('sends a body and gives status, headers and body', async () => {
    const bodies: string[] = [];
    let sent = 0;
    server = await startHttp((incoming, response) => {
      incoming.on('data', (piece) => bodies.push(String(piece)));
      incoming.on('end', () => {
        response.writeHead(201, { 'Set-Cookie': ['a', 'b'], 'X-One': '1' }).end('done');
      });
    });
    const response = await transport(request('http', { onSent: () => sent++ }));
    let text = '';
    for await (const piece of response.body) text += Buffer.from(piece).toString();
    assert.deepEqual([response.status, response.headers['x-one'], text], [201, '1', 'done']);
    assert.equal(response.headers['set-cookie'], 'a, b');
    assert.deepEqual([bodies.join(''), sent], ['{"ä":1}', 1]);
  });

  it('closes the socket when aborted, before and during the answer', async () => {
    server = await startHttp((incoming, response) => {
      if (incoming.url === '/v1') response.write('begun');
    });
    const during = new AbortController();
    const response = await transport(request('http', { signal: during.signal }));
    const reading = (async () => {
      for await (const _ of response.body) during.abort(new Error('enough'));
    })();
    await assert.rejects(reading);
    const before = new AbortController();
    const url = new URL(`http://127.0.0.1:${server.port}/silent`);
    const asking = transport(
      request('http', { url, signal: before.signal, onSent: () => before.abort(new Error('enough')) }),
    );
    await assert.rejects(asking, /enough/);
  });

  it('gives up when no connection comes about in time', async () => {
    server = await startMute();
    await assert.rejects(transport(request('https', { connectMs: 100 })), { code: 'ETIMEDOUT' });
  });

  it('checks certificates unless told not to, and knows those of the settings', async () => {
    server = await startHttps((_, response) => void response.end('ok'));
    await assert.rejects(transport(request('https')), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    assert.equal((await createNodeTransport(false)(request('https'))).status, 200);
    const trust = () => createTrust({ caFile: certificateFile }, {}, noNetworkSecrets);
    assert.equal((await createNodeTransport(true, trust)(request('https'))).status, 200);
  });
});
