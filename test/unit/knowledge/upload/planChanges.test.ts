import assert from 'node:assert/strict';
import { KnowledgeUnderTest, MemoryLocalFiles, settle } from '../../../support/memoryKnowledge.ts';

describe('a plan of single changes, with what the platform has', () => {
  let under: KnowledgeUnderTest;
  const planned = (of: KnowledgeUnderTest, ...paths: string[]) => {
    const request = { datasetId: 'd-1', folder: '/work', paths };
    return of.knowledge.uploads.planChanges(request, of.signal);
  };
  beforeEach(() => {
    under = new KnowledgeUnderTest({ files: new MemoryLocalFiles({ 'a.md': 'A', 'b.md': 'B' }) });
  });

  it('holds all of the workspace folder, if that is what changed', async () => {
    const { documents } = await planned(under, '/work');
    assert.deepEqual(
      documents.map(({ name }) => name),
      ['app∕a.md', 'app∕b.md'],
    );
  });

  it('finds a document that was renamed there', async () => {
    await under.sendAll();
    const renamed = under.platform.byName('app∕a.md');
    renamed.record = { ...renamed.record, name: 'tides' };
    under.files.set('a.md', 'A2', 2000);
    const { documents } = await planned(under, '/work/a.md');
    assert.deepEqual(
      documents.map(({ change, replaces }) => [change, replaces?.id]),
      [['changed', renamed.record.id]],
    );
  });

  it('does not send again what was deleted there', async () => {
    await under.sendAll();
    under.platform.documents.delete(under.platform.byName('app∕a.md').record.id);
    under.files.set('a.md', 'A2', 2000);
    const { documents } = await planned(under, '/work/a.md');
    assert.deepEqual(
      documents.map(({ conflict, isSelected }) => [conflict, isSelected]),
      [['deleted-there', false]],
    );
  });

  it('reads the list of all documents for many, rather than one by one', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `${index}.md`);
    for (const name of names) under.files.set(name, name);
    await planned(under, ...names.map((name) => `/work/${name}`));
    assert.equal(under.platform.count('list'), 1);
  });

  it('keeps a document as ours whose upload had no answer, though it is about another', async () => {
    under.platform.after = ({ method, name }) =>
      method === 'create' && name === 'app∕a.md' ? new Promise(() => {}) : undefined;
    void under.sendAll();
    await settle();
    under.platform.after = () => {};
    under.clock.advance(2 * 60 * 60_000);
    const next = new KnowledgeUnderTest(under);
    await planned(next, '/work/b.md');
    const { documents } = await next.plan();
    assert.equal(documents.find(({ name }) => name === 'app∕a.md')?.change, 'unchanged');
  });
});
