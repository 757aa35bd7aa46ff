import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import type { DocumentStatus } from '../../../../src/knowledge/indexing/documentStatus.ts';
import { pollDelay } from '../../../../src/knowledge/indexing/indexingPoller.ts';
import { KnowledgeUnderTest, MemoryLocalFiles, settle } from '../../../support/memoryKnowledge.ts';

const minute = 60_000;

describe('polling what is indexed', () => {
  let under: KnowledgeUnderTest;
  const open = (files: Record<string, string>) => {
    under = new KnowledgeUnderTest({ files: new MemoryLocalFiles(files) });
  };
  const status = (name = 'app/a.md', window = under): DocumentStatus | undefined =>
    window.knowledge.documents('d-1').state.documents.find((document) => document.name === name)?.status;
  const statusTypes = () => [
    ...new Set(under.knowledge.documents('d-1').state.documents.map((document) => document.status.type)),
  ];
  /** Advances time by seconds, with all effects. */
  async function wait(ms: number, window = under): Promise<void> {
    for (let left = ms; left > 0; left -= 1000) {
      window.clock.advance(Math.min(1000, left));
      await settle();
    }
  }
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${index}.md`, 'x']));

  it('follows a document through all its states to the number of its segments', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    const seen: (DocumentStatus | undefined)[] = [status()];
    for (const [state, progress] of [
      ['parsing', undefined],
      ['indexing', { done: 12, of: 40 }],
      ['completed', { done: 40, of: 40 }],
    ] as const) {
      under.platform.index(state, progress);
      await wait(5000);
      seen.push(status());
    }
    assert.deepEqual(seen, [
      { type: 'waiting' },
      { type: 'preparing' },
      { type: 'indexing', done: 12, of: 40 },
      { type: 'indexed', segments: 40 },
    ]);
    assert.equal(under.clock.pending, 0);
  });

  it('asks with growing pauses, which start again when something is uploaded', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    const times: number[] = [];
    under.platform.before = ({ method }) => {
      if (method === 'indexingStatus') times.push(under.clock.now());
    };
    const began = under.clock.now();
    await wait(60_000);
    const pauses = times.map((time, index) => time - (times[index - 1] ?? began));
    assert.deepEqual(pauses.slice(0, 3), [1000, 2000, 4000]);
    assert.ok(
      pauses.slice(3).every((pause) => pause >= 5000 && pause <= 31_000),
      String(pauses),
    );

    under.files.set('b.md', 'B');
    await under.sendAll();
    const count = times.length;
    await wait(1000);
    assert.ok(times.length > count);
  });

  it('sees what was sent while it looked', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    under.platform.index('completed', { done: 1, of: 1 });
    under.files.set('b.md', 'B');
    const plan = await under.plan();
    let goOn = () => {};
    under.platform.before = ({ method }) =>
      method === 'indexingStatus' ? new Promise((resolve) => (goOn = resolve)) : undefined;
    await wait(1000);
    under.platform.before = () => {};
    await under.runSelected(plan);
    goOn();
    await settle();
    under.platform.index('completed', { done: 1, of: 1 });
    await wait(10_000);
    assert.deepEqual(status(), { type: 'indexed', segments: 1 });
    assert.deepEqual(status('app/b.md'), { type: 'indexed', segments: 1 });
  });

  it('tells a document that came to nothing from one that failed', async () => {
    open({ 'a.md': 'A', 'b.md': 'B' });
    await under.sendAll();
    under.platform.index('completed', { done: 0, of: 0 }, 'app∕a.md');
    under.platform.index('error', undefined, 'app∕b.md');
    await wait(2000);
    assert.deepEqual(status(), { type: 'empty' });
    assert.deepEqual(status('app/b.md'), { type: 'failed', reason: 'The model is out.' });
    assert.equal(under.clock.pending, 0);
  });

  it('tells once what could not be indexed, when nothing of its knowledge base moves any more', async () => {
    open({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'C', 'd.md': 'D' });
    const told: string[][] = [];
    under.knowledge.indexing.onDidFail(({ datasetId, documents }) =>
      told.push([datasetId, ...documents.map(({ name, status: { type } }) => `${name} ${type}`)]),
    );
    await under.sendAll();
    under.platform.index('error', undefined, 'app∕a.md');
    await wait(2000);
    assert.deepEqual(told, [], 'Others are on their way.');
    under.platform.index('completed', { done: 0, of: 0 }, 'app∕b.md');
    under.platform.index('completed', { done: 1, of: 1 }, 'app∕c.md');
    await wait(5 * minute);
    assert.deepEqual(told, [['d-1', 'app∕a.md failed', 'app∕b.md empty']]);
    under.platform.index('error', undefined, 'app∕d.md');
    await wait(2 * minute);
    assert.deepEqual(told.slice(1), [['d-1', 'app∕d.md failed']]);
  });

  it('tells in the next window what was not indexed when the last one closed, once, and in one of two', async () => {
    open({ 'a.md': 'A', 'b.md': 'B' });
    await under.sendAll();
    under.platform.index('error', undefined, 'app∕a.md');
    await wait(2000);
    under.knowledge.dispose();

    const told: string[] = [];
    const openWindow = (own: string) => {
      const window = new KnowledgeUnderTest(under, { processes: { own, isRunning: () => true } });
      window.knowledge.indexing.onDidFail(({ documents }) => {
        const words = documents.map((each) => [each.name, ...Object.values(each.status)].join(' '));
        told.push(`${own}: ${words.join(', ')}`);
      });
      window.knowledge.indexing.start();
      return window;
    };
    const one = openWindow('one');
    openWindow('two');
    await wait(5000, one);
    assert.deepEqual(told, [], 'The other is on its way.');
    under.platform.index('completed', { done: 1, of: 1 }, 'app∕b.md');
    await wait(minute, one);
    assert.deepEqual(told, ['one: app∕a.md failed The model is out.']);
    openWindow('three');
    await wait(minute, one);
    assert.equal(told.length, 1);

    under.files.set('a.md', 'A once more');
    await one.sendAll();
    under.platform.index('error', undefined, 'app∕a.md');
    await wait(minute, one);
    assert.deepEqual(told.slice(1), ['one: app∕a.md failed The model is out.']);
  });

  it('asks for many documents in few requests', async () => {
    open(many);
    await under.sendAll();
    under.platform.index('indexing', { done: 1, of: 2 });
    under.platform.calls.length = 0;
    await wait(1000);
    assert.deepEqual(statusTypes(), ['indexing']);
    assert.equal(under.platform.count('list'), 3);
    assert.equal(under.platform.count('indexingStatus'), 3);

    under.platform.index('completed', { done: 2, of: 2 });
    under.platform.calls.length = 0;
    await wait(4000);
    assert.deepEqual(statusTypes(), ['indexed']);
    assert.ok(under.platform.calls.length <= 15, `${under.platform.calls.length} requests`);
    assert.equal(under.clock.pending, 0);
  });

  it('goes on in the next window, and says nothing when nothing is pending', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    under.knowledge.dispose();
    assert.equal(under.clock.pending, 0);

    const next = new KnowledgeUnderTest(under);
    next.knowledge.indexing.start();
    next.platform.index('completed', { done: 3, of: 3 });
    await wait(3000, next);
    assert.deepEqual(status('app/a.md', next), { type: 'indexed', segments: 3 });
    assert.equal(next.clock.pending, 0);

    const last = new KnowledgeUnderTest(under);
    last.platform.calls.length = 0;
    last.knowledge.indexing.start();
    await wait(60_000, last);
    assert.deepEqual(last.platform.calls, []);
    assert.equal(last.clock.pending, 0);
  });

  it('says in the next window, too, that a document is stuck since it was sent', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    under.knowledge.dispose();
    under.clock.advance(10 * minute);
    const next = new KnowledgeUnderTest(under);
    next.knowledge.indexing.start();
    await wait(2000, next);
    const stuck = status('app/a.md', next);
    assert.ok(stuck?.type === 'stuck' && stuck.sinceMs >= 10 * minute, JSON.stringify(stuck));
  });

  it('lists a document once in the next window, under its id, while it is indexed', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    const { record } = under.platform.byName('app∕a.md');
    const next = new KnowledgeUnderTest(under);
    next.platform.index('indexing', { done: 1, of: 2 });
    next.knowledge.indexing.start();
    await wait(1000, next);
    const ids = () => next.knowledge.documents('d-1').state.documents.map(({ id }) => id);
    assert.deepEqual(ids(), [record.id]);
    await next.knowledge.documents('d-1').load(next.signal);
    assert.deepEqual(ids(), [record.id]);
    next.platform.index('completed', { done: 2, of: 2 });
    await wait(5000, next);
    assert.deepEqual(ids(), [record.id]);
    assert.deepEqual(status('app/a.md', next), { type: 'indexed', segments: 2 });
  });

  it('gives up a document that the list passes over twice', async () => {
    open(many);
    await under.sendAll();
    under.platform.documents.delete(under.platform.byName('app∕7.md').record.id);
    await wait(1000);
    assert.equal(status('app/7.md')?.type, 'waiting');
    await wait(2000);
    assert.equal(status('app/7.md'), undefined);
  });

  it('shows that a document is sent anew, whatever is heard of what it was before', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    under.files.set('a.md', 'A2', 2000);
    under.platform.before = ({ method }) =>
      method === 'create' || method === 'update' ? new Promise(() => {}) : undefined;
    const plan = await under.plan();
    void under.runSelected(plan);
    await settle();
    assert.equal(status()?.type, 'sending');
    under.platform.index('indexing', { done: 1, of: 2 });
    await wait(2000);
    assert.equal(status()?.type, 'sending');
  });

  it('does not take what it asked of the earlier content for news of the newer one', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    under.platform.index('completed', { done: 1, of: 1 });
    let answer = () => {};
    under.platform.after = ({ method }) =>
      method === 'get' ? new Promise((resolve) => (answer = resolve)) : undefined;
    await wait(1000);
    under.platform.after = () => {};
    under.files.set('a.md', 'A2', 2000);
    await under.sendAll();
    answer();
    await settle();
    assert.deepEqual(status(), { type: 'waiting' });
    under.platform.index('completed', { done: 5, of: 5 });
    await wait(10_000);
    assert.deepEqual(status(), { type: 'indexed', segments: 5 });
  });

  it('does not give up a document that a changing list passed over once', async () => {
    open(many);
    await under.sendAll();
    const { record } = under.platform.byName('app∕7.md');
    const stored = under.platform.documents.get(record.id);
    assert.ok(stored);
    under.platform.documents.delete(record.id);
    await wait(1000);
    under.platform.documents.set(record.id, stored);
    under.platform.index('completed', { done: 1, of: 1 });
    await wait(5000);
    assert.equal(status('app/7.md')?.type, 'indexed');
  });

  it('finds a document whose batch was replaced', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    under.platform.byName('app∕a.md').batch = 'another';
    under.platform.index('completed', { done: 2, of: 2 });
    await wait(2000);
    assert.deepEqual(status(), { type: 'indexed', segments: 2 });
  });

  it('says that a document is stuck, and where, and gives up in the end', async () => {
    open({ 'a.md': 'A', 'b.md': 'B' });
    await under.sendAll();
    under.platform.index('indexing', { done: 1, of: 2 }, 'app∕b.md');
    await wait(2 * minute);
    assert.deepEqual(status(), { type: 'waiting' });
    await wait(3 * minute);
    assert.deepEqual([status()?.type, status('app/b.md')?.type], ['stuck', 'stuck']);
    const stuck = status();
    assert.ok(stuck?.type === 'stuck' && stuck.at === 'waiting' && stuck.sinceMs >= 3 * minute);

    await wait(40 * minute);
    assert.equal(under.clock.pending, 0);
    assert.equal(status()?.type, 'stuck');
    under.platform.index('completed', { done: 2, of: 2 });
    under.knowledge.indexing.start();
    await wait(2000);
    assert.deepEqual([status()?.type, status('app/b.md')?.type], ['indexed', 'indexed']);
  }).timeout(20_000);

  it('uploads what is stuck with what is added again or synced, and starts polling it again', async () => {
    open({ 'a.md': 'A', 'b.md': 'B' });
    await under.sendAll();
    under.platform.index('completed', { done: 1, of: 1 }, 'app∕b.md');
    await wait(5 * minute);
    const stuck = () => under.knowledge.documents('d-1').stuck.map(({ name }) => name);
    assert.deepEqual(stuck(), ['app/a.md']);
    under.knowledge.documents('d-1').filter('other');
    assert.deepEqual(stuck(), ['app/a.md']);
    for (const isSync of [false, true]) {
      const { documents } = await under.plan('/work', isSync);
      assert.deepEqual(
        documents.map(({ name, change, isSelected, note }) => [name, change, isSelected, note !== undefined]),
        [
          ['app∕a.md', 'unchanged', true, true],
          ['app∕b.md', 'unchanged', false, false],
        ],
      );
    }
    const { record } = under.platform.byName('app∕a.md');
    assert.deepEqual((await under.sendAll()).updated, ['app∕a.md']);
    assert.equal(under.platform.byName('app∕a.md').record.id, record.id);
    under.knowledge.documents('d-1').filter(undefined);
    await wait(2 * minute);
    assert.deepEqual([stuck(), status()], [[], { type: 'waiting' }]);
    await wait(2 * minute);
    assert.deepEqual(stuck(), ['app/a.md']);
  }).timeout(20_000);

  it('does not call stuck what waits behind others that move', async () => {
    open({ 'a.md': 'A', 'b.md': 'B' });
    await under.sendAll();
    for (let done = 0; done < 10; done++) {
      under.platform.index('indexing', { done, of: 20 }, 'app∕b.md');
      await wait(minute);
    }
    assert.deepEqual(status(), { type: 'waiting' });
  }).timeout(20_000);

  it('outlives a platform that cannot be reached, asking less often', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    let asked = 0;
    under.platform.before = () => {
      asked++;
      throw new SwitchboardError('offline', 'Nobody there.');
    };
    await wait(5 * minute);
    assert.ok(asked >= 10 && asked < 25, `asked ${asked} times`);
    assert.match(under.logged.join('\n'), /Nobody there/);
    assert.deepEqual(status(), { type: 'waiting' });
    under.platform.before = () => {};
    under.platform.index('completed', { done: 1, of: 1 });
    await wait(minute);
    assert.deepEqual(status(), { type: 'indexed', segments: 1 });
  }).timeout(20_000);

  it('stops when the documents, or all of the knowledge base, are gone', async () => {
    open({ 'a.md': 'A' });
    await under.sendAll();
    under.platform.documents.clear();
    await wait(minute);
    assert.equal(under.clock.pending, 0);
    assert.deepEqual(under.knowledge.documents('d-1').state.documents, []);

    open(many);
    await under.sendAll();
    under.platform.dataset.id = 'another';
    await wait(minute);
    assert.equal(under.clock.pending, 0);
  }).timeout(20_000);
});

describe('pollDelay', () => {
  it('is 1, 2, 4 and 5 s, and grows to 30 s, or 60 s when all is stuck', () => {
    const seconds = [0, 1, 2, 3].map((looks) => pollDelay(looks, 0, false) / 1000);
    assert.deepEqual(seconds, [1, 2, 4, 5]);
    assert.equal(pollDelay(100, 100, false), 30_000);
    assert.equal(pollDelay(100, 100, true), 60_000);
    assert.ok(pollDelay(10, 1, false) < pollDelay(10, 2, false));
  });
});
