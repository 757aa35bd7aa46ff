import assert from 'node:assert/strict';
import { createPlatformClient } from '../../../src/platform/platformClient.ts';
import { maxDownloadBytes } from '../../../src/platform/downloadFile.ts';
import { type Answer, fakePlatform } from './fakePlatform.ts';

const never = new AbortController().signal;

async function download(answer: Answer) {
  const { context, asked } = fakePlatform([answer]);
  const pieces: Uint8Array[] = [];
  const address = 'https://files.example/x/file-preview?sign=s';
  for await (const piece of createPlatformClient(context).documents.download(address, never))
    pieces.push(piece);
  return { text: Buffer.concat(pieces).toString(), asked };
}

describe('the file of a document', () => {
  it('comes from its signed address, to which no key goes', async () => {
    const { text, asked } = await download({ body: 'Words', contentType: 'text/plain' });
    assert.equal(text, 'Words');
    assert.deepEqual(
      asked.map(({ method, path, headers }) => [method, path, headers['authorization']]),
      [['GET', '/x/file-preview?sign=s', undefined]],
    );
  });

  it('is refused with the status, and the address without its signature', async () => {
    await assert.rejects(
      download({ status: 403, body: '<html>', contentType: 'text/html' }),
      (error: unknown) => {
        const { message, address, status } = Object(error) as Record<string, unknown>;
        assert.deepEqual(
          [message, address, status],
          ["The file couldn't be downloaded: status 403.", 'https://files.example/x/file-preview', 403],
        );
        return true;
      },
    );
  });

  it('is not read where it says that it is too large', async () => {
    const headers = { 'content-length': String(maxDownloadBytes + 1) };
    await assert.rejects(download({ body: 'x', headers }), { code: 'too-large' });
  });
});

describe('the files of several documents', () => {
  async function archive(answer: Answer) {
    const { context, asked } = fakePlatform([answer]);
    const pieces: Uint8Array[] = [];
    const archived = createPlatformClient(context).documents.downloadArchive('d', ['f', 'g'], never);
    for await (const piece of archived) pieces.push(piece);
    return { text: Buffer.concat(pieces).toString(), asked };
  }

  it('come as one archive, to the key alone', async () => {
    const { text, asked } = await archive({ body: 'PK', contentType: 'application/zip' });
    assert.equal(text, 'PK');
    assert.deepEqual(
      asked.map(({ method, path, json }) => [method, path, json]),
      [['POST', '/base/v1/datasets/d/documents/download-zip', { document_ids: ['f', 'g'] }]],
    );
    assert.match(asked[0]?.headers['authorization'] ?? '', /^Bearer /);
  });

  it('are no archive where the platform answers with something else', async () => {
    await assert.rejects(archive({ json: { result: 'success' } }), /returned no archive/);
    const headers = { 'content-length': String(maxDownloadBytes + 1) };
    const large = { body: 'x', contentType: 'application/zip', headers };
    await assert.rejects(archive(large), { code: 'too-large' });
    const gone = { code: 'not_found', message: 'Document not found.', status: 404 };
    await assert.rejects(archive({ status: 404, json: gone }), { status: 404 });
  });
});
