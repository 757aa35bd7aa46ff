import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import {
  type Accepted,
  answer,
  type ErrorAnswer,
  PlatformCalls,
  settings,
} from './platform/platformCalls.ts';
import type { PlatformOptions } from './platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from './sandbox.ts';

const megabyte = 1024 * 1024;

describe('sandbox platform: uploads', () => {
  let platform: PlatformServer;
  let calls: PlatformCalls;
  let dataset: string;

  async function start(options?: PlatformOptions): Promise<void> {
    platform = await startPlatform({ indexing: 'instant', ...options });
    calls = new PlatformCalls(platform);
    dataset = await calls.createDataset('Docs');
  }

  beforeEach(() => start());
  afterEach(() => platform.stop());

  async function restart(options: PlatformOptions): Promise<void> {
    await platform.stop();
    await start(options);
  }

  /** Sends a body exactly as it is written, in chunks of so many bytes. @returns status and body */
  function sendRaw(body: Buffer, chunkBytes: number): Promise<[number, string]> {
    return new Promise((resolve, reject) => {
      const sending = request(
        `${platform.url}/v1/datasets/${dataset}/document/create_by_file`,
        {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${platform.datasetKey}`,
            'Content-Type': 'multipart/form-data; boundary=line',
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.once('end', () => resolve([response.statusCode ?? 0, text]));
        },
      );
      sending.once('error', reject);
      for (let offset = 0; offset < body.length; offset += chunkBytes) {
        sending.write(body.subarray(offset, offset + chunkBytes));
      }
      sending.end();
    });
  }

  function written(parts: readonly (readonly [headers: string, body: string])[]): Buffer {
    const text = parts.map(([headers, body]) => `--line\r\n${headers}\r\n\r\n${body}\r\n`).join('');
    return Buffer.from(`${text}--line--\r\n`);
  }

  const data = 'Content-Disposition: form-data; name="data"\r\nContent-Type: text/plain';
  const file = 'Content-Disposition: form-data; name="file"; filename="a.md"\r\nContent-Type: text/markdown';

  for (const chunkBytes of [1, 7, 100_000]) {
    it(`reads a body that comes in chunks of ${chunkBytes} bytes`, async () => {
      const body = written([
        [data, JSON.stringify(settings)],
        [file, 'Häfen\r\n--lin 港'],
      ]);
      const [status] = await sendRaw(body, chunkBytes);
      assert.equal(status, 200);
      const parts = platform.requests.at(-1)?.parts ?? [];
      assert.deepEqual(
        parts.map(({ contentType, text }) => [contentType, text]),
        [
          ['text/plain', JSON.stringify(settings)],
          ['text/markdown', 'Häfen\r\n--lin 港'],
        ],
      );
      assert.equal(platform.datasets[0]?.documents[0]?.text, 'Häfen\r\n--lin 港');
    });
  }

  for (const [what, body, code] of [
    ['no file', written([[data, JSON.stringify(settings)]]), 'no_file_uploaded'],
    ['an empty filename', written([[file.replace('a.md', ''), 'Text']]), 'filename_not_exists_error'],
    [
      'settings that are no JSON',
      written([
        [data, '{'],
        [file, 'Text'],
      ]),
      'invalid_param',
    ],
    ['a body that ends too soon', written([[file, 'Text']]).subarray(0, -10), 'no_file_uploaded'],
    ['no boundary at all', Buffer.from('nonsense'), 'no_file_uploaded'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const [status, text] = await sendRaw(body, 1000);
      assert.equal(status, 400);
      assert.equal((JSON.parse(text) as ErrorAnswer).code, code);
      assert.deepEqual(platform.datasets[0]?.documents, []);
    });
  }

  it('takes by the description what is typed as it says', async () => {
    await restart({ dialect: 'description' });
    const economical = { ...settings, indexing_technique: 'economical' };
    const body = written([
      [data, JSON.stringify(economical)],
      [file, 'Text'],
    ]);
    assert.equal((await sendRaw(body, 1000))[0], 200);
  });

  it('takes a name up to 200 characters and cuts the rest', async () => {
    const accepted = await answer<Accepted>(calls.createByFile(dataset, `${'n'.repeat(300)}.md`, 'Text'));
    assert.equal(accepted.document.name, `${'n'.repeat(197)}.md`);
  });

  it('updates a document with a file, and only when it is available', async () => {
    const { document } = await answer<Accepted>(calls.createByFile(dataset, 'a.md', 'Zebra'));
    const path = `/datasets/${dataset}/documents/${document.id}/update_by_file`;
    const updated = await answer<Accepted>(calls.sendFile(path, 'b.md', 'Giraffe'));
    assert.deepEqual([updated.document.id, updated.document.name], [document.id, 'b.md']);
    assert.equal((await calls.retrieve(dataset, 'giraffe')).length, 1);
    platform.others.switchDocument('Docs', 'b.md', { isEnabled: false });
    const refused = await calls.sendFile(path, 'b.md', 'Lion');
    assert.equal(((await refused.json()) as ErrorAnswer).message, 'Document is not available');
  });

  it('updates a document by text, and 404 when others deleted it', async () => {
    const { document } = await calls.indexed(dataset, 'a.md', 'Zebra');
    const path = `/datasets/${dataset}/documents/${document.id}/update_by_text`;
    await answer(calls.post(path, { name: 'a.md', text: 'Giraffe' }));
    assert.equal(platform.datasets[0]?.documents[0]?.text, 'Giraffe');
    const nameless = await calls.post(path, { text: 'Lion' });
    assert.equal(nameless.status, 400);
    platform.others.deleteDocument('Docs', 'a.md');
    assert.equal((await calls.post(path, { name: 'a.md', text: 'Lion' })).status, 404);
  });

  it('adds a second document of a name when asked not to replace, or when the first is disabled', async () => {
    await answer(calls.createByFile(dataset, 'a.md', 'One'));
    await answer(calls.createByFile(dataset, 'a.md', 'Two', { ...settings, duplicate: false }));
    assert.equal(platform.datasets[0]?.documents.length, 2);
    const [first] = platform.datasets[0].documents;
    platform.others.deleteDocument('Docs', first?.id ?? '');
    platform.others.switchDocument('Docs', 'a.md', { isEnabled: false });
    await answer(calls.createByFile(dataset, 'a.md', 'Three'));
    assert.deepEqual(
      platform.datasets[0]?.documents.map(({ text }) => text),
      ['Two', 'Three'],
    );
  });

  it('shows what others do', async () => {
    platform.others.addDocument('Docs', { name: 'a.md', text: 'One' });
    const before = platform.datasets[0]?.documents[0];
    platform.others.replaceDocument('Docs', 'a.md', 'Two');
    platform.others.renameDocument('Docs', 'a.md', 'b.md');
    const after = platform.datasets[0]?.documents[0];
    assert.equal(after?.id, before?.id);
    assert.notEqual(after?.batch, before?.batch);
    const { data: listed } = await answer<{ data: { name: string; display_status: string }[] }>(
      calls.get(`/datasets/${dataset}/documents?keyword=B&status=available`),
    );
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['b.md'],
    );
    platform.others.deleteDataset('Docs');
    assert.deepEqual(platform.datasets, []);
  });

  it('does not delete what is being indexed or archived', async () => {
    await restart({ indexing: { polls: 100 } });
    const { document, batch } = await answer<Accepted>(calls.createByText(dataset, 'a.md', 'Text'));
    const path = `/datasets/${dataset}/documents/${document.id}`;
    const early = await calls.send('DELETE', path);
    assert.deepEqual([early.status, ((await early.json()) as ErrorAnswer).code], [400, 'document_indexing']);
    platform.others.finishIndexing('Docs', 'a.md');
    assert.equal((await calls.status(dataset, batch)).indexing_status, 'completed');
    platform.others.switchDocument('Docs', 'a.md', { isArchived: true });
    const archived = await calls.send('DELETE', path);
    assert.deepEqual(
      [archived.status, ((await archived.json()) as ErrorAnswer).code],
      [403, 'archived_document_immutable'],
    );
  });

  it('gives HTML with 413 above what the proxy lets through', async () => {
    await restart({ maxBodyBytes: 1000 });
    const response = await calls.createByFile(dataset, 'a.md', 'x'.repeat(1000));
    assert.equal(response.status, 413);
    assert.match(response.headers.get('Content-Type') ?? '', /html/);
  });

  it('keeps of a large file its hash alone when asked to', async () => {
    await restart({ keepBodies: false, maxFileBytes: 20 * megabyte });
    const bytes = Buffer.alloc(16 * megabyte, 'Twelve bytes');
    await answer(calls.createByFile(dataset, 'large.md', new Blob([bytes])));
    const sent = platform.requests.at(-1);
    const [settingsPart, filePart] = sent?.parts ?? [];
    assert.equal(sent?.bytes.length, 0);
    assert.deepEqual(JSON.parse(settingsPart?.text ?? ''), settings);
    assert.deepEqual(
      [filePart?.size, filePart?.sha256, filePart?.text],
      [bytes.length, createHash('sha256').update(bytes).digest('hex'), undefined],
    );
    const [document] = platform.datasets[0]?.documents ?? [];
    assert.deepEqual([document?.size, document?.text], [bytes.length, undefined]);
  });
});
