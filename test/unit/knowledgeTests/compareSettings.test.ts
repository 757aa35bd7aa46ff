import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import type { SearchRequest, SearchResult } from '../../../src/knowledge/searchKnowledge.ts';
import { bestOf, compareSettings } from '../../../src/knowledgeTests/compareSettings.ts';
import { comparisonTable } from '../../../src/knowledgeTests/comparisonTable.ts';
import { PlaceMatcher } from '../../../src/knowledgeTests/placeMatch.ts';
import { searchVariants } from '../../../src/knowledgeTests/searchVariants.ts';
import { readTestFile } from '../../../src/knowledgeTests/testFile.ts';
import type { TestedKnowledge } from '../../../src/knowledgeTests/testedKnowledge.ts';
import type { Dataset } from '../../../src/platform/records.ts';
import type { SearchSettings } from '../../../src/platform/searchSettings.ts';
import { emptyDataset } from '../../support/emptyDataset.ts';

const good: Dataset = { ...emptyDataset('good'), technique: 'high_quality' };
const economical: Dataset = { ...emptyDataset('eco'), technique: 'economical' };
const external: Dataset = { ...emptyDataset('ext'), isExternal: true };
const agent: Dataset = { ...emptyDataset('agent'), isAgent: true };
const reranker = { provider: 'p', model: 'rank', label: 'Rank', isActive: true };

const labels = (datasets: Dataset[], settings: SearchSettings = {}, rerankers = [reranker]) =>
  searchVariants(datasets, () => settings, rerankers).map(({ label }) => label);

describe('search settings to compare', () => {
  it('are what a knowledge base can be searched by, with the current ones first', () => {
    assert.deepEqual(
      labels([good]),
      [
        "the knowledge base's settings",
        'semantic search · no reranking',
        'full-text search · no reranking',
        'hybrid search · semantic weight 0.7, keyword weight 0.3',
        'hybrid search · semantic weight 0.5, keyword weight 0.5',
        'hybrid search · semantic weight 0.3, keyword weight 0.7',
        'hybrid search · reranked by rank',
        'semantic search · reranked by rank',
        ...['3 results', '10 results', '20 results'],
        ...['score at least 0', 'score at least 0.3', 'score at least 0.5', 'score at least 0.7'],
      ].filter((label) => label !== 'semantic search · no reranking' && label !== 'score at least 0'),
    );
    assert.deepEqual(labels([economical]), [
      ...["the knowledge base's settings", '3 results', '10 results', '20 results'],
    ]);
    assert.deepEqual(labels([agent]), ["the knowledge base's settings"]);
    assert.ok(labels([external]).includes('score at least 0.5'));
    assert.ok(!labels([external]).some((label) => label.includes('search')));
  });

  it('leave out rerankers that are not set up, and keep the filter of each knowledge base', () => {
    const filter = { match: 'all' as const, conditions: [{ name: 'a', comparison: 'empty' }] };
    const variants = searchVariants([good], () => ({ filter, topK: 3 }), [{ ...reranker, isActive: false }]);
    assert.ok(variants.every(({ settings }) => settings.get('good')?.filter === filter));
    assert.deepEqual(
      variants.filter(({ group }) => group === 'reranking' || group === 'results').map(({ label }) => label),
      ['6 results', '10 results', '20 results'],
    );
    assert.match(variants[0]?.label ?? '', /^3 results · a is empty$/);
  });

  it('suggest four, none of which asks a reranking model that is not asked now', () => {
    const suggested = searchVariants([good], () => undefined, [reranker]).filter((each) => each.isSuggested);
    assert.equal(suggested.length, 4);
    assert.ok(suggested.every(({ requests }) => requests.reranks === 0));
  });

  it('count the requests that they lead to, as far as they tell', () => {
    const variants = searchVariants([good, economical, external], () => undefined, [reranker]);
    const of = (part: string) => variants.find(({ label }) => label.includes(part))?.requests;
    const known = { searches: 3, isPartlyUnknown: true };
    assert.deepEqual(of('full-text'), { ...known, embeddings: 0, reranks: 0 });
    assert.deepEqual(of('weight 0.5'), { ...known, embeddings: 1, reranks: 0 });
    assert.deepEqual(of('hybrid search · reranked'), { ...known, embeddings: 1, reranks: 1 });
    const own = {
      reranking_enable: true,
      reranking_mode: 'reranking_model',
      search_method: 'full_text_search',
    };
    const [current] = searchVariants([{ ...good, retrievalModel: own }], () => undefined, []);
    assert.deepEqual(current?.requests, { searches: 1, embeddings: 0, reranks: 1, isPartlyUnknown: false });
  });
});

const { signal } = new AbortController();
const { questions } = readTestFile(
  'knowledge: D\nquestions: [{ question: a, find: { file: a.md } }, { question: b, find: { file: b.md } }]',
);
const result = (documentName: string): SearchResult => ({
  ...{ datasetId: 'good', datasetName: 'Docs', documentId: documentName, documentName, content: 'x' },
  segmentId: documentName,
});

/** A search that finds by the settings, and counts. */
async function compare(
  refuses: (settings: SearchSettings) => SwitchboardError | undefined = () => undefined,
) {
  const searched: (SearchSettings | undefined)[] = [];
  let clock = 0;
  const tested = {
    log: { debug() {}, info() {}, warn() {}, error() {} },
    knowledge: {
      bases: {},
      originOf: async () => undefined,
      searchSettings: () => undefined,
      async search({ settingsOf, query }: SearchRequest) {
        const settings = settingsOf?.('good') ?? {};
        searched.push(settings);
        clock += 10;
        const error = refuses(settings);
        const first = result(`${query}.md`);
        const hits = settings.method === 'full_text_search' ? [result('c.md'), first] : [first];
        return {
          results: settings.scoreThreshold !== undefined && query === 'b' ? [] : hits,
          failures: error ? [{ datasetId: 'good', error }] : [],
        };
      },
    },
  } as unknown as TestedKnowledge;
  const all = searchVariants([good], () => undefined, [reranker]);
  const variants = ['knowledge base', 'full-text', 'hybrid search · reranked', 'score at least 0.7'].map(
    (part) => all.find(({ label }) => label.includes(part))!,
  );
  const done: string[] = [];
  const matcher = new PlaceMatcher({ read: async () => undefined, pathOf: (file) => file });
  const compared = await compareSettings(
    { tested, datasets: [good], matcher },
    { variants, questions },
    { now: () => clock, onSearched: ({ label }) => done.push(label) },
    signal,
  );
  return { compared, searched, done, table: comparisonTable('Tests', compared, compared[0]) };
}

describe('comparing search settings', () => {
  it('searches once for each question and setting, and never deeper for what was missed', async () => {
    const { compared, searched, done } = await compare();
    assert.equal(searched.length, 8);
    assert.equal(done.length, 8);
    assert.deepEqual(
      compared.map(({ measures: { passed, mrr }, meanMs }) => [passed, mrr, meanMs]),
      [
        [2, 1, 10],
        [2, 0.5, 10],
        [2, 1, 10],
        [1, 0.5, 10],
      ],
    );
  });

  it('prefers what passes most, then ranks best, then asks models least', async () => {
    const { compared } = await compare();
    assert.equal(bestOf(compared), compared[0]);
    assert.equal(bestOf(compared.slice(1)), compared[2]);
    assert.equal(bestOf([compared[3]!, compared[1]!]), compared[1]);
    assert.equal(bestOf([]), undefined);
  });

  it('marks the settings in use and the best, and lists what failed and what it costs', async () => {
    const { table } = await compare();
    const lines = table.text.split('\n');
    assert.deepEqual(
      table.lines.map((line) => lines[line]?.slice(0, 12)),
      ['★●  the know', '    full-tex', '    hybrid s', '    score at'],
    );
    assert.match(lines[table.lines[2]!]!, / 100 % +100 % +1 +2 +0 +10 ms +2 +2 +2$/);
    assert.match(table.text, /\nscore at least 0\.7: 1 failed question\n {2}✗ b \(not found\)\n/);
  });

  it('stops a setting that the platform refuses, says why in its row, and goes on with the others', async () => {
    const { compared, searched, table } = await compare(({ reranking }) =>
      reranking?.type === 'model' ? new SwitchboardError('request', 'No such model.') : undefined,
    );
    assert.equal(searched.length, 7);
    assert.deepEqual(
      compared.map(({ refusal }) => refusal),
      [undefined, undefined, 'No such model.', undefined],
    );
    assert.match(table.text, /reranked by rank +–.*\n +Stopped at question 1: No such model\.\n/);
    assert.equal(bestOf([compared[2]!]), undefined);
  });

  it('asks no more once the platform has refused for its rate limit', async () => {
    const { compared, searched, table } = await compare(({ method }) =>
      method === 'full_text_search' ? new SwitchboardError('rate-limit', 'Rate limit reached.') : undefined,
    );
    assert.equal(searched.length, 3);
    assert.equal(compared[3]?.refusal, 'Not run: Rate limit reached.');
    assert.match(table.text, /score at least 0\.7 .*\n +Not run: Rate limit reached\.\n/);
  });
});
