import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  type Accepted,
  answer,
  type ErrorAnswer,
  PlatformCalls,
  settings,
} from './platform/platformCalls.ts';
import type { PlatformOptions } from './platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from './sandbox.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('sandbox platform: documents', () => {
  let platform: PlatformServer;
  let calls: PlatformCalls;
  let dataset: string;

  async function start(options?: PlatformOptions): Promise<void> {
    platform = await startPlatform(options);
    calls = new PlatformCalls(platform);
    dataset = await calls.createDataset('Docs');
  }

  beforeEach(() => start());
  afterEach(() => platform.stop());

  async function restart(options: PlatformOptions): Promise<void> {
    await platform.stop();
    await start(options);
  }

  it('takes a text, indexes it step by step and finds it', async () => {
    const accepted = await answer<Accepted>(
      calls.createByText(dataset, 'ci.md', 'Run npm ci in pipelines.\n\nAnd never npm install.'),
    );
    assert.match(accepted.document.id, uuid);
    assert.deepEqual(
      [accepted.document.indexing_status, accepted.document.display_status],
      ['waiting', 'queuing'],
    );
    assert.deepEqual(await calls.retrieve(dataset, 'pipelines'), []);
    const seen: string[] = [];
    for (let look = 0; look < 5; look++) {
      seen.push((await calls.status(dataset, accepted.batch)).indexing_status);
    }
    assert.deepEqual(seen, ['parsing', 'cleaning', 'splitting', 'indexing', 'completed']);
    const [found] = await calls.retrieve(dataset, 'pipelines');
    assert.equal(found?.segment.document.name, 'ci.md');
    assert.match(found.segment.content, /npm ci in pipelines/);
    assert.equal(found.score, 0);
  });

  it('counts indexed segments on the way', async () => {
    await restart({ indexing: { polls: 20 } });
    const rule = {
      mode: 'custom',
      rules: { pre_processing_rules: [], segmentation: { separator: '\n', max_tokens: 100 } },
    };
    const text = Array.from({ length: 8 }, (_, index) => `Line ${index}`).join('\n');
    const { batch } = await answer<Accepted>(
      calls.createByText(dataset, 'lines.md', text, { process_rule: rule }),
    );
    const counts: string[] = [];
    for (let look = 0; look < 20; look++) {
      const { completed_segments: done, total_segments: total } = await calls.status(dataset, batch);
      counts.push(`${done}/${total}`);
    }
    assert.deepEqual([...new Set(counts)], ['0/0', '0/8', '4/8', '6/8', '8/8']);
  });

  it('indexes by the clock when asked to, without timers', async () => {
    let time = 1_786_000_000_000;
    await restart({ indexing: { stepMs: 100 }, now: () => time });
    const { batch } = await answer<Accepted>(calls.createByText(dataset, 'a.md', 'Text'));
    assert.equal((await calls.status(dataset, batch)).indexing_status, 'waiting');
    time += 150;
    assert.equal((await calls.status(dataset, batch)).indexing_status, 'parsing');
    time += 350;
    assert.equal((await calls.status(dataset, batch)).indexing_status, 'completed');
  });

  it('replaces a document of the same name: same id, new batch, old batch unknown', async () => {
    const first = await calls.indexed(dataset, 'a.md', 'Zebra');
    const second = await calls.indexed(dataset, 'a.md', 'Giraffe');
    assert.equal(second.document.id, first.document.id);
    assert.notEqual(second.batch, first.batch);
    const old = await calls.get(`/datasets/${dataset}/documents/${first.batch}/indexing-status`);
    assert.equal(old.status, 404);
    assert.match(((await old.json()) as ErrorAnswer).message ?? '', /^Documents not found\./);
    assert.equal((await calls.retrieve(dataset, 'zebra')).length, 0);
    assert.equal((await calls.retrieve(dataset, 'giraffe')).length, 1);
    assert.equal(platform.datasets[0]?.documents.length, 1);
  });

  it('takes a file of two parts and says what they were', async () => {
    const accepted = await answer<Accepted>(calls.createByFile(dataset, 'häfen 港.md', '# Häfen\n港口规则'));
    assert.equal(accepted.document.name, 'häfen 港.md');
    const parts = platform.requests.at(-1)?.parts ?? [];
    assert.deepEqual(
      parts.map(({ name, filename, contentType }) => ({ name, filename, contentType })),
      [
        { name: 'data', filename: undefined, contentType: undefined },
        { name: 'file', filename: 'häfen 港.md', contentType: 'application/octet-stream' },
      ],
    );
    const bytes = Buffer.from('# Häfen\n港口规则');
    assert.equal(parts[1]?.size, bytes.length);
    assert.equal(parts[1].sha256, createHash('sha256').update(bytes).digest('hex'));
    assert.deepEqual(JSON.parse(parts[0]?.text ?? ''), settings);
    for (let look = 0; look < 5; look++) await calls.status(dataset, accepted.batch);
    assert.equal((await calls.retrieve(dataset, '港口')).length, 1);
  });

  it('wants rules with the first file, and lends its own to the next', async () => {
    const { process_rule: _, ...bare } = settings;
    const refused = await calls.createByFile(dataset, 'a.md', 'One', bare);
    assert.equal(refused.status, 400);
    assert.equal(((await refused.json()) as ErrorAnswer).message, 'process_rule is required.');
    await answer(calls.createByFile(dataset, 'a.md', 'One'));
    await answer(calls.createByFile(dataset, 'b.md', 'Two', {}));
  });

  for (const [what, name, size] of [
    ['an extension it does not read', 'a.ts', 1],
    ['a file over the limit', 'a.md', 101],
    ['a slash in the name', 'docs/a.md', 1],
  ] as const) {
    it(`refuses ${what} without a word on create, in words on update`, async () => {
      await restart({ maxFileBytes: 100, indexing: 'instant' });
      const refused = await calls.createByFile(dataset, name, 'x'.repeat(size));
      assert.equal(refused.status, 400);
      assert.deepEqual(await refused.json(), { code: 'invalid_param', message: '', status: 400 });
      if (name.includes('/')) return;
      const { document } = await calls.indexed(dataset, 'b.md', 'Two');
      const update = await calls.sendFile(
        `/datasets/${dataset}/documents/${document.id}/update_by_file`,
        name,
        'x'.repeat(size),
      );
      assert.equal(update.status, size > 100 ? 413 : 415);
    });
  }

  it('takes a part data with a filename for a second file', async () => {
    const form = new FormData();
    form.append('data', new Blob([JSON.stringify(settings)], { type: 'text/plain' }));
    form.append('file', new Blob(['Text']), 'a.md');
    const response = await fetch(`${platform.url}/v1/datasets/${dataset}/document/create_by_file`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${platform.datasetKey}` },
      body: form,
    });
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as ErrorAnswer).code, 'too_many_files');
  });
});
