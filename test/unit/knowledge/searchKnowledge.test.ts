import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { topKOf } from '../../../src/knowledge/searchKnowledge.ts';
import type { FoundSegment } from '../../../src/platform/records.ts';
import { KnowledgeUnderTest, MemoryLocalFiles } from '../../support/memoryKnowledge.ts';

function found(id: string, score?: number, documentId = 'doc'): FoundSegment {
  return {
    segment: { id, documentId, position: 3, content: `Content of ${id}`, keywords: [], isEnabled: true },
    documentName: `${documentId}.md`,
    childChunks: [],
    ...(score !== undefined && { score }),
  };
}

describe('searching knowledge bases', () => {
  let under: KnowledgeUnderTest;
  beforeEach(() => {
    under = new KnowledgeUnderTest({ files: new MemoryLocalFiles({ 'a.md': 'A' }) });
  });
  const search = (datasetIds: string[], topK = 10, query = 'q') =>
    under.knowledge.search({ datasetIds, query, topK }, under.signal);
  const ids = ({ results }: Awaited<ReturnType<typeof search>>) => results.map(({ segmentId }) => segmentId);

  it('merges by rank: the first of each before the second of any, whatever their scores are', async () => {
    under.platform.found.set('d-1', [found('a', 0.9), found('b', 0.8), found('c', 0.7)]);
    under.platform.found.set('d-2', [found('x', 0.2), found('y', 0.1)]);
    under.platform.found.set('d-3', [found('p', 0), found('q', 0), found('r', 0)]);
    assert.deepEqual(ids(await search(['d-1', 'd-2', 'd-3', 'd-1'])), [
      'a',
      'x',
      'p',
      'b',
      'y',
      'q',
      'c',
      'r',
    ]);
    assert.deepEqual(ids(await search(['d-3', 'd-1'], 3)), ['p', 'a', 'q']);
  });

  it('gives as many results as the settings say, unless the request says a number', async () => {
    assert.deepEqual(
      [topKOf([]), topKOf([undefined, {}]), topKOf([{ topK: 3 }, {}, { topK: 9 }])],
      [6, 6, 9],
    );
    const all = Array.from({ length: 10 }, (_, index) => found(`s${index}`));
    under.platform.found.set('d-1', all);
    const request = { datasetIds: ['d-1'], query: 'q' };
    const settingsOf = () => ({ topK: 2 });
    assert.equal((await under.knowledge.search(request, under.signal)).results.length, 6);
    assert.equal((await under.knowledge.search({ ...request, settingsOf }, under.signal)).results.length, 2);
    const both = { ...request, settingsOf, topK: 4 };
    assert.equal((await under.knowledge.search(both, under.signal)).results.length, 4);
  });

  it('puts first, of the same rank, what holds more of the words that were asked for', async () => {
    under.platform.found.set('d-1', [found('a', 0), found('b', 0)]);
    under.platform.found.set('d-2', [found('sill', 0), found('y', 0)]);
    assert.deepEqual(ids(await search(['d-1', 'd-2'], 4, 'How high is the SILL?')), ['sill', 'a', 'b', 'y']);
    under.platform.found.set('d-2', [found('SILL', 0), found('y', 0)]);
    assert.deepEqual(ids(await search(['d-1', 'd-2'], 4, 'Which sill?')), ['SILL', 'a', 'b', 'y']);
  });

  it('leaves what one knowledge base found in its order, and drops scores that say nothing', async () => {
    under.platform.found.set('d-1', [found('a', 0), found('sill', 0), found('c')]);
    const { results } = await search(['d-1'], 10, 'sill');
    assert.deepEqual(
      results.map(({ segmentId, score }) => [segmentId, score]),
      [
        ['a', undefined],
        ['sill', undefined],
        ['c', undefined],
      ],
    );
    under.platform.found.set('d-1', [found('a', 0.5), found('b', 0)]);
    assert.deepEqual(
      (await search(['d-1'])).results.map(({ score }) => score),
      [0.5, 0],
    );
  });

  it('remembers of an external one that the server never asks it, and of no other', async () => {
    const why = "'reranking_enable'";
    under.platform.found.set('d-1', new SwitchboardError('request', 'Not searched.', { status: 500, why }));
    await search(['d-1']);
    assert.equal(under.knowledge.bases.find('d-1')?.isUnsearchable, undefined);
    under.platform.dataset = { ...under.platform.dataset, isExternal: true };
    await under.knowledge.bases.load(under.signal);
    assert.equal(under.knowledge.bases.find('d-1')?.isUnsearchable, undefined);
    await search(['d-1']);
    const [loaded] = await under.knowledge.bases.load(under.signal);
    assert.deepEqual([loaded?.id, loaded?.isUnsearchable], ['d-1', true]);
  });

  it('names one that failed, and goes on', async () => {
    const error = new SwitchboardError('transient', 'Broken.');
    under.platform.found.set('d-1', error);
    under.platform.found.set('d-2', [found('c', 0.5)]);
    const outcome = await search(['d-1', 'd-2']);
    assert.deepEqual(ids(outcome), ['c']);
    assert.deepEqual(outcome.failures, [{ datasetId: 'd-1', error }]);
  });

  it('tells which file of this workspace a segment came from, and its place', async () => {
    await under.sendAll();
    const { record } = under.platform.byName('app∕a.md');
    under.platform.found.set('d-1', [found('a', 0.5, record.id)]);
    const { results } = await search(['d-1']);
    assert.deepEqual(results, [
      {
        datasetId: 'd-1',
        datasetName: 'Docs',
        documentId: record.id,
        documentName: `${record.id}.md`,
        segmentId: 'a',
        position: 3,
        content: 'Content of a',
        score: 0.5,
        origin: { path: 'a.md', hash: '559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd' },
        state: { type: 'current' },
      },
    ]);
  });

  it('finds without what only adds to it, and logs why', async () => {
    under.platform.found.set('d-1', [found('a', 0.5)]);
    under.platform.before = ({ method }) => {
      if (method === 'datasets.list') throw new SwitchboardError('transient', 'No list.');
    };
    under.storage.read = () => Promise.reject(new Error('The disk is broken.'));
    assert.deepEqual(ids(await search(['d-1'])), ['a']);
    assert.match(under.logged.join('\n'), /No list.*\n.*The disk is broken/);
  });

  it('says to what a long query was cut', async () => {
    assert.equal((await search(['d-1'], 1, 'short')).cutQuery, undefined);
    assert.equal((await search(['d-1'], 1, '😀'.repeat(251))).cutQuery, '😀'.repeat(250));
  });

  it('ends when it is stopped', async () => {
    under.stop();
    await assert.rejects(search(['d-1']), { name: 'AbortError' });
  });
});
