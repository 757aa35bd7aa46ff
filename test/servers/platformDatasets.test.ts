import assert from 'node:assert/strict';
import { answer, type ErrorAnswer, PlatformCalls } from './platform/platformCalls.ts';
import type { PlatformOptions } from './platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from './sandbox.ts';

interface DatasetRecord {
  id: string;
  name: string;
  indexing_technique: string | null;
  embedding_available: boolean;
  document_count: number;
  tags: { id: string; name: string }[];
  doc_metadata: { name: string }[];
  retrieval_model_dict: { top_k: number };
}

interface List<T> {
  data: T[];
  has_more: boolean;
  limit: number;
  total: number;
  page: number;
}

interface Tag {
  id: string;
  name: string;
  type: string;
  binding_count: string;
}

const nowhere = '00000000-0000-4000-8000-000000000000';

describe('sandbox platform: knowledge bases', () => {
  let platform: PlatformServer;
  let calls: PlatformCalls;

  async function start(options?: PlatformOptions): Promise<void> {
    platform = await startPlatform({ indexing: 'instant', ...options });
    calls = new PlatformCalls(platform);
  }

  beforeEach(() => start());
  afterEach(() => platform.stop());

  async function restart(options: PlatformOptions): Promise<void> {
    await platform.stop();
    await start(options);
  }

  async function assertRefused(
    response: Promise<Response>,
    status: number,
    code: string,
    message: RegExp,
  ): Promise<void> {
    const received = await response;
    assert.equal(received.status, status);
    const body = (await received.json()) as ErrorAnswer;
    assert.equal(body.code, code);
    assert.match(body.message ?? '', message);
  }

  describe('create, list, change, delete', () => {
    it('creates with 200, once for each name', async () => {
      const response = await calls.post('/datasets', { name: 'Docs', description: 'All of it' });
      assert.equal(response.status, 200);
      const record = (await response.json()) as DatasetRecord;
      assert.equal(record.name, 'Docs');
      assert.equal(record.indexing_technique, null);
      await assertRefused(
        calls.post('/datasets', { name: 'Docs' }),
        409,
        'dataset_name_duplicate',
        /already exists/,
      );
    });

    it('refuses names and descriptions that are too long, and a body that is no JSON', async () => {
      const tooLong = calls.post('/datasets', { name: 'x'.repeat(41) });
      await assertRefused(
        tooLong,
        400,
        'invalid_param',
        /\nname\n {2}String should have at most 40 characters/,
      );
      await assertRefused(
        calls.post('/datasets', { name: 'x', description: 'x'.repeat(401) }),
        400,
        'invalid_param',
        /\ndescription\n/,
      );
      await assertRefused(calls.post('/datasets', {}), 400, 'invalid_param', /\nname\n {2}Field required/);
      await assertRefused(
        calls.send('POST', '/datasets'),
        415,
        'unsupported_media_type',
        /application\/json/,
      );
    });

    it('says there is more when a page is full, even if the next is empty', async () => {
      for (const name of ['One', 'Two', 'Three', 'Four']) await calls.createDataset(name);
      const first = await answer<List<DatasetRecord>>(calls.get('/datasets?page=1&limit=2'));
      assert.deepEqual(
        first.data.map(({ name }) => name),
        ['Four', 'Three'],
      );
      assert.deepEqual([first.has_more, first.total], [true, 4]);
      const second = await answer<List<DatasetRecord>>(calls.get('/datasets?page=2&limit=2'));
      assert.equal(second.has_more, true);
      const third = await answer<List<DatasetRecord>>(calls.get('/datasets?page=3&limit=2'));
      assert.deepEqual([third.data, third.has_more], [[], false]);
      const found = await answer<List<DatasetRecord>>(calls.get('/datasets?keyword=thr'));
      assert.equal(found.data[0]?.name, 'Three');
    });

    it('reads, changes and deletes one', async () => {
      const id = await calls.createDataset('Docs');
      const changed = await answer<DatasetRecord>(calls.send('PATCH', `/datasets/${id}`, { name: 'Papers' }));
      assert.equal(changed.name, 'Papers');
      assert.equal((await answer<DatasetRecord>(calls.get(`/datasets/${id}`))).name, 'Papers');
      const deleted = await calls.send('DELETE', `/datasets/${id}`);
      assert.deepEqual([deleted.status, await deleted.text()], [204, '']);
      await assertRefused(
        calls.get(`/datasets/${id}`),
        404,
        'not_found',
        /^Dataset not found\. You have requested this URI/,
      );
    });

    it('has a word for a knowledge base whose API is off', async () => {
      const id = await calls.createDataset('Docs');
      platform.others.switchApi('Docs', false);
      await assertRefused(calls.get(`/datasets/${id}`), 403, 'forbidden', /api access is not enabled/);
    });

    it('takes no document for an external one', async () => {
      const { id } = await answer<DatasetRecord>(
        calls.post('/datasets', { name: 'Theirs', provider: 'external' }),
      );
      const refused = calls.createByText(id, 'a.md', 'Text');
      await assertRefused(refused, 400, 'invalid_param', /External datasets are not supported/);
    });

    it('gives HTML for ids that are no UUIDs, 405 for methods that a path lacks', async () => {
      const html = await calls.get('/datasets/mine');
      assert.equal(html.status, 404);
      assert.match(html.headers.get('Content-Type') ?? '', /html/);
      const wrong = await calls.send('DELETE', '/datasets');
      assert.equal(wrong.status, 405);
      assert.equal(((await wrong.json()) as ErrorAnswer).code, 'method_not_allowed');
      assert.equal((await calls.get(`/datasets/${nowhere}`)).status, 404);
    });
  });

  describe('embedding models', () => {
    const path = '/workspaces/current/models/model-types/text-embedding';

    it('lists them by provider, and takes the first for high quality', async () => {
      const { data } = await answer<{
        data: { provider: string; models: { model: string; status: string }[] }[];
      }>(calls.get(path));
      assert.deepEqual(
        data.map(({ models }) => models.map(({ model, status }) => [model, status])),
        [[['scripted-embedding', 'active']]],
      );
      const id = await calls.createDataset('Docs');
      await calls.indexed(id, 'a.md', 'Text', { indexing_technique: 'high_quality' });
      const record = await answer<DatasetRecord>(calls.get(`/datasets/${id}`));
      assert.deepEqual([record.indexing_technique, record.embedding_available], ['high_quality', true]);
    });

    it('may have none, and then refuses high quality', async () => {
      await restart({ embeddingModels: [] });
      assert.deepEqual(await answer(calls.get(path)), { data: [] });
      const wanted = { name: 'Docs', indexing_technique: 'high_quality' };
      await assertRefused(
        calls.post('/datasets', wanted),
        400,
        'provider_not_initialize',
        /No Embedding Model/,
      );
    });
  });

  describe('metadata', () => {
    it('keeps fields, and values that a list replaces unless told to add', async () => {
      const id = await calls.createDataset('Docs');
      const { document } = await calls.indexed(id, 'a.md', 'Text');
      const path = `/datasets/${id}/metadata`;
      const created = await calls.post(path, { type: 'string', name: 'branch' });
      assert.equal(created.status, 201);
      const branch = (await created.json()) as { id: string; name: string };
      const size = await answer<{ id: string }>(calls.post(path, { type: 'number', name: 'size' }));
      await assertRefused(
        calls.post(path, { type: 'string', name: 'branch' }),
        400,
        'invalid_param',
        /already exists/,
      );

      const set = (value: object, more: object = {}) =>
        calls.post(`/datasets/${id}/documents/metadata`, {
          operation_data: [
            { document_id: document.id, metadata_list: [value], ...more },
            { document_id: nowhere, metadata_list: [] },
          ],
        });
      const values = () => platform.datasets[0]?.documents[0]?.metadata;
      assert.deepEqual(await answer(set({ id: branch.id, name: 'branch', value: 'main' })), {
        result: 'success',
      });
      await set({ id: size.id, name: 'size', value: 4 }, { partial_update: true });
      assert.deepEqual(values(), { branch: 'main', size: 4 });
      await set({ id: size.id, name: 'size', value: 5 });
      assert.deepEqual(values(), { size: 5 });

      await answer(calls.send('PATCH', `${path}/${branch.id}`, { name: 'ref' }));
      assert.equal((await calls.send('DELETE', `${path}/${size.id}`)).status, 204);
      assert.deepEqual(await answer(calls.get(path)), {
        doc_metadata: [{ id: branch.id, name: 'ref', type: 'string', count: 0 }],
        built_in_field_enabled: false,
      });
    });

    it('switches the built-in fields', async () => {
      const id = await calls.createDataset('Docs');
      const { document } = await calls.indexed(id, 'a.md', 'Text');
      const path = `/datasets/${id}/metadata/built-in`;
      const { fields } = await answer<{ fields: object[] }>(calls.get(path));
      assert.equal(fields.length, 5);
      await answer(calls.post(`${path}/enable`, {}));
      const only = await answer<{ doc_metadata: { name: string; value: unknown }[] }>(
        calls.get(`/datasets/${id}/documents/${document.id}?metadata=only`),
      );
      assert.equal(only.doc_metadata.find(({ name }) => name === 'document_name')?.value, 'a.md');
      await answer(calls.post(`${path}/disable`, {}));
      assert.match(
        JSON.stringify(await answer(calls.get(`/datasets/${id}/metadata`))),
        /"built_in_field_enabled":false/,
      );
    });
  });

  describe('tags', () => {
    it('answers a new tag with the fault of 1.14, and every list from then on', async () => {
      await restart({ version: '1.14.2' });
      assert.deepEqual(await answer(calls.get('/datasets/tags')), []);
      // As recorded.
      const fault =
        'binding_count\n  Input should be a valid string [type=string_type, input_value=0, input_type=int]\n    For further information visit https://errors.pydantic.dev/2.12/v/string_type';
      for (const [reply, message] of [
        [
          await calls.post('/datasets/tags', { name: 'harbour tag' }),
          `1 validation error for DataSetTag\n${fault}`,
        ],
        [await calls.get('/datasets/tags'), `1 validation error for list[DataSetTag]\n0.${fault}`],
      ] as const) {
        assert.equal(reply.status, 400);
        assert.deepEqual(await reply.json(), { code: 'invalid_param', message, status: 400 });
      }
    });

    it('keeps tags, binds and unbinds them, and deletes by a body', async () => {
      await restart({ version: '1.13.0' });
      const id = await calls.createDataset('Docs');
      const tag = await answer<Tag>(calls.post('/datasets/tags', { name: 'red' }));
      assert.deepEqual([tag.type, tag.binding_count], ['knowledge', '0']);
      await assertRefused(
        calls.post('/datasets/tags', { name: 'x'.repeat(51) }),
        400,
        'invalid_param',
        /at most 50 characters/,
      );
      const bound = await calls.post('/datasets/tags/binding', { tag_ids: [tag.id], target_id: id });
      assert.equal(bound.status, 204);
      assert.deepEqual(await answer(calls.get(`/datasets/${id}/tags`)), {
        data: [{ id: tag.id, name: 'red' }],
        total: 1,
      });
      await answer(calls.send('PATCH', '/datasets/tags', { tag_id: tag.id, name: 'blue' }));
      assert.deepEqual(platform.datasets[0]?.tags, ['blue']);
      const unbound = await calls.post('/datasets/tags/unbinding', { tag_id: tag.id, target_id: id });
      assert.equal(unbound.status, 204);
      assert.deepEqual(platform.datasets[0]?.tags, []);
      assert.equal((await calls.send('DELETE', '/datasets/tags', { tag_id: tag.id })).status, 204);
      assert.deepEqual(await answer(calls.get('/datasets/tags')), []);
    });
  });

  it('starts with what it was seeded with, ready to be searched', async () => {
    await restart({
      indexing: { stepMs: 1e9 },
      seed: [{ dataset: 'Harbour', documents: [{ name: 'rules.md', text: 'Boats give way to ferries.' }] }],
    });
    const { data } = await answer<List<DatasetRecord>>(calls.get('/datasets'));
    assert.deepEqual(
      data.map(({ name, document_count: count }) => [name, count]),
      [['Harbour', 1]],
    );
    const [found] = await calls.retrieve(data[0]?.id ?? '', 'ferries');
    assert.equal(found?.segment.document.name, 'rules.md');
  });
});
