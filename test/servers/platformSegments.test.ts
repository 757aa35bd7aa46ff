import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Accepted, answer, type ErrorAnswer, PlatformCalls } from './platform/platformCalls.ts';
import type { PlatformOptions } from './platform/platformOptions.ts';
import { countTextTokens, splitText } from './platform/splitText.ts';
import { type PlatformServer, startPlatform } from './sandbox.ts';

interface Segment {
  id: string;
  position: number;
  content: string;
  enabled: boolean;
  keywords: string[];
  child_chunks: { id: string; content: string; position: number }[];
}

interface SegmentList {
  data: Segment[];
  doc_form: string;
  total: number;
  has_more: boolean;
}

const hierarchical = {
  doc_form: 'hierarchical_model',
  process_rule: {
    mode: 'hierarchical',
    rules: {
      pre_processing_rules: [],
      parent_mode: 'paragraph',
      segmentation: { separator: '\n\n', max_tokens: 1200 },
      subchunk_segmentation: { separator: '\n', max_tokens: 300 },
    },
  },
};

function custom(segmentation: object, cleaning: object[] = []): object {
  return { process_rule: { mode: 'custom', rules: { pre_processing_rules: cleaning, segmentation } } };
}

describe('sandbox platform: segments and search', () => {
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

  const segmentsOf = (name: string): string[] =>
    platform.datasets[0]?.documents.find((document) => document.name === name)?.segments ?? [];

  async function segmentsPath(name: string, text: string, more?: object): Promise<string> {
    const { document } = await calls.indexed(dataset, name, text, more);
    return `/datasets/${dataset}/documents/${document.id}/segments`;
  }

  describe('cutting', () => {
    it('cuts into 500 tokens by itself, and lets neighbours overlap', async () => {
      const words = Array.from({ length: 1200 }, (_, index) => `word${index}`);
      await calls.indexed(dataset, 'long.md', words.join(' '));
      const segments = segmentsOf('long.md');
      assert.equal(segments.length, 3);
      assert.equal(segments[0]?.split(' ').length, 500);
      assert.equal(segments[1]?.split(' ')[0], 'word450');
      assert.match(segments[2] ?? '', /word1199$/);
    });

    it('cuts at the separator of the rules, also when it is typed as \\n', async () => {
      await calls.indexed(
        dataset,
        'a.md',
        'One\nTwo\n\nThree',
        custom({ separator: '\\n', max_tokens: 100 }),
      );
      assert.deepEqual(segmentsOf('a.md'), ['One', 'Two', 'Three']);
    });

    it('cuts again what is too long, without losing a character', async () => {
      const text = '海'.repeat(130);
      await calls.indexed(dataset, 'a.md', text, custom({ separator: '\n', max_tokens: 50 }));
      assert.deepEqual(
        segmentsOf('a.md').map(({ length }) => length),
        [50, 50, 30],
      );
    });

    it('loses nothing but white space and keeps to the limit, whatever the text', () => {
      const word = fc.string({
        unit: fc.constantFrom('a', '海', '😀', '.', '。', ' ', '\n\n', 'wordwordwordword'),
      });
      const bare = (text: string): string => text.replace(/\s/gu, '');
      fc.assert(
        fc.property(word, fc.integer({ min: 2, max: 9 }), (text, maxTokens) => {
          const segments = splitText(text, undefined, maxTokens);
          assert.equal(bare(segments.join('')), bare(text));
          for (const segment of segments) assert.ok(countTextTokens(segment) <= maxTokens);
        }),
      );
    });

    it('cleans as the rules say, and otherwise leaves indentation alone', async () => {
      const cleaning = [
        { id: 'remove_extra_spaces', enabled: true },
        { id: 'remove_urls_emails', enabled: true },
      ];
      const text = 'if  a:\n    b  # https://example.com/x me@example.com';
      await calls.indexed(dataset, 'clean.md', text, custom({ separator: '###', max_tokens: 100 }, cleaning));
      assert.deepEqual(segmentsOf('clean.md'), ['if a:\n b #']);
      await calls.indexed(dataset, 'raw.md', text, custom({ separator: '###', max_tokens: 100 }));
      assert.deepEqual(segmentsOf('raw.md'), [text]);
    });

    it('fails while indexing when segments are out of bounds', async () => {
      const { batch } = await answer<Accepted>(
        calls.createByText(dataset, 'a.md', 'Text', custom({ separator: '\n', max_tokens: 4001 })),
      );
      const { indexing_status: status, error } = await calls.status(dataset, batch);
      assert.equal(status, 'error');
      assert.equal(error, 'Custom segment length should be between 50 and 4000.');
    });

    for (const [what, rule, message] of [
      ['an unknown mode', { mode: 'magic' }, 'Process rule mode is invalid'],
      ['no rules', { mode: 'custom' }, 'Process rule rules is required'],
      [
        'no segmentation',
        { mode: 'custom', rules: { pre_processing_rules: [] } },
        'Process rule segmentation is required',
      ],
    ] as const) {
      it(`refuses rules with ${what}`, async () => {
        const response = await calls.createByText(dataset, 'a.md', 'Text', { process_rule: rule });
        assert.equal(response.status, 400);
        assert.equal(((await response.json()) as ErrorAnswer).message, message);
      });
    }
  });

  describe('routes', () => {
    it('lists, adds, reads, changes and deletes segments', async () => {
      const path = await segmentsPath('a.md', 'Alpha\nBeta', custom({ separator: '\n', max_tokens: 100 }));
      const list = await answer<SegmentList>(calls.get(`${path}?limit=1&page=2`));
      assert.deepEqual([list.data[0]?.content, list.total, list.doc_form], ['Beta', 2, 'text_model']);
      const found = await answer<SegmentList>(calls.get(`${path}?keyword=alp`));
      assert.equal(found.data.length, 1);

      const added = await answer<SegmentList>(
        calls.post(path, { segments: [{ content: 'Gamma', keywords: ['third'] }] }),
      );
      const gamma = added.data[0];
      assert.deepEqual([gamma?.position, gamma?.keywords], [3, ['third']]);
      assert.equal((await calls.retrieve(dataset, 'gamma')).length, 1);

      const one = `${path}/${gamma?.id}`;
      assert.equal((await answer<{ data: Segment }>(calls.get(one))).data.content, 'Gamma');
      await answer(calls.post(one, { segment: { content: 'Delta' } }));
      assert.equal((await calls.retrieve(dataset, 'gamma')).length, 0);
      assert.equal((await calls.retrieve(dataset, 'delta')).length, 1);
      await answer(calls.post(one, { segment: { enabled: false } }));
      assert.equal((await calls.retrieve(dataset, 'delta')).length, 0);
      assert.equal((await calls.send('DELETE', one)).status, 204);
      assert.deepEqual(segmentsOf('a.md'), ['Alpha', 'Beta']);
    });

    it('has its own shape for missing segments, and 404 for a document that is not ready', async () => {
      const path = await segmentsPath('a.md', 'Text');
      const missing = await calls.post(path, {});
      assert.equal(missing.status, 400);
      assert.deepEqual(await missing.json(), { error: 'Segments is required' });

      await restart({ indexing: { polls: 100 } });
      const { document } = await answer<Accepted>(calls.createByText(dataset, 'a.md', 'Text'));
      const early = await calls.post(`/datasets/${dataset}/documents/${document.id}/segments`, {
        segments: [{ content: 'More' }],
      });
      assert.equal(early.status, 404);
      assert.match(((await early.json()) as ErrorAnswer).message ?? '', /^Document is not completed\./);
    });

    it('wants answers in documents of questions and answers', async () => {
      const path = await segmentsPath('qa.md', 'Text', { doc_form: 'qa_model' });
      const refused = await calls.post(path, { segments: [{ content: 'Why?' }] });
      assert.equal(((await refused.json()) as ErrorAnswer).message, 'Answer is required');
      await answer(calls.post(path, { segments: [{ content: 'Why?', answer: 'Because.' }] }));
    });

    it('keeps child chunks in hierarchical documents and finds by them', async () => {
      const text = 'Ships enter in the morning.\nFerries never wait.\n\nCranes stand at the quay.';
      const path = await segmentsPath('h.md', text, hierarchical);
      const { data } = await answer<SegmentList>(calls.get(path));
      assert.deepEqual(
        data.map(({ child_chunks: chunks }) => chunks.map(({ content }) => content)),
        [['Ships enter in the morning.', 'Ferries never wait.'], ['Cranes stand at the quay.']],
      );
      const [found] = await calls.retrieve(dataset, 'ferries');
      assert.match(found?.segment.content ?? '', /^Ships enter/);
      assert.deepEqual(
        found?.child_chunks?.map(({ content }) => content),
        ['Ferries never wait.'],
      );

      const chunks = `${path}/${data[1]?.id}/child_chunks`;
      const added = await answer<{ data: { id: string; position: number } }>(
        calls.post(chunks, { content: 'Pilots drink tea.' }),
      );
      assert.equal(added.data.position, 2);
      const page = await answer<{ total: number; total_pages: number; data: object[] }>(
        calls.get(`${chunks}?limit=1`),
      );
      assert.deepEqual([page.total, page.total_pages, page.data.length], [2, 2, 1]);
      await answer(calls.send('PATCH', `${chunks}/${added.data.id}`, { content: 'Pilots drink coffee.' }));
      assert.equal((await calls.retrieve(dataset, 'coffee')).length, 1);
      assert.equal((await calls.send('DELETE', `${chunks}/${added.data.id}`)).status, 204);
      assert.equal((await calls.retrieve(dataset, 'coffee')).length, 0);
    });

    it('refuses a document of another form than the first', async () => {
      await calls.indexed(dataset, 'a.md', 'Text');
      const refused = await calls.createByText(dataset, 'h.md', 'Text', hierarchical);
      assert.equal(
        ((await refused.json()) as ErrorAnswer).message,
        'doc_form is different from the dataset doc_form.',
      );
    });
  });

  describe('search', () => {
    it('ranks, counts hits, and keeps to top_k', async () => {
      await calls.indexed(dataset, 'a.md', 'The tide table of the harbour: tide, tide and tide.');
      await calls.indexed(
        dataset,
        'b.md',
        'One tide among many other words about boats, ropes and the weather.',
      );
      const found = await calls.retrieve(dataset, 'tide');
      assert.deepEqual(
        found.map(({ segment }) => segment.document.name),
        ['a.md', 'b.md'],
      );
      assert.ok(found.every(({ score }) => score === 0));
      const model = {
        search_method: 'keyword_search',
        reranking_enable: false,
        top_k: 1,
        score_threshold_enabled: false,
      };
      const [best, ...others] = await calls.retrieve(dataset, 'tide', { retrieval_model: model });
      assert.equal(others.length, 0);
      assert.equal(best?.segment.hit_count, 2);
    });

    it('finds Chinese words inside a sentence', async () => {
      await calls.indexed(dataset, 'a.md', '所有船只必须在日落前离开港口。');
      await calls.indexed(dataset, 'b.md', 'Nothing of the kind.');
      const found = await calls.retrieve(dataset, '港口规则');
      assert.deepEqual(
        found.map(({ segment }) => segment.document.name),
        ['a.md'],
      );
    });

    it('finds what cannot be read as text by its name', async () => {
      await answer(
        calls.createByFile(dataset, 'harbour.pdf', new Blob([new Uint8Array([37, 80, 68, 70, 255])])),
      );
      const found = await calls.retrieve(dataset, 'harbour');
      assert.equal(found[0]?.segment.content, 'harbour.pdf');
    });

    it('refuses more than 250 characters and half a retrieval model', async () => {
      const long = await calls.post(`/datasets/${dataset}/retrieve`, { query: 'x'.repeat(251) });
      assert.equal(long.status, 400);
      assert.match(((await long.json()) as ErrorAnswer).message ?? '', /cannot exceed 250 characters/);
      const half = await calls.post(`/datasets/${dataset}/retrieve`, {
        query: 'x',
        retrieval_model: { top_k: 1 },
      });
      assert.match(
        ((await half.json()) as ErrorAnswer).message ?? '',
        /^3 validation errors for HitTestingPayload\nretrieval_model\.search_method\n {2}Field required/,
      );
    });

    for (const [option, score] of [
      ['zero', 0],
      ['null', null],
    ] as const) {
      it(`gives ${option} as the score of keyword search when asked to`, async () => {
        await restart({ keywordScores: option });
        await calls.indexed(dataset, 'a.md', 'Text');
        assert.equal((await calls.retrieve(dataset, 'text'))[0]?.score, score);
      });
    }

    it('does not find what is disabled, archived or deleted', async () => {
      const { document } = await calls.indexed(dataset, 'a.md', 'Text');
      const found = async (): Promise<number> => (await calls.retrieve(dataset, 'text')).length;
      const set = (action: string) =>
        calls.send('PATCH', `/datasets/${dataset}/documents/status/${action}`, {
          document_ids: [document.id],
        });
      for (const [off, on] of [
        ['disable', 'enable'],
        ['archive', 'un_archive'],
      ] as const) {
        assert.deepEqual(await answer(set(off)), { result: 'success' });
        assert.equal(await found(), 0);
        await answer(set(on));
        assert.equal(await found(), 1);
      }
      const unknown = await set('explode');
      assert.equal(((await unknown.json()) as ErrorAnswer).code, 'invalid_action');
      platform.others.deleteDocument('Docs', 'a.md');
      assert.equal(await found(), 0);
    });
  });
});
