import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPlatformClient } from '../../../src/platform/platformClient.ts';
import type { Dataset } from '../../../src/platform/records.ts';
import { readSearchSettings, type SearchSettings } from '../../../src/platform/searchSettings.ts';
import { readFound } from '../../../src/platform/retrieve.ts';
import { fakePlatform } from './fakePlatform.ts';

const never = new AbortController().signal;
const dataset: Dataset = {
  id: 'd',
  name: 'Docs',
  description: '',
  isExternal: false,
  documentCount: 1,
  wordCount: 1,
  tags: [],
};

async function sent(query: string, topK?: number, own?: Partial<Dataset>, settings?: SearchSettings) {
  const { context, asked } = fakePlatform([{ json: { records: [] } }]);
  await createPlatformClient(context).datasets.retrieve(
    'd',
    { query, topK, dataset: { ...dataset, ...own }, settings },
    never,
  );
  return asked[0]?.json as { query: string; retrieval_model?: object; external_retrieval_model?: object };
}

describe('retrieve', () => {
  it('cuts the query to 250 characters and no character in two', async () => {
    assert.equal((await sent('a'.repeat(251))).query, 'a'.repeat(250));
    assert.equal((await sent('😀'.repeat(300))).query, '😀'.repeat(250));
    assert.equal((await sent(`a${'😀'.repeat(300)}`)).query, `a${'😀'.repeat(249)}`);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 600 }), async (query) => {
        const cut = (await sent(query)).query;
        assert.ok(query.startsWith(cut));
        assert.equal(Array.from(cut).length, Math.min(250, Array.from(query).length));
      }),
    );
  });

  it("sends no settings unless a number is asked for: the knowledge base's own hold", async () => {
    assert.deepEqual(await sent('x'), { query: 'x' });
  });

  it("sends the knowledge base's own settings whole, with the number", async () => {
    const retrievalModel = {
      search_method: 'hybrid_search',
      reranking_enable: true,
      reranking_mode: 'weighted_score',
      weights: { a: 1 },
      reranking_model: null,
      top_k: 2,
      score_threshold_enabled: true,
      score_threshold: 0.5,
    };
    assert.deepEqual((await sent('x', 7, { technique: 'high_quality', retrievalModel })).retrieval_model, {
      search_method: 'hybrid_search',
      reranking_enable: true,
      reranking_mode: 'weighted_score',
      weights: { a: 1 },
      top_k: 7,
      score_threshold_enabled: true,
      score_threshold: 0.5,
    });
  });

  it('fills in what is required when the knowledge base does not tell', async () => {
    const settings = async (own: Partial<Dataset>) => (await sent('x', 5, own)).retrieval_model;
    const filled = { reranking_enable: false, top_k: 5, score_threshold_enabled: false };
    assert.deepEqual(await settings({}), { search_method: 'keyword_search', ...filled });
    assert.deepEqual(await settings({ technique: 'high_quality' }), {
      search_method: 'semantic_search',
      ...filled,
    });
    // An economical record may still carry the default of the others.
    const retrievalModel = { search_method: 'semantic_search' };
    assert.deepEqual(await settings({ technique: 'economical', retrievalModel }), {
      search_method: 'keyword_search',
      ...filled,
    });
  });

  it('sends what is set here in place of what the knowledge base has set', async () => {
    const own: Partial<Dataset> = {
      ...{ technique: 'high_quality', embeddingModel: 'e5', embeddingModelProvider: 'acme' },
      retrievalModel: {
        ...{ search_method: 'semantic_search', reranking_enable: true, score_threshold_enabled: false },
        reranking_model: { reranking_provider_name: 'p', reranking_model_name: 'm' },
      },
    };
    const model = async (settings: SearchSettings, more: Partial<Dataset> = own) =>
      (await sent('x', 4, more, settings)).retrieval_model as Record<string, unknown>;
    assert.deepEqual(
      await model({
        method: 'hybrid_search',
        reranking: { type: 'weights', semantic: 0.7 },
        scoreThreshold: 0.4,
      }),
      {
        ...{ ...own.retrievalModel, search_method: 'hybrid_search', top_k: 4, reranking_enable: false },
        ...{ reranking_mode: 'weighted_score', score_threshold_enabled: true, score_threshold: 0.4 },
        weights: {
          weight_type: 'customized',
          vector_setting: {
            vector_weight: 0.7,
            embedding_provider_name: 'acme',
            embedding_model_name: 'e5',
          },
          keyword_setting: { keyword_weight: 0.3 },
        },
      },
    );
    const reranked = await model({
      reranking: { type: 'model', provider: 'q', model: 'n' },
      scoreThreshold: 0,
    });
    assert.deepEqual(reranked['reranking_model'], {
      reranking_provider_name: 'q',
      reranking_model_name: 'n',
    });
    assert.equal(reranked['reranking_mode'], 'reranking_model');
    assert.deepEqual([reranked['reranking_enable'], reranked['score_threshold_enabled']], [true, false]);
    assert.equal((await model({ reranking: { type: 'none' } }))['reranking_enable'], false);
    const filter = {
      match: 'any' as const,
      conditions: [
        { name: 'owner', comparison: 'is', value: 'Ann' },
        { name: 'year', comparison: 'empty' },
      ],
    };
    assert.deepEqual((await model({ filter }))['metadata_filtering_conditions'], {
      logical_operator: 'or',
      conditions: [
        { name: 'owner', comparison_operator: 'is', value: 'Ann' },
        { name: 'year', comparison_operator: 'empty' },
      ],
    });
    // An economical index only accepts the filter.
    const settings: SearchSettings = { method: 'hybrid_search', scoreThreshold: 0.4, filter };
    const economical = await model(settings, { technique: 'economical' });
    assert.deepEqual(
      [
        economical['search_method'],
        economical['score_threshold'],
        'metadata_filtering_conditions' in economical,
      ],
      ['keyword_search', undefined, true],
    );
  });

  it('reads of stored settings what can be read', () => {
    assert.equal(readSearchSettings(undefined), undefined);
    assert.equal(readSearchSettings({}), undefined);
    assert.equal(
      readSearchSettings({ method: 'telepathy', scoreThreshold: 7, filter: { match: 'all' } }),
      undefined,
    );
    assert.deepEqual(
      readSearchSettings({ method: 'hybrid_search', reranking: { type: 'weights', semantic: 2 } }),
      {
        method: 'hybrid_search',
        reranking: undefined,
      },
    );
  });

  it('asks an external knowledge base in its own way', async () => {
    assert.deepEqual(await sent('x', 5, { isExternal: true }), {
      query: 'x',
      external_retrieval_model: { top_k: 5, score_threshold_enabled: false },
    });
  });

  it('reads the knowledge base first when it needs its settings', async () => {
    const { context, asked } = fakePlatform([
      { json: { id: 'd', name: 'Docs', indexing_technique: 'high_quality' } },
      { json: { records: [] } },
    ]);
    await createPlatformClient(context).datasets.retrieve('d', { query: 'x', topK: 1 }, never);
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['/base/v1/datasets/d', '/base/v1/datasets/d/retrieve'],
    );
  });

  it('reads what was found, whatever is missing', () => {
    const found = readFound({
      query: 'x',
      records: [
        {
          score: 0.8,
          segment: {
            id: 's',
            content: 'Run npm ci.',
            document: { id: 'f', name: 'app∕docs∕ci.md' },
            keywords: null,
          },
          child_chunks: [{ id: 'k', content: 'npm', score: 0.9 }, { content: 'no id' }],
        },
        {
          score: null,
          segment: { id: 't', document_id: 'g', content: null, document: null },
          child_chunks: null,
        },
        { score: 1 },
        null,
      ],
    });
    assert.deepEqual(found, [
      {
        segment: { id: 's', documentId: 'f', content: 'Run npm ci.', keywords: [], isEnabled: true },
        documentName: 'app/docs/ci.md',
        score: 0.8,
        childChunks: [{ id: 'k', content: 'npm', score: 0.9 }],
      },
      {
        segment: { id: 't', documentId: 'g', content: '', keywords: [], isEnabled: true },
        documentName: '',
        childChunks: [],
      },
    ]);
  });
});
