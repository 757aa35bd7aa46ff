import assert from 'node:assert/strict';
import { describeBase, lacksEmbedding, techniqueName } from '../../../../src/knowledge/view/describeBase.ts';
import { readDataset } from '../../../../src/platform/datasets.ts';
import type { Dataset } from '../../../../src/platform/records.ts';

const base = (more: Partial<Dataset> = {}): Dataset => ({
  ...{ id: 'a', name: 'Harbour', description: '', isExternal: false, wordCount: 0, tags: [] },
  ...more,
});

describe('describeBase', () => {
  it('says who sees it in the console, if the server tells', () => {
    assert.equal(describeBase(base({ permission: 'only_me' })), 'visible to its owner');
    assert.equal(describeBase(base({ permission: 'all_team_members' })), 'visible to the workspace');
    assert.equal(describeBase(base({ permission: 'partial_members' })), 'visible to some members');
    assert.equal(describeBase(base()), '');
    assert.equal(describeBase(base({ isAgent: true })), 'agent knowledge base');
  });

  it('reads who sees it, and nothing from words of newer servers', () => {
    const read = (permission: unknown) => {
      const dataset = readDataset({ id: 'a', name: 'Harbour', permission });
      assert.ok(dataset);
      return dataset.permission;
    };
    assert.equal(read('all_team_members'), 'all_team_members');
    assert.equal(read('everyone'), undefined);
  });

  it('names how it is indexed', () => {
    assert.deepEqual((['high_quality', 'economical'] as const).map(techniqueName), [
      'high quality',
      'economical',
    ]);
  });

  it('begins with why it could not be read', () => {
    assert.match(describeBase(base({ problem: 'Outside.', permission: 'only_me' })), /^Outside\. · /);
  });

  it('says that its embedding model is missing only where one is needed', () => {
    const isEmbeddingAvailable = false;
    assert.ok(lacksEmbedding({ technique: 'high_quality', isEmbeddingAvailable }));
    assert.ok(!lacksEmbedding({ technique: 'economical', isEmbeddingAvailable }));
    assert.ok(!lacksEmbedding({ technique: 'high_quality' }));
  });
});
