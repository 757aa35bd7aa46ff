import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeModels } from '../../../../src/relay/list/modelOverrides.ts';
import { readModels } from '../../../../src/relay/list/readModels.ts';

describe('readModels', () => {
  it("reads new-api's list once each, in its order, and tells what is not for chat", () => {
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
      models?.map(({ id, kind = 'chat' }) => `${id}: ${kind}`),
      [
        ...['gpt-4.1: chat', 'claude: chat', 'text-embedding-3: other', 'sora: other', 'rerank: other'],
        ...['unknown: chat', 'older: chat'],
      ],
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
      { id: 'x/image', name: 'x/image', vendor: 'x', kind: 'other' },
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

  it('asks by messages only where the list names them before chat completions, or without', () => {
    const served = (types: unknown) =>
      readModels([{ id: 'm', supported_endpoint_types: types }])?.[0]?.protocol;
    assert.equal(served(['anthropic', 'openai']), 'messages');
    assert.equal(served(['gemini', 'anthropic']), 'messages');
    // Measured: a relay behind a relay is listed like this for every model.
    const everything = ['openai', 'openai-response', 'openai-response-compact', 'anthropic', 'gemini'];
    for (const types of [everything, ['openai'], [], 'anthropic', null, undefined]) {
      assert.equal(served(types), undefined, String(types));
    }
  });

  it('concludes nothing but the kind from a name', () => {
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

describe('the kind of a model', () => {
  const kind = (entry: object) => readModels([entry])?.[0]?.kind ?? 'chat';

  it("is decided by LiteLLM's mode, whatever the id", () => {
    for (const mode of ['chat', 'completion', 'responses']) {
      assert.equal(kind({ id: 'text-embedding-3', mode }), 'chat', mode);
    }
    for (const mode of ['embedding', 'rerank', 'audio_speech', 'image_generation', 'moderation']) {
      assert.equal(kind({ id: 'gpt-5', mode, supported_endpoint_types: ['openai'] }), 'other', mode);
    }
  });

  it('is decided by endpoint types only where none is for chat, or responses is the only one', () => {
    const types = (id: string, ...served: string[]) => kind({ id, supported_endpoint_types: served });
    assert.equal(types('m', 'embeddings'), 'other');
    assert.equal(types('m', 'image-generation', 'openai-video'), 'other');
    assert.equal(types('m', 'jina-rerank', 'openai'), 'chat');
    assert.equal(types('m', 'gemini'), 'chat');
    assert.equal(types('gpt-4o-transcribe', 'openai-response'), 'chat');
    assert.equal(types('gpt-4o-transcribe', 'openai', 'openai-response'), 'other');
    for (const served of [['openai'], ['image-generation', 'openai'], []]) {
      assert.equal(types('dall-e-3', ...served), 'other');
      assert.equal(types('gpt-5', ...served), 'chat');
    }
  });

  it("is decided by OpenRouter's modalities", () => {
    const gives = (output: string[], input = ['text']) =>
      kind({ id: 'whisper', architecture: { input_modalities: input, output_modalities: output } });
    assert.equal(gives(['text']), 'chat');
    assert.equal(gives(['image', 'text']), 'chat');
    assert.equal(gives(['text'], ['audio']), 'other');
    assert.equal(
      kind({ id: 'm', architecture: { output_modalities: ['embeddings'] } }),
      'other',
      'no text at all',
    );
    assert.equal(kind({ id: 'm', architecture: { output_modalities: [] } }), 'chat');
  });

  it('is told by whole words of an id of which nothing else is known', () => {
    const others = [
      ...['text-embedding-3-small', 'text_embedding_v3', 'nomic-embed-text:latest', 'cohere.embed-v4'],
      ...['BAAI/bge-reranker-v2-m3', 'rerank-english-v3.0', 'Whisper-1', 'whisper-large-v3', 'tts-1-hd'],
      ...['gpt-4o-mini-tts', 'gpt-4o-transcribe', 'openai/dall-e-3', 'dalle3', 'gpt-image-1', 'sora-2'],
      ...['veo3.1-fast', 'imagen-4.0', 'stable-diffusion-3', 'omni-moderation-latest', 'wan2.2-t2v-plus'],
      ...['wild/1024-x-1024/gpt-image-1', 'gpt-4o-realtime-preview', 'qwen3-asr-flash', 'kling-v2'],
    ];
    for (const id of others) assert.equal(kind({ id }), 'other', id);
    const chat = [
      ...['embedded-coder', 'embedder', 'gpt-4o-audio-preview', 'gemini-2.5-flash-image', 'kttsx', 'veolia'],
      ...['sora-relay/gpt-4o', 'rerank/gpt-4o', 'whisperer', 'imagenet-captioner', 'whisper-chat'],
      ...['claude-sonnet-5', 'o3', 'fluxion-7b', 'video-llava'],
    ];
    for (const id of chat) assert.equal(kind({ id }), 'chat', id);
  });

  it('is what the settings say before all else, which do not fold what they add', () => {
    const listed = readModels([{ id: 'whisper-1', mode: 'audio_transcription' }, 'gpt-5']) ?? [];
    const merged = mergeModels(listed, [
      { id: 'whisper-1', kind: 'chat' },
      { id: 'gpt-5', kind: 'other' },
      { id: 'tts-1' },
    ]);
    assert.deepEqual(
      merged.map((model) => model.kind),
      ['chat', 'other', undefined],
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
