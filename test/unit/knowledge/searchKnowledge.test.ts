import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors.ts';
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

  it('merges what they find, best first, what has no score last', async () => {
    under.platform.found.set('d-1', [found('a', 0.9), found('b', 0.2), found('x')]);
    under.platform.found.set('d-2', [found('c', 0.5), found('y'), found('z', 0)]);
    assert.deepEqual(ids(await search(['d-1', 'd-2', 'd-1'])), ['a', 'c', 'b', 'z', 'x', 'y']);
    assert.deepEqual(ids(await search(['d-1', 'd-2'], 2)), ['a', 'c']);
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
        origin: { path: 'a.md' },
      },
    ]);
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
