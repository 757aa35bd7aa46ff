import assert from 'node:assert/strict';
import type { Misbehaviour } from './platform/misbehaviours.ts';
import { type Accepted, answer, type ErrorAnswer, PlatformCalls } from './platform/platformCalls.ts';
import { type PlatformServer, startPlatform } from './sandbox.ts';

describe('sandbox platform: misbehaviour', () => {
  let platform: PlatformServer;
  let calls: PlatformCalls;
  let dataset: string;

  beforeEach(async () => {
    platform = await startPlatform({ indexing: 'instant' });
    calls = new PlatformCalls(platform);
    dataset = await calls.createDataset('Docs');
  });
  afterEach(() => platform.stop());

  const names = (): string[] => platform.datasets[0]?.documents.map(({ name }) => name) ?? [];

  for (const [does, status, code] of [
    ['rate-limit', 429, 'rate_limit_error'],
    ['knowledge-rate-limit', 403, 'forbidden'],
    ['empty-message', 400, 'invalid_param'],
    ['server-error', 500, 'unknown'],
    ['html-404', 404, undefined],
    ['bad-gateway', 502, undefined],
    ['proxy-too-large', 413, undefined],
  ] as const) {
    it(`${does}: ${status} for the first two uploads, which are not stored`, async () => {
      platform.misbehave({ does, times: 2 });
      for (const name of ['a.md', 'b.md']) {
        const response = await calls.createByText(dataset, name, 'Text');
        assert.equal(response.status, status);
        const isHtml = /html/.test(response.headers.get('Content-Type') ?? '');
        assert.equal(isHtml, code === undefined);
        if (!isHtml) assert.equal(((await response.json()) as ErrorAnswer).code, code);
      }
      assert.equal((await calls.createByText(dataset, 'c.md', 'Text')).status, 200);
      assert.deepEqual(names(), ['c.md']);
    });
  }

  it('picks requests by their kind, the knowledge base and the document', async () => {
    const other = await calls.createDataset('Other');
    platform.misbehave({ does: 'server-error', on: 'createByText', dataset: 'Docs', document: /\.txt$/ });
    assert.equal((await calls.createByText(dataset, 'a.txt', 'Text')).status, 500);
    assert.equal((await calls.createByText(dataset, 'a.md', 'Text')).status, 200);
    assert.equal((await calls.createByText(other, 'a.txt', 'Text')).status, 200);
    assert.equal((await calls.createByFile(dataset, 'a.txt', 'Text')).status, 200);
  });

  it('stops when it is switched off', async () => {
    const off = platform.misbehave({ does: 'server-error' });
    assert.equal((await calls.createByText(dataset, 'a.md', 'Text')).status, 500);
    off();
    assert.equal((await calls.createByText(dataset, 'a.md', 'Text')).status, 200);
  });

  it('never lets it see a request without a good key', async () => {
    platform.misbehave({ does: 'server-error', times: 1 });
    const response = await fetch(`${platform.url}/v1/datasets/${dataset}/document/create_by_text`, {
      method: 'POST',
    });
    assert.equal(response.status, 401);
    assert.equal((await calls.createByText(dataset, 'a.md', 'Text')).status, 500);
  });

  it('status-unknown, dataset-in-use, not-initialized: refusals of other requests', async () => {
    const { batch } = await answer<Accepted>(calls.createByText(dataset, 'a.md', 'Text'));
    for (const does of ['status-unknown', 'dataset-in-use', 'not-initialized'] as const) {
      platform.misbehave({ does });
    }
    const status = await calls.get(`/datasets/${dataset}/documents/${batch}/indexing-status`);
    assert.equal(status.status, 404);
    assert.equal((await calls.send('DELETE', `/datasets/${dataset}`)).status, 409);
    const search = await calls.post(`/datasets/${dataset}/retrieve`, { query: 'text' });
    assert.equal(((await search.json()) as ErrorAnswer).code, 'dataset_not_initialized');
  });

  for (const [rule, status, error] of [
    [{ does: 'stuck' }, 'waiting', null],
    [{ does: 'paused' }, 'paused', null],
    [{ does: 'index-error', message: 'No memory left.' }, 'error', 'No memory left.'],
    [{ does: 'empty' }, 'completed', null],
  ] as const satisfies [Misbehaviour, string, string | null][]) {
    it(`${rule.does}: the document is taken, and then ${status}`, async () => {
      platform.misbehave({ ...rule, document: 'bad.md' });
      const bad = await answer<Accepted>(calls.createByText(dataset, 'bad.md', 'Text'));
      await answer(calls.createByText(dataset, 'good.md', 'Text'));
      const progress = await calls.status(dataset, bad.batch);
      assert.deepEqual([progress.indexing_status, progress.error], [status, error]);
      const found = await calls.retrieve(dataset, 'text');
      assert.deepEqual(
        found.map(({ segment }) => segment.document.name),
        ['good.md'],
      );
    });
  }

  it('lets others end what was stuck', async () => {
    platform.misbehave({ does: 'stuck' });
    const { batch } = await answer<Accepted>(calls.createByText(dataset, 'a.md', 'Text'));
    platform.others.finishIndexing('Docs', 'a.md');
    assert.equal((await calls.status(dataset, batch)).indexing_status, 'completed');
  });

  it('cut-upload: breaks the connection in mid-body, and stores nothing', async () => {
    platform.misbehave({ does: 'cut-upload', document: 'a.md', afterBytes: 100_000, times: 1 });
    const large = 'x'.repeat(1_000_000);
    await assert.rejects(calls.createByFile(dataset, 'a.md', large));
    const cut = platform.requests.at(-1);
    await cut?.ended;
    assert.equal(cut?.closedEarly, false);
    const [, file] = cut?.parts ?? [];
    assert.ok(file && file.size < 1_000_000);
    assert.equal(file.sha256, '');
    assert.deepEqual(names(), []);
    assert.equal((await calls.createByFile(dataset, 'a.md', large)).status, 200);
  });

  it('cut-upload: breaks a body of JSON as well', async () => {
    platform.misbehave({ does: 'cut-upload', times: 1 });
    await assert.rejects(calls.createByText(dataset, 'a.md', 'Text'));
    assert.deepEqual(names(), []);
  });

  it('lose-answer: stores the document, but the client never hears', async () => {
    platform.misbehave({ does: 'lose-answer', times: 1 });
    await assert.rejects(calls.createByText(dataset, 'a.md', 'Text'));
    assert.deepEqual(names(), ['a.md']);
  });

  describe('gates', () => {
    it('hold requests until they are released, in order', async () => {
      const gate = platform.hold({ on: 'createByText' });
      const order: string[] = [];
      const sent = [];
      for (const name of ['a.md', 'b.md']) {
        sent.push(calls.createByText(dataset, name, 'Text').then(() => order.push(name)));
        await gate.waitFor(sent.length);
      }
      assert.equal(gate.held, 2);
      assert.deepEqual(names(), []);
      gate.release();
      await sent[0];
      assert.deepEqual([order, names()], [['a.md'], ['a.md']]);
      gate.open();
      await sent[1];
      await answer(calls.createByText(dataset, 'c.md', 'Text'));
    });

    it('hold only the answer when asked to, and let go of clients that left', async () => {
      const gate = platform.hold({ when: 'after' });
      const leaving = new AbortController();
      const sent = fetch(`${platform.url}/v1/datasets/${dataset}/document/create_by_text`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${platform.datasetKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'a.md', text: 'Text', indexing_technique: 'economy' }),
        signal: leaving.signal,
      });
      await gate.waitFor(1);
      assert.deepEqual(names(), ['a.md']);
      leaving.abort();
      await assert.rejects(sent);
      await platform.requests.at(-1)?.ended;
      assert.equal(gate.held, 0);
    });

    it('do not keep the server from stopping', async () => {
      const gate = platform.hold();
      const sent = assert.rejects(calls.createByText(dataset, 'a.md', 'Text'));
      await gate.waitFor(1);
      await platform.stop();
      await sent;
    });

    it('show how many uploads were under way at once', async () => {
      const gate = platform.hold();
      const sent = ['a.md', 'b.md', 'c.md'].map((name) => calls.createByText(dataset, name, 'Text'));
      await gate.waitFor(3);
      gate.open();
      await Promise.all(sent);
      assert.equal(platform.mostUploads, 3);
      assert.equal(platform.count('createByText'), 3);
      assert.equal(platform.count('createDataset'), 1);
      await Promise.all(platform.requests.map(({ ended }) => ended));
      platform.clearRequests();
      assert.deepEqual([platform.mostUploads, platform.count('createByText')], [0, 0]);
    });
  });
});
