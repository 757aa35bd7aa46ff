import assert from 'node:assert/strict';
import { sortPlan } from '../../../../src/knowledge/autoSync/sortPlan.ts';
import { areAsConfirmed, readAutoSync } from '../../../../src/knowledge/autoSync/syncTerms.ts';
import type { PlannedDocument } from '../../../../src/knowledge/upload/plannedDocument.ts';

const document = (name: string, more: Partial<PlannedDocument> = {}): PlannedDocument => ({
  id: name,
  name,
  origin: { path: name },
  how: 'text',
  bytes: 10,
  change: 'changed',
  source: { type: 'file', realPath: `/${name}`, size: 10, mtimeMs: 0, hash: name },
  isSelected: true,
  ...more,
});

const sorted = (
  documents: PlannedDocument[],
  more: Partial<Parameters<typeof sortPlan>[1]> = {},
  skipped: Parameters<typeof sortPlan>[0]['skipped'] = [],
) =>
  sortPlan(
    {
      documents,
      skipped,
      removals: [{ documentId: 'd', name: 'gone', path: 'gone', reason: 'removed' }],
    },
    {
      terms: { maxFiles: 2, maxBytes: 20 },
      isUncommitted: () => false,
      deleted: [],
      refusedBefore: () => undefined,
      ...more,
    },
  );

describe('what goes without asking', () => {
  it('is what is new or changed, up to the limit', () => {
    const { send, waiting, over } = sorted([
      document('a'),
      document('b'),
      document('c', { change: 'unchanged' }),
    ]);
    assert.deepEqual([send, waiting, over], [['a', 'b'], [{ path: 'gone', reason: 'deletion' }], undefined]);
  });

  it('is nothing beyond the limit in files or bytes', () => {
    for (const documents of [[document('a'), document('b'), document('c')], [document('a', { bytes: 21 })]]) {
      const { send, waiting, over } = sorted(documents);
      assert.deepEqual(send, []);
      assert.equal(over?.files, documents.length);
      assert.deepEqual(waiting.filter(({ reason }) => reason === 'limit').length, documents.length);
    }
  });

  it('is nothing that cannot be read, which is told; what rules exclude is not', () => {
    const { send, waiting } = sorted([], {}, [
      { path: 'locked.ts', reason: 'unreadable', message: 'No permission.' },
      { path: 'key.pem', reason: 'secret', message: 'A key.' },
      { path: 'out.js', reason: 'excluded', message: 'Excluded.' },
    ]);
    assert.deepEqual(send, []);
    assert.deepEqual(
      waiting.map(({ path, reason }) => `${path}: ${reason}`),
      ['locked.ts: unreadable', 'key.pem: secret', 'gone: deletion'],
    );
  });

  it('is no conflict, nothing disabled, and nothing that was refused before', () => {
    const { send, waiting } = sorted(
      [
        document('a', { change: 'conflict', conflict: 'taken', isSelected: true }),
        document('b', { isSelected: false, note: 'Disabled.' }),
        document('c'),
        document('d', { change: 'unchanged', isSelected: true }),
      ],
      { refusedBefore: (name) => (name === 'c' ? 'Too large.' : undefined) },
    );
    assert.deepEqual(send, []);
    assert.deepEqual(
      waiting.map(({ path, reason }) => `${path} ${reason}`),
      ['a conflict', 'b disabled', 'c failed', 'gone deletion'],
    );
  });

  it('lists a secret once, even if its document would be deleted', () => {
    const { waiting } = sorted([], {}, [
      { path: 'gone', reason: 'secret', message: 'Line 1.' },
      { path: 'x.bin', reason: 'binary', message: 'Binary.' },
    ]);
    assert.deepEqual(waiting, [{ path: 'gone', reason: 'secret', message: 'Line 1.' }]);
  });

  it('keeps in mind what the last commit has and the folder not', () => {
    const { waiting } = sorted([], { deleted: ['gone', 'x.ts', 'x.odt'] });
    assert.deepEqual(waiting, [
      { path: 'gone', reason: 'deletion' },
      { path: 'x.ts', reason: 'uncommitted' },
    ]);
  });
});

describe('what was confirmed', () => {
  const limits = { maxFiles: 1, maxBytes: 2, maxFileSizeBytes: 3, exclude: ['a', 'b'] };

  it('is compared by what it lets go', () => {
    assert.ok(areAsConfirmed(limits, { ...limits, exclude: ['b', 'a'] }));
    for (const change of [{ maxFiles: 2 }, { maxBytes: 3 }, { maxFileSizeBytes: 1 }, { exclude: ['a'] }]) {
      assert.ok(!areAsConfirmed(limits, { ...limits, ...change }));
    }
  });

  it('counts only if it is understood', () => {
    const auto = { terms: { when: 'commit', branch: 'main', ...limits }, isPaused: true, commit: 'c' };
    assert.deepEqual(readAutoSync(JSON.parse(JSON.stringify(auto))), auto);
    for (const wrong of [
      undefined,
      null,
      {},
      { terms: { ...auto.terms, when: 'always' } },
      { terms: { ...auto.terms, maxFiles: '9' } },
    ]) {
      assert.equal(readAutoSync(wrong), undefined);
    }
  });
});
