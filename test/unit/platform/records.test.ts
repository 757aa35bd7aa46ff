import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readChildChunk } from '../../../src/platform/documents/childChunks.ts';
import { readDataset, readTagName } from '../../../src/platform/datasets.ts';
import { readAccepted, readDocument, readProgress } from '../../../src/platform/documents/documentWire.ts';
import { readField } from '../../../src/platform/documents/metadata.ts';
import { readModels } from '../../../src/platform/platformModels.ts';
import { readFound } from '../../../src/platform/retrieve.ts';
import { readSegment } from '../../../src/platform/documents/segments.ts';
import { readTag } from '../../../src/platform/tags.ts';
import { pageOf } from '../../../src/platform/platformWire.ts';
import { silentLog } from '../../support/silentLog.ts';

/** From platform-api.md 7.3. */
const wireDocument = {
  id: 'f3',
  position: 1,
  data_source_type: 'upload_file',
  data_source_info: { upload_file_id: 'u1' },
  data_source_detail_dict: {},
  name: 'ci.md',
  created_at: 1786000000,
  tokens: 0,
  indexing_status: 'waiting',
  error: null,
  enabled: true,
  disabled_at: null,
  archived: false,
  display_status: 'queuing',
  word_count: 0,
  hit_count: 0,
  doc_form: 'text_model',
  doc_metadata: null,
};

describe('readDataset', () => {
  it('reads a whole record', () => {
    assert.deepEqual(
      readDataset({
        id: 'd',
        name: 'Docs',
        description: 'All of it',
        provider: 'vendor',
        indexing_technique: 'high_quality',
        doc_form: 'text_model',
        document_count: 3,
        word_count: 400,
        embedding_model: 'e',
        embedding_model_provider: 'p',
        embedding_available: false,
        retrieval_model_dict: { top_k: 2 },
        tags: [{ id: 't', name: 'one', type: 'knowledge' }, { id: 't2' }],
      }),
      {
        id: 'd',
        name: 'Docs',
        description: 'All of it',
        technique: 'high_quality',
        form: 'text_model',
        isExternal: false,
        documentCount: 3,
        wordCount: 400,
        embeddingModel: 'e',
        embeddingModelProvider: 'p',
        isEmbeddingAvailable: false,
        retrievalModel: { top_k: 2 },
        tags: [{ id: 't', name: 'one' }],
      },
    );
  });

  it('reads one of which all but id and name are null or missing', () => {
    const bare = {
      id: 'd',
      name: 'Docs',
      description: '',
      isExternal: false,
      wordCount: 0,
      tags: [],
    };
    assert.deepEqual(readDataset({ id: 'd', name: 'Docs' }), bare);
    const nulls = [
      'description',
      'provider',
      'indexing_technique',
      'doc_form',
      'document_count',
      'word_count',
    ];
    const others = ['embedding_model', 'embedding_available', 'retrieval_model_dict', 'tags'];
    const nulled = Object.fromEntries([...nulls, ...others].map((name) => [name, null]));
    assert.deepEqual(readDataset({ ...nulled, id: 'd', name: 'Docs' }), bare);
  });

  it('takes both words for economical, and none for what is not known', () => {
    const technique = (word: string) =>
      readDataset({ id: 'd', name: 'x', indexing_technique: word })?.technique;
    assert.equal(technique('economy'), 'economical');
    assert.equal(technique('economical'), 'economical');
    assert.equal(technique('newer'), undefined);
    assert.equal(readDataset({ id: 'd', name: 'x', doc_form: 'newer_model' })?.form, undefined);
    const newer = { permission: 'newer_members', partial_member_list: [1] };
    assert.deepEqual(readDataset({ id: 'd', name: 'x', ...newer }), readDataset({ id: 'd', name: 'x' }));
  });

  it('refuses what has no id or name', () => {
    for (const odd of [undefined, null, [], {}, { id: '', name: 'x' }, { id: 1, name: 'x' }, { id: 'd' }]) {
      assert.equal(readDataset(odd), undefined);
    }
  });
});

describe('readDocument', () => {
  it('reads a whole record', () => {
    assert.deepEqual(readDocument(wireDocument), {
      id: 'f3',
      name: 'ci.md',
      position: 1,
      state: 'waiting',
      display: 'queuing',
      isEnabled: true,
      isArchived: false,
      wordCount: 0,
      tokens: 0,
      hitCount: 0,
      form: 'text_model',
      uploadFileId: 'u1',
      createdAtMs: 1786000000000,
      metadata: [],
    });
  });

  it('finds the file in either place, and the values of metadata', () => {
    const document = readDocument({
      id: 'f',
      data_source_detail_dict: { upload_file: { id: 'u2', name: 'x' } },
      doc_metadata: [
        { id: 'm', name: 'path', type: 'string', value: 'a/b' },
        { id: 'n', name: 'year', value: 2020 },
        { id: 'o', name: 'odd', value: { a: 1 } },
        { name: 'no id' },
      ],
    });
    assert.equal(document?.uploadFileId, 'u2');
    assert.deepEqual(document?.metadata, [
      { id: 'm', name: 'path', type: 'string', value: 'a/b' },
      { id: 'n', name: 'year', value: 2020 },
      { id: 'o', name: 'odd', value: null },
    ]);
  });

  it('calls the states of newer servers unknown', () => {
    const document = readDocument({ id: 'f', indexing_status: 'dreaming', display_status: 5 });
    assert.deepEqual([document?.state, document?.display], ['unknown', 'unknown']);
  });

  it('reads an accepted document also without a batch', () => {
    assert.equal(readAccepted({ document: wireDocument, batch: 'b1' })?.batch, 'b1');
    assert.equal(readAccepted({ document: wireDocument })?.batch, '');
    assert.equal(readAccepted({ batch: 'b1' }), undefined);
  });

  it('reads progress', () => {
    assert.deepEqual(
      readProgress({
        id: 'f',
        indexing_status: 'error',
        error: 'No.',
        completed_segments: 1,
        total_segments: null,
      }),
      { documentId: 'f', state: 'error', error: 'No.', completedSegments: 1 },
    );
  });
});

describe('readModels', () => {
  it('makes one list of all providers', () => {
    assert.deepEqual(
      readModels({
        data: [
          {
            provider: 'p',
            status: 'active',
            models: [
              { model: 'a', label: { en_US: 'Model A', zh_Hans: '模型' }, status: 'active' },
              { model: 'b', label: null, status: 'no-configure' },
              { label: 'nameless' },
            ],
          },
          { provider: 'q', status: 'active', models: [{ model: 'c' }] },
          { provider: 'r', models: null },
          null,
        ],
      }),
      [
        { provider: 'p', model: 'a', label: 'Model A', isActive: true },
        { provider: 'p', model: 'b', label: 'b', isActive: false },
        { provider: 'q', model: 'c', label: 'c', isActive: true },
      ],
    );
  });
});

describe('pageOf', () => {
  const read = pageOf(readTag, silentLog);

  it('leaves out records that cannot be read, and says so', () => {
    const said: string[] = [];
    const page = pageOf(readTag, { ...silentLog, warn: (message) => said.push(message) })({
      data: [{ id: 'a', name: 'secret' }, { id: 'b' }, null, 7],
      has_more: true,
      total: 9,
    });
    assert.deepEqual(page, { items: [{ id: 'a', name: 'secret' }], hasMore: true, total: 9 });
    assert.deepEqual(said, ['Left out 3 of 4 records that cannot be read']);
  });

  it('knows whether there is more in whatever way it is told', () => {
    const more = (paging: object) => read({ data: [], ...paging })?.hasMore;
    assert.equal(more({ has_more: false, page: 1, total_pages: 2 }), false);
    assert.equal(more({ page: 1, total_pages: 2 }), true);
    assert.equal(more({ page: 2, total_pages: 2 }), false);
    assert.equal(more({ page: 1, limit: 20, total: 21 }), true);
    // Old servers return everything at once, with only the number.
    assert.equal(more({ total: 45 }), false);
    assert.equal(more({ has_more: 'yes' }), false);
  });

  it('reads a bare list, and null as an empty one, but nothing else', () => {
    assert.equal(read([{ id: 'a', name: 'x' }])?.items.length, 1);
    assert.deepEqual(read({ data: null })?.items, []);
    for (const odd of [undefined, {}, { data: 'x' }, 7]) assert.equal(read(odd), undefined);
  });
});

describe('readTag', () => {
  it('reads how many knowledge bases have it, also as the text that 1.16 sends', () => {
    const of = (binding: unknown) => readTag({ id: 'a', name: 'x', binding_count: binding })?.bindingCount;
    assert.deepEqual([of(2), of('2'), of('0')], [2, 2, 0]);
    assert.deepEqual([of('two'), of('-1'), of(-1), of('9'.repeat(400)), of(null)], Array(5).fill(undefined));
  });
});

describe('all readers', () => {
  const readers = [
    readDataset,
    readTagName,
    readDocument,
    readAccepted,
    readProgress,
    readSegment,
    readChildChunk,
    readField,
    readTag,
    readFound,
    readModels,
    pageOf(readDocument, silentLog),
  ];
  const keys = [
    ...Object.keys(wireDocument),
    ...[
      'data',
      'document',
      'records',
      'segment',
      'models',
      'tags',
      'keywords',
      'child_chunks',
      'upload_file',
    ],
    ...['batch', 'content', 'total', 'page', 'limit', 'label', 'value'],
  ];

  it('never throw, whatever JSON comes', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(null, '', 'x', 'completed', 0, -1, 1e308, true, [], {}),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 8 }),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(value, fc.jsonValue()), (json) => {
        for (const read of readers) read(json);
      }),
      { numRuns: 1000 },
    );
  });
});
