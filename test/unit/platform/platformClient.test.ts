import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { createPlatformClient, type PlatformClient } from '../../../src/platform/platformClient.ts';
import type { IndexingSettings } from '../../../src/platform/documents/documents.ts';
import { isMissingOnServer } from '../../../src/platform/platformErrors.ts';
import { type Answer, fakePlatform, htmlMissing, refusal } from './fakePlatform.ts';

const never = new AbortController().signal;
const economical: IndexingSettings = {
  technique: 'economical',
  processRule: { mode: 'automatic' },
  form: 'text_model',
};
const highQuality: IndexingSettings = {
  technique: 'high_quality',
  processRule: {
    mode: 'custom',
    rules: { pre_processing_rules: [], segmentation: { separator: '\n', max_tokens: 500 } },
  },
  form: 'text_model',
  embeddingModel: { provider: 'p', model: 'm' },
};
const file = { name: 'a.md', size: 2, open: () => Readable.from([Buffer.from('hi')]) };
const place = { datasetId: 'd', documentId: 'f' };
const segmentPlace = { ...place, segmentId: 's' };

interface Row {
  call(client: PlatformClient): Promise<unknown>;
  /** Method and path, with the query. */
  asks: string;
  json?: unknown;
  answer?: Answer;
}

const accepted: Answer = { json: { document: { id: 'f', name: 'a' }, batch: 'b' } };
const dataset: Answer = { json: { id: 'd', name: 'Docs' } };
const page: Answer = { json: { data: [] } };
const segmentAnswer: Answer = { json: { data: { id: 's' } } };
const done: Answer = { status: 204 };

const rows: Record<string, Row> = {
  testConnection: {
    call: (c) => c.testConnection(never),
    asks: 'GET /v1/datasets?page=1&limit=1',
    answer: { json: { data: [{ id: 'd', name: 'Docs' }], total: 7 } },
  },
  'datasets.list': {
    call: (c) => c.datasets.list(never),
    asks: 'GET /v1/datasets?page=1&limit=100',
    answer: page,
  },
  'datasets.get': { call: (c) => c.datasets.get('d', never), asks: 'GET /v1/datasets/d', answer: dataset },
  'datasets.create': {
    call: (c) => c.datasets.create({ name: 'Docs', technique: 'economical', permission: 'only_me' }, never),
    asks: 'POST /v1/datasets',
    json: { name: 'Docs', indexing_technique: 'economical', permission: 'only_me' },
    answer: dataset,
  },
  'datasets.create, high quality': {
    call: (c) =>
      c.datasets.create(
        {
          name: 'Docs',
          description: 'x',
          technique: 'high_quality',
          embeddingModel: { provider: 'p', model: 'm' },
          retrievalModel: { top_k: 3 },
        },
        never,
      ),
    asks: 'POST /v1/datasets',
    json: {
      name: 'Docs',
      description: 'x',
      indexing_technique: 'high_quality',
      embedding_model: 'm',
      embedding_model_provider: 'p',
      retrieval_model: { top_k: 3 },
    },
    answer: dataset,
  },
  'datasets.update': {
    call: (c) => c.datasets.update('d', { description: '' }, never),
    asks: 'PATCH /v1/datasets/d',
    json: { description: '' },
    answer: dataset,
  },
  'datasets.delete': {
    call: (c) => c.datasets.delete('d', never),
    asks: 'DELETE /v1/datasets/d',
    answer: done,
  },
  'datasets.retrieve': {
    call: (c) => c.datasets.retrieve('d', { query: 'ci' }, never),
    asks: 'POST /v1/datasets/d/retrieve',
    json: { query: 'ci' },
    answer: { json: { records: [] } },
  },
  'documents.createByText': {
    call: (c) => c.documents.createByText('d', { name: 'a', text: 'b', ...economical }, never),
    asks: 'POST /v1/datasets/d/document/create_by_text',
    json: {
      name: 'a',
      text: 'b',
      indexing_technique: 'economical',
      process_rule: { mode: 'automatic' },
      doc_form: 'text_model',
    },
    answer: accepted,
  },
  'documents.createByText, high quality': {
    call: (c) => c.documents.createByText('d', { name: 'a', text: 'b', ...highQuality }, never),
    asks: 'POST /v1/datasets/d/document/create_by_text',
    json: {
      name: 'a',
      text: 'b',
      indexing_technique: 'high_quality',
      process_rule: highQuality.processRule,
      doc_form: 'text_model',
      embedding_model: 'm',
      embedding_model_provider: 'p',
    },
    answer: accepted,
  },
  'documents.createByFile': {
    call: (c) => c.documents.createByFile('d', file, economical, never),
    asks: 'POST /v1/datasets/d/document/create_by_file',
    answer: accepted,
  },
  'documents.updateByText': {
    call: (c) => c.documents.updateByText('d', 'f', { name: 'a', text: 'b', ...economical }, never),
    asks: 'POST /v1/datasets/d/documents/f/update_by_text',
    json: { name: 'a', text: 'b', process_rule: { mode: 'automatic' }, doc_form: 'text_model' },
    answer: accepted,
  },
  'documents.updateByFile': {
    call: (c) => c.documents.updateByFile('d', 'f', file, economical, never),
    asks: 'POST /v1/datasets/d/documents/f/update_by_file',
    answer: accepted,
  },
  'documents.list': {
    call: (c) => c.documents.list('d', { page: 2, limit: 50, keyword: 'a&b', status: 'available' }, never),
    asks: 'GET /v1/datasets/d/documents?page=2&limit=50&keyword=a%26b&status=available',
    answer: page,
  },
  'documents.get': {
    call: (c) => c.documents.get('d', 'f', never),
    asks: 'GET /v1/datasets/d/documents/f?metadata=all',
    answer: { json: { id: 'f', name: 'a' } },
  },
  'documents.delete': {
    call: (c) => c.documents.delete('d', 'f', never),
    asks: 'DELETE /v1/datasets/d/documents/f',
    answer: { json: 204 },
  },
  'documents.setStatus': {
    call: (c) => c.documents.setStatus('d', ['f', 'g'], 'un_archive', never),
    asks: 'PATCH /v1/datasets/d/documents/status/un_archive',
    json: { document_ids: ['f', 'g'] },
  },
  'documents.downloadUrl': {
    call: (c) => c.documents.downloadUrl('d', 'f', never),
    asks: 'GET /v1/datasets/d/documents/f/download',
    answer: { json: { url: 'https://files.example/x?sign=1' } },
  },
  'documents.indexingStatus': {
    call: (c) => c.documents.indexingStatus('d', '2026', never),
    asks: 'GET /v1/datasets/d/documents/2026/indexing-status',
    answer: page,
  },
  'segments.list': {
    call: (c) => c.segments.list(place, { page: 1, limit: 20 }, never),
    asks: 'GET /v1/datasets/d/documents/f/segments?page=1&limit=20',
    answer: page,
  },
  'segments.get': {
    call: (c) => c.segments.get(place, 's', never),
    asks: 'GET /v1/datasets/d/documents/f/segments/s',
    answer: segmentAnswer,
  },
  'segments.create': {
    call: (c) =>
      c.segments.create(
        place,
        [
          { content: 'x', keywords: ['k'] },
          { content: 'q', answer: 'a' },
        ],
        never,
      ),
    asks: 'POST /v1/datasets/d/documents/f/segments',
    json: {
      segments: [
        { content: 'x', keywords: ['k'] },
        { content: 'q', answer: 'a' },
      ],
    },
    answer: page,
  },
  'segments.update': {
    call: (c) =>
      c.segments.update(place, 's', { content: 'x', isEnabled: false, regenerateChildChunks: true }, never),
    asks: 'POST /v1/datasets/d/documents/f/segments/s',
    json: { segment: { content: 'x', enabled: false, regenerate_child_chunks: true } },
    answer: segmentAnswer,
  },
  'segments.delete': {
    call: (c) => c.segments.delete(place, 's', never),
    asks: 'DELETE /v1/datasets/d/documents/f/segments/s',
    answer: done,
  },
  'childChunks.list': {
    call: (c) => c.childChunks.list(segmentPlace, { page: 1, limit: 20, keyword: 'x' }, never),
    asks: 'GET /v1/datasets/d/documents/f/segments/s/child_chunks?page=1&limit=20&keyword=x',
    answer: page,
  },
  'childChunks.create': {
    call: (c) => c.childChunks.create(segmentPlace, 'x', never),
    asks: 'POST /v1/datasets/d/documents/f/segments/s/child_chunks',
    json: { content: 'x' },
    answer: segmentAnswer,
  },
  'childChunks.update': {
    call: (c) => c.childChunks.update(segmentPlace, 'k', 'x', never),
    asks: 'PATCH /v1/datasets/d/documents/f/segments/s/child_chunks/k',
    json: { content: 'x' },
    answer: segmentAnswer,
  },
  'childChunks.delete': {
    call: (c) => c.childChunks.delete(segmentPlace, 'k', never),
    asks: 'DELETE /v1/datasets/d/documents/f/segments/s/child_chunks/k',
    answer: done,
  },
  'metadata.list': {
    call: (c) => c.metadata.list('d', never),
    asks: 'GET /v1/datasets/d/metadata',
    answer: { json: { doc_metadata: [], built_in_field_enabled: true } },
  },
  'metadata.create': {
    call: (c) => c.metadata.create('d', { name: 'path', type: 'string' }, never),
    asks: 'POST /v1/datasets/d/metadata',
    json: { type: 'string', name: 'path' },
    answer: { status: 201, json: { id: 'm', name: 'path', type: 'string' } },
  },
  'metadata.rename': {
    call: (c) => c.metadata.rename('d', 'm', 'x', never),
    asks: 'PATCH /v1/datasets/d/metadata/m',
    json: { name: 'x' },
    answer: { json: { id: 'm', name: 'x', type: 'string' } },
  },
  'metadata.delete': {
    call: (c) => c.metadata.delete('d', 'm', never),
    asks: 'DELETE /v1/datasets/d/metadata/m',
    answer: done,
  },
  'metadata.builtIn': {
    call: (c) => c.metadata.builtIn('d', never),
    asks: 'GET /v1/datasets/d/metadata/built-in',
    answer: { json: { fields: [] } },
  },
  'metadata.setBuiltIn': {
    call: (c) => c.metadata.setBuiltIn('d', false, never),
    asks: 'POST /v1/datasets/d/metadata/built-in/disable',
    answer: done,
  },
  'tags.list': { call: (c) => c.tags.list(never), asks: 'GET /v1/datasets/tags', answer: { json: [] } },
  'tags.create': {
    call: (c) => c.tags.create('t', never),
    asks: 'POST /v1/datasets/tags',
    json: { name: 't' },
    answer: { json: { id: 't', name: 't', type: 'knowledge', binding_count: 0 } },
  },
  'tags.rename': {
    call: (c) => c.tags.rename('t', 'u', never),
    asks: 'PATCH /v1/datasets/tags',
    json: { tag_id: 't', name: 'u' },
    answer: { json: { id: 't', name: 'u' } },
  },
  'tags.delete': {
    call: (c) => c.tags.delete('t', never),
    asks: 'DELETE /v1/datasets/tags',
    json: { tag_id: 't' },
    answer: done,
  },
  'tags.bind': {
    call: (c) => c.tags.bind('d', ['t', 'u'], never),
    asks: 'POST /v1/datasets/tags/binding',
    json: { tag_ids: ['t', 'u'], target_id: 'd' },
    answer: done,
  },
  'tags.unbind': {
    call: (c) => c.tags.unbind('d', 't', never),
    asks: 'POST /v1/datasets/tags/unbinding',
    json: { tag_id: 't', target_id: 'd' },
    answer: done,
  },
  'tags.of': { call: (c) => c.tags.of('d', never), asks: 'GET /v1/datasets/d/tags', answer: page },
  models: {
    call: (c) => c.models('text-embedding', never),
    asks: 'GET /v1/workspaces/current/models/model-types/text-embedding',
    answer: page,
  },
};

function asked(answers: readonly Answer[]) {
  const fake = fakePlatform(answers);
  return { client: createPlatformClient(fake.context), requests: fake.asked, log: fake.log };
}

describe('createPlatformClient', () => {
  for (const [name, { call, asks, json, answer = {} }] of Object.entries(rows)) {
    it(`sends ${name} exactly`, async () => {
      const { client, requests } = asked([answer]);
      await call(client);
      assert.equal(requests.length, 1);
      assert.equal(`${requests[0]?.method} ${requests[0]?.path.replace('/base', '')}`, asks);
      assert.deepEqual(requests[0]?.json, json);
    });
  }

  it('sends a file as two parts, the first of them a text field', async () => {
    const { client, requests } = asked([accepted]);
    await client.documents.createByFile('d', file, highQuality, never);
    const [before = '', data = '', contents = '', after = ''] = requests[0]!.body.split(/--+[\da-f]{24}/);
    assert.deepEqual([before, after], ['', '--\r\n']);
    const [head, json = ''] = data.split('\r\n\r\n');
    assert.equal(head, '\r\nContent-Disposition: form-data; name="data"\r\nContent-Type: text/plain');
    assert.deepEqual(JSON.parse(json), {
      indexing_technique: 'high_quality',
      process_rule: highQuality.processRule,
      doc_form: 'text_model',
      embedding_model: 'm',
      embedding_model_provider: 'p',
    });
    assert.match(contents, /name="file"; filename="a.md"\r\n/);
  });

  it('sends a file again, from its beginning, in the words of the server', async () => {
    const refused = refusal(400, 'invalid_param', 'Indexing technique is invalid');
    const { client, requests } = asked([refused, accepted]);
    await client.documents.createByFile('d', file, economical, never);
    const [first, second] = requests.map(({ body }) => body);
    assert.match(first!, /"indexing_technique":"economical"[^]*\r\n\r\nhi\r\n/);
    assert.match(second!, /"indexing_technique":"economy"[^]*\r\n\r\nhi\r\n/);
  });

  it('says what a file without a message may have been refused for', async () => {
    const { client } = asked([refusal(400, 'invalid_param', '')]);
    await assert.rejects(client.documents.createByFile('d', file, economical, never), /15 MB/);
  });

  it('lists the knowledge bases of all pages, and ends when a page has nothing new', async () => {
    const pageOf = (ids: string[], has_more: boolean): Answer => ({
      json: { data: ids.map((id) => ({ id, name: id })), has_more },
    });
    const ids = async (...answers: Answer[]) => {
      const { client, requests } = asked(answers);
      const datasets = await client.datasets.list(never);
      return [datasets.map(({ id }) => id).join(''), requests.length];
    };
    assert.deepEqual(await ids(pageOf(['a', 'b'], true), pageOf(['c'], false)), ['abc', 2]);
    assert.deepEqual(await ids(pageOf(['a'], true), pageOf([], false)), ['a', 2]);
    // A server that ignores the page's number.
    assert.deepEqual(await ids(pageOf(['a'], true)), ['a', 2]);
  });

  describe('on an old server', () => {
    it('finds a record in its list', async () => {
      const list = {
        json: {
          data: [
            { id: 'x', name: 'x' },
            { id: 'd', name: 'y' },
            { id: 'f', name: 'z' },
          ],
        },
      };
      const found = async (call: (client: PlatformClient) => Promise<{ id: string }>) =>
        (await call(asked([{ ...htmlMissing, status: 405 }, list]).client)).id;
      assert.equal(await found((client) => client.datasets.get('d', never)), 'd');
      assert.equal(await found((client) => client.documents.get('d', 'f', never)), 'f');
      assert.equal(await found((client) => client.segments.get(place, 'f', never)), 'f');
    });

    it('says that a record is gone when its list lacks it, too', async () => {
      const { client } = asked([htmlMissing, page]);
      await assert.rejects(
        client.documents.get('d', 'f', never),
        (error) => error instanceof SwitchboardError && error.status === 404 && !isMissingOnServer(error),
      );
    });

    it('says what it lacks', async () => {
      for (const call of [
        (client: PlatformClient) => client.metadata.list('d', never),
        (client: PlatformClient) => client.tags.list(never),
        (client: PlatformClient) => client.documents.setStatus('d', ['f'], 'enable', never),
        (client: PlatformClient) => client.documents.downloadUrl('d', 'f', never),
        (client: PlatformClient) => client.documents.downloadArchive('d', ['f'], never).next(),
        (client: PlatformClient) => client.childChunks.create(segmentPlace, 'x', never),
        (client: PlatformClient) => client.datasets.update('d', {}, never),
      ]) {
        await assert.rejects(call(asked([htmlMissing]).client), isMissingOnServer);
      }
    });

    it('has no models to tell, and searches by the old path', async () => {
      assert.deepEqual(await asked([htmlMissing]).client.models('rerank', never), []);
      const { client, requests } = asked([htmlMissing, { json: { records: [] } }]);
      assert.deepEqual(await client.datasets.retrieve('d', { query: 'x' }, never), []);
      assert.equal(requests[1]?.path, '/base/v1/datasets/d/hit-testing');
    });
  });

  it('knows a wrong address from an old server', async () => {
    const { client } = asked([htmlMissing]);
    await assert.rejects(
      client.datasets.list(never),
      (error) => error instanceof SwitchboardError && error.code === 'wrong-address',
    );
  });

  it('takes an unknown batch for a document that moved on, but no unknown knowledge base', async () => {
    const unknown = asked([refusal(404, 'not_found', 'Documents not found.')]);
    assert.equal(await unknown.client.documents.indexingStatus('d', 'b', never), undefined);
    const none = asked([]);
    assert.equal(await none.client.documents.indexingStatus('d', '', never), undefined);
    assert.equal(none.requests.length, 0);
    for (const answer of [refusal(404, 'not_found', 'Dataset not found.'), htmlMissing]) {
      await assert.rejects(
        asked([answer]).client.documents.indexingStatus('d', 'b', never),
        SwitchboardError,
      );
    }
  });

  it('gives only web addresses as downloads', async () => {
    const url = (given: unknown) =>
      asked([{ json: { url: given } }]).client.documents.downloadUrl('d', 'f', never);
    assert.equal(await url('/files/1?sign=x'), 'https://platform.example/files/1?sign=x');
    for (const odd of ['javascript:alert(1)', 'file:///etc/passwd', 7, null]) {
      await assert.rejects(url(odd), SwitchboardError);
    }
  });

  it('sends no request for an id that would lead elsewhere', async () => {
    const { client, requests } = asked([done]);
    await assert.rejects(async () => client.documents.delete('d', '..', never), SwitchboardError);
    await assert.rejects(async () => client.datasets.delete('', never), SwitchboardError);
    assert.equal(requests.length, 0);
  });

  it('keeps the other values of a document, also on servers that replace them all', async () => {
    const document = {
      id: 'f',
      name: 'a',
      doc_metadata: [
        { id: 'm1', name: 'path', type: 'string', value: 'old' },
        { id: 'm2', name: 'year', type: 'number', value: 2020 },
        { id: 'built-in', name: 'uploader', type: 'string', value: 'somebody' },
      ],
    };
    const { client, requests } = asked([{ json: document }, { json: { result: 'success' } }]);
    const value = { id: 'm1', name: 'path', value: 'new' };
    await client.metadata.setValues('d', [{ documentId: 'f', values: [value] }], never);
    assert.equal(requests[1]?.path, '/base/v1/datasets/d/documents/metadata');
    assert.deepEqual(requests[1]?.json, {
      operation_data: [
        {
          document_id: 'f',
          metadata_list: [value, { id: 'm2', name: 'year', value: 2020 }],
          partial_update: true,
        },
      ],
    });
  });

  it('shows nowhere the key that a server repeats', async () => {
    const key = 'dataset-averysecretkey';
    const segment = { id: 's', content: `so ${key}`, answer: key, keywords: [key], error: key };
    const record = { id: 'f', name: `${key}.md`, error: key, indexing_status: 'error' };
    const calls: [Answer, (client: PlatformClient) => Promise<unknown>][] = [
      [{ json: { data: [{ id: 'd', name: key, description: key }] } }, (c) => c.datasets.list(never)],
      [{ json: record }, (c) => c.documents.get('d', 'f', never)],
      [{ json: { data: segment } }, (c) => c.segments.get(place, 's', never)],
      [
        { json: { query: {}, records: [{ segment: { ...segment, document: record }, score: 1 }] } },
        (c) => c.datasets.retrieve('d', { query: 'q' }, never),
      ],
      [
        { status: 400, json: { code: key, message: key, params: key, status: 400 } },
        (c) => c.tags.list(never),
      ],
    ];
    for (const [answer, use] of calls) {
      const { client, log } = asked([answer]);
      const shown = await use(client).catch((error: SwitchboardError) => [error.message, error]);
      const text = JSON.stringify([shown, log]);
      assert.ok(text.includes('***') && !text.includes('averysecretkey'), text);
    }
  });
});
