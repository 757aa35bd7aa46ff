import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeModels, readModels } from '../../../src/relay/models.ts';

describe('readModels', () => {
  it("reads new-api's list: chat candidates only, once each, in its order", () => {
    const entry = (id: string, types?: unknown) => ({
      id,
      object: 'model',
      created: 1626777600,
      owned_by: 'openai',
      supported_endpoint_types: types,
    });
    const models = readModels({
      success: true,
      object: 'list',
      data: [
        entry('gpt-4.1', ['openai', 'openai-response']),
        entry('claude', ['anthropic']),
        entry('text-embedding-3', ['embeddings']),
        entry('sora', ['openai-video']),
        entry('rerank', ['jina-rerank']),
        entry('unknown', null),
        entry('older'),
        entry('gpt-4.1', ['openai']),
      ],
    });
    assert.deepEqual(
      models?.map(({ id }) => id),
      ['gpt-4.1', 'claude', 'unknown', 'older'],
    );
    assert.deepEqual(models?.[0], { id: 'gpt-4.1', name: 'gpt-4.1', vendor: 'openai' });
  });

  it("reads OpenRouter's fields", () => {
    const models = readModels({
      data: [
        {
          id: 'openai/gpt-4.1',
          name: 'OpenAI: GPT-4.1',
          context_length: 1047576,
          top_provider: { context_length: 1000000, max_completion_tokens: 32768 },
          architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
          supported_parameters: ['tools', 'temperature'],
        },
        { id: 'x/image', architecture: { output_modalities: ['image'] } },
      ],
    });
    assert.deepEqual(models, [
      {
        id: 'openai/gpt-4.1',
        name: 'OpenAI: GPT-4.1',
        vendor: 'openai',
        contextWindow: 1047576,
        maxTokens: 32768,
        toolCalling: true,
        vision: true,
        reasoning: false,
      },
    ]);
  });

  it("reads LiteLLM's limits, and the other names of a window", () => {
    const read = (fields: object) => readModels({ data: [{ id: 'm', ...fields }] })?.[0];
    assert.equal(read({ max_input_tokens: 10, max_output_tokens: 5 })?.contextWindow, 10);
    assert.equal(read({ max_input_tokens: 10, max_output_tokens: 5 })?.maxTokens, 5);
    assert.equal(read({ max_model_len: 7 })?.contextWindow, 7);
    assert.equal(read({ context_window: 8, max_input_tokens: 9 })?.contextWindow, 8);
    assert.equal(read({ context_length: null, context_window: 8 })?.contextWindow, 8);
    assert.equal(read({ context_length: '8k' })?.contextWindow, undefined);
  });

  it('concludes nothing from a name', () => {
    assert.deepEqual(readModels({ data: [{ id: 'gpt-4o-vision-thinking-128k' }] }), [
      { id: 'gpt-4o-vision-thinking-128k', name: 'gpt-4o-vision-thinking-128k' },
    ]);
  });

  it('tells an empty list from no list', () => {
    assert.deepEqual(readModels({ data: [] }), []);
    assert.deepEqual(readModels({ object: 'list', data: null }), []);
    for (const body of [{ success: false, message: 'x' }, { data: null }, {}, null, 'x', 3, undefined]) {
      assert.equal(readModels(body), undefined);
    }
    assert.deepEqual(
      readModels(['a', 'b'])?.map(({ id }) => id),
      ['a', 'b'],
    );
  });

  it('survives any JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (data) => {
        for (const model of readModels({ data }) ?? []) assert.ok(model.id);
      }),
    );
  });
});

describe('mergeModels', () => {
  const listed = [
    { id: 'a', name: 'A', vendor: 'v', contextWindow: 10, vision: true },
    { id: 'b', name: 'b' },
  ];

  it('lets settings win where they say something, and appends what only they know', () => {
    const merged = mergeModels(listed, [
      { id: 'a', contextWindow: 20, name: undefined, vision: false },
      { id: 'x/c', toolCalling: true },
      { id: 'x/c', maxTokens: 5, name: 'C' },
    ]);
    assert.deepEqual(merged, [
      { id: 'a', name: 'A', vendor: 'v', contextWindow: 20, vision: false },
      { id: 'b', name: 'b' },
      { id: 'x/c', name: 'C', vendor: 'x', toolCalling: true, maxTokens: 5 },
    ]);
  });

  it('changes nothing without overrides, nor its arguments', () => {
    assert.deepEqual(mergeModels(listed, []), listed);
    mergeModels(listed, [{ id: 'a', contextWindow: 1 }]);
    assert.equal(listed[0]?.contextWindow, 10);
  });
});
