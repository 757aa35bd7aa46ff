import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { SwitchboardError, type ErrorCode } from '../../src/base/errors/errors.ts';
import type { Timeouts } from '../../src/net/transport.ts';
import type { IndexingSettings } from '../../src/platform/documents/documents.ts';
import type { UploadFile } from '../../src/platform/documents/multipart.ts';
import type { PlatformOptions } from '../servers/platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from '../servers/platform/platformServer.ts';
import { platformUnderTest, type PlatformUnderTest } from '../support/platformUnderTest.ts';
import { startHttp } from '../support/tinyServers.ts';

const never = new AbortController().signal;
const economical: IndexingSettings = {
  technique: 'economical',
  processRule: { mode: 'automatic' },
  form: 'text_model',
};
const megabyte = 1024 * 1024;
const isCode = (code: ErrorCode) => (error: unknown) =>
  error instanceof SwitchboardError && error.code === code;

interface ReadFile extends UploadFile {
  streams: Readable[];
  taken: number;
  sha256: string;
}

/** A file whose pieces are never in memory together. */
function bigFile(megabytes: number, name = 'big.txt'): ReadFile {
  const piece = Buffer.alloc(64 * 1024, 'All work and no play. ');
  const hash = createHash('sha256');
  for (let done = 0; done < megabytes * 16; done++) hash.update(piece);
  const file: ReadFile = {
    name,
    size: megabytes * megabyte,
    streams: [],
    taken: 0,
    sha256: hash.digest('hex'),
    open() {
      let left = megabytes * 16;
      const stream = new Readable({
        read() {
          if (left-- > 0) {
            file.taken += piece.length;
            this.push(piece);
          } else this.push(null);
        },
      });
      file.streams.push(stream);
      return stream;
    },
  };
  return file;
}

describe('the upload of a file to the platform', () => {
  const toClean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of toClean.splice(0)) await clean();
  });

  function connect(baseUrl: string, timeouts: Partial<Timeouts> = {}, key = 'dataset-x'): PlatformUnderTest {
    const tested = platformUnderTest({ baseUrl, key, timeouts });
    toClean.push(() => tested.http.dispose());
    return tested;
  }

  async function start(
    options: PlatformOptions = {},
  ): Promise<PlatformUnderTest & { server: PlatformServer; datasetId: string }> {
    const server = await startPlatform({ indexing: 'instant', keepBodies: false, ...options });
    toClean.push(() => server.stop());
    const tested = connect(server.url, {}, server.datasetKey);
    const { id } = await tested.client.datasets.create({ name: 'Docs', technique: 'economical' }, never);
    return { ...tested, server, datasetId: id };
  }

  for (const options of [{}, { dialect: 'description' }, { version: '1.4.3', paths: 'hyphen' }] as const) {
    it(`arrives as it is: ${JSON.stringify(options)}`, async () => {
      const { client, server, datasetId } = await start(options);
      const file = bigFile(3, '说明 "1".txt');
      const progress: number[] = [];
      const { document } = await client.documents.createByFile(datasetId, file, economical, never, (bytes) =>
        progress.push(bytes),
      );
      assert.equal(document.name, "说明 '1'.txt");
      assert.equal(server.datasets[0]?.documents[0]?.sha256, file.sha256);
      assert.equal(progress.at(-1), file.size);

      const request = server.requests.at(-1);
      assert.equal(request?.headers['transfer-encoding'], undefined);
      const [data, sent] = request?.parts ?? [];
      assert.equal(request?.parts.length, 2);
      assert.deepEqual(
        [data?.name, data?.filename, data?.contentType, sent?.name],
        ['data', undefined, 'text/plain', 'file'],
      );
      assert.deepEqual(JSON.parse(data?.text ?? ''), {
        indexing_technique: 'dialect' in options ? 'economical' : 'economy',
        process_rule: { mode: 'automatic' },
        doc_form: 'text_model',
      });
    });
  }

  it('replaces a document by its id', async () => {
    const { client, server, datasetId } = await start();
    const { document } = await client.documents.createByFile(datasetId, bigFile(1), economical, never);
    const file = bigFile(2, 'bigger.txt');
    await client.documents.updateByFile(datasetId, document.id, file, economical, never);
    const [stored, ...others] = server.datasets[0]?.documents ?? [];
    assert.deepEqual([stored?.id, stored?.name, stored?.sha256], [document.id, 'bigger.txt', file.sha256]);
    assert.deepEqual(others, []);
  });

  it('says what it may be when the platform refuses a file without a word', async () => {
    const { client, server, datasetId } = await start({ maxFileBytes: megabyte });
    for (const file of [bigFile(1, 'code.ts'), bigFile(2)]) {
      await assert.rejects(
        client.documents.createByFile(datasetId, file, economical, never),
        (error) => isCode('request')(error) && /15 MB/.test(String(error)),
      );
    }
    server.misbehave({ does: 'proxy-too-large' });
    await assert.rejects(
      client.documents.createByFile(datasetId, bigFile(1), economical, never),
      isCode('too-large'),
    );
  });

  it('tells a rate limit at once, and can be sent again from the beginning', async () => {
    for (const does of ['rate-limit', 'knowledge-rate-limit'] as const) {
      const { client, server, datasetId } = await start({ misbehaviours: [{ does, times: 1 }] });
      const file = bigFile(1);
      const refused = client.documents.createByFile(datasetId, file, economical, never);
      await assert.rejects(refused, isCode('rate-limit'));
      assert.equal(server.count('createByFile'), 1);
      await client.documents.createByFile(datasetId, file, economical, never);
      assert.equal(server.datasets[0]?.documents[0]?.sha256, file.sha256);
    }
  });

  it('fails once when the connection breaks in the middle, and closes the file', async () => {
    const { client, server, datasetId } = await start();
    server.misbehave({ does: 'cut-upload', afterBytes: megabyte });
    const file = bigFile(50);
    await assert.rejects(
      client.documents.createByFile(datasetId, file, economical, never),
      isCode('transient'),
    );
    assert.equal(server.count('createByFile'), 1);
    assert.ok(file.taken < file.size);
    assert.ok(file.streams.every(({ destroyed }) => destroyed));
    assert.deepEqual(server.datasets[0]?.documents, []);
  });

  /** A server that accepts connections and reads nothing. */
  async function startIdle(): Promise<{ url: string; connected: Promise<unknown> }> {
    const server = createServer((socket) => void socket.on('error', () => undefined).pause());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    toClean.push(() => server.close());
    return { url: `http://127.0.0.1:${address.port}`, connected: once(server, 'connection') };
  }

  it('ends when the server takes nothing more', async () => {
    const { url } = await startIdle();
    const { client } = connect(url, { idleMs: 50 });
    const file = bigFile(100);
    await assert.rejects(client.documents.createByFile('d', file, economical, never), isCode('timeout-idle'));
    assert.ok(file.streams.every(({ destroyed }) => destroyed));
  });

  it('reads the file no faster than the server does, and closes it when it is aborted', async () => {
    const { url, connected } = await startIdle();
    const { client } = connect(url);
    const stop = new AbortController();
    const file = bigFile(100);
    const sending = client.documents.createByFile('d', file, economical, stop.signal);
    sending.catch(() => undefined);
    await connected;
    // Until the buffers on the way are full.
    for (let before = -1; before !== file.taken;) {
      before = file.taken;
      for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    }
    assert.ok(file.taken < 30 * megabyte, `${file.taken} bytes were taken`);
    stop.abort();
    await assert.rejects(sending, isCode('cancelled'));
    const [stream] = file.streams;
    assert.ok(stream);
    if (!stream.closed) await once(stream, 'close');
  });

  it('does not hang when the server answers before it has read the file', async () => {
    const server = await startHttp((request, response) => {
      request.on('error', () => undefined);
      response.writeHead(413, { 'content-type': 'text/html' }).end('<html><title>Too large</title></html>');
    });
    toClean.push(() => server.stop());
    const { client } = connect(`http://127.0.0.1:${server.port}`);
    const file = bigFile(50);
    await assert.rejects(client.documents.createByFile('d', file, economical, never), isCode('too-large'));
    assert.ok(file.taken < file.size);
    assert.ok(file.streams.every(({ destroyed }) => destroyed));
  });

  it('says that the file changed, or cannot be read, and not that the network failed', async () => {
    const { client, server, datasetId } = await start();
    const gone = new Error('ENOENT: no such file or directory');
    const files: [UploadFile, RegExp][] = [
      [{ ...bigFile(1), size: megabyte - 1 }, /changed/],
      [{ ...bigFile(1), size: megabyte + 1 }, /changed/],
      [
        {
          ...bigFile(1),
          open: () =>
            new Readable({
              read() {
                this.destroy(gone);
              },
            }),
        },
        /couldn't be read/,
      ],
    ];
    for (const [file, sentence] of files) {
      await assert.rejects(
        client.documents.createByFile(datasetId, file, economical, never),
        (error) => isCode('local-file')(error) && sentence.test(String(error)),
      );
    }
    assert.deepEqual(server.datasets[0]?.documents, []);
  });
});
