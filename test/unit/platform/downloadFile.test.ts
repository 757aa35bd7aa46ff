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
