import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as zlib from 'node:zlib';
import { type RelayUnderTest, relayUnderTest } from '../../support/relayUnderTest.ts';
import { startHttp, type TinyServer } from '../../support/tinyServers.ts';

const list = JSON.stringify({ data: [{ id: 'one', object: 'model' }] });

describe('compressed answers', () => {
  let server: TinyServer | undefined;
  let relay: RelayUnderTest | undefined;
  afterEach(async () => {
    relay?.http.dispose();
    await server?.stop();
  });

  async function answering(answer: (response: ServerResponse, accepted: string) => void) {
    server = await startHttp((request, response) =>
      answer(response, request.headers['accept-encoding'] ?? ''),
    );
    relay = relayUnderTest({ baseUrl: `http://127.0.0.1:${server.port}` });
    return relay;
  }

  const codings: [name: string, encode: (text: string) => Buffer][] = [
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
    ['gzip, br', (text) => zlib.brotliCompressSync(zlib.gzipSync(text))],
  ];
  for (const [name, encode] of codings) {
    it(`are read: ${name}`, async () => {
      const { list: models } = await answering(
        (response) =>
          void response
            .writeHead(200, { 'content-type': 'application/json', 'content-encoding': name })
            .end(encode(list)),
      );
      assert.deepEqual(
        (await models()).map(({ id }) => id),
        ['one'],
      );
    });
  }

  it('are asked for in one piece, and never as a stream', async () => {
    const asked: string[] = [];
    const { ask, list: models } = await answering((response, accepted) => {
      asked.push(accepted);
      response.writeHead(200, { 'content-type': 'application/json' }).end(list);
    });
    await models();
    await ask({});
    assert.deepEqual(asked.slice(0, 2), ['gzip, br', '']);
  });

  for (const [name, create] of [
    ['gzip', () => zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH })],
    ['br', () => zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH })],
  ] as const) {
    it(`are shown as they come: a stream in ${name}`, async () => {
      const shown: string[] = [];
      let next: (() => void) | undefined;
      const { ask } = await answering((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': name });
        const encoder = create();
        encoder.pipe(response);
        const say = (content: string) =>
          encoder.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
        say('Hel');
        // The rest is sent only when the first piece was shown.
        next = () => {
          say('lo');
          encoder.end('data: {"choices":[{"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
        };
      });
      const { course } = await ask(
        {},
        {
          onEvent(event) {
            if (event.type !== 'textAdded') return;
            shown.push(event.text);
            if (shown.length === 1) next?.();
          },
        },
      );
      assert.equal(shown.join(''), 'Hello');
      assert.equal(course.at(-1), 'modelFinished');
    });
  }

  it('that break off or are no such thing are failures of the network', async () => {
    for (const body of [zlib.gzipSync(list.repeat(50)).subarray(0, 30), Buffer.from('no gzip at all')]) {
      const { list: models } = await answering(
        (response) =>
          void response
            .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
            .end(body),
      );
      await assert.rejects(models(), { code: 'transient', message: /incomplete or incorrectly compressed/ });
      relay?.http.dispose();
      await server?.stop();
    }
  });

  it('that grow beyond all measure are given up, also as a stream', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(256 * 1024 * 1024, ': ping\n\n'), { level: 9 });
    assert.ok(bomb.length < 1024 * 1024);
    const { ask } = await answering(
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
          .end(bomb),
    );
    const { failure } = await ask({});
    assert.match(`${failure?.code}: ${failure?.message}`, /^(truncated|transient): .*cut off.*expands/);
  });

  it('are closed when they are left early', async () => {
    const stop = new AbortController();
    const { ask } = await answering((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const encoder = zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH });
      encoder.pipe(response);
      encoder.write('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n');
      response.on('close', () => closed());
    });
    let closed = () => undefined as void;
    const closing = new Promise<void>((resolve) => (closed = resolve));
    const { course } = await ask(
      {},
      { signal: stop.signal, onEvent: ({ type }) => type === 'textAdded' && stop.abort() },
    );
    assert.equal(course.at(-1), 'cancelled');
    await closing;
  });
});
