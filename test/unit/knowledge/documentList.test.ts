import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { KnowledgeUnderTest, MemoryLocalFiles, passTime, settle } from '../../support/memoryKnowledge.ts';

describe('the documents of a knowledge base', () => {
  let under: KnowledgeUnderTest;
  beforeEach(() => {
    under = new KnowledgeUnderTest({ files: new MemoryLocalFiles({ 'a.md': 'A', 'b.md': 'B' }) });
  });
  const state = () => under.knowledge.documents('d-1').state;
  const names = () => state().documents.map(({ name }) => name);
  const load = () => under.knowledge.documents('d-1').load(under.signal);

  it('come page by page, and from the first one again after the last', async () => {
    for (let index = 0; index < 150; index++) under.platform.put(`${index}.md`, 'x');
    assert.equal(state().type, 'notLoaded');
    await load();
    assert.deepEqual(
      [state().type, names().length, state().hasMore, state().total],
      ['ready', 100, true, 150],
    );
    await load();
    assert.deepEqual([names().length, state().hasMore], [150, false]);
    under.platform.documents.clear();
    await load();
    assert.deepEqual([names(), state().total], [[], 0]);
  });

  it('are asked for once by several at a time', async () => {
    await Promise.all([load(), load()]);
    assert.equal(under.platform.count('list'), 1);
  });

  it('that are on their way come first, and each is there once', async () => {
    under.platform.put('app∕b.md', 'theirs');
    under.platform.put('other.md', 'theirs');
    await load();
    const plan = await under.plan();
    let begun: string[] = [];
    under.platform.before = ({ method }) => {
      if (method === 'update' || method === 'create') begun = begun.length ? begun : names();
    };
    await under.knowledge.uploads.run(
      plan,
      { send: plan.documents.map(({ id }) => id), remove: [] },
      under.signal,
    );
    assert.deepEqual(begun, ['app/a.md', 'app/b.md', 'other.md']);
    assert.deepEqual(names(), ['app/a.md', 'app/b.md', 'other.md']);
    const ids = state().documents.map(({ id }) => id);
    assert.equal(new Set(ids).size, 3);
  });

  it('tell where they came from, also in the next window', async () => {
    await under.sendAll();
    const next = new KnowledgeUnderTest(under);
    under.platform.index('completed');
    await next.knowledge.documents('d-1').load(next.signal);
    assert.deepEqual(
      next.knowledge.documents('d-1').state.documents.map(({ origin, status }) => [origin, status]),
      [
        [{ path: 'a.md' }, { type: 'indexed' }],
        [{ path: 'b.md' }, { type: 'indexed' }],
      ],
    );
    const { record } = under.platform.byName('app∕a.md');
    assert.equal((await next.knowledge.originOf('d-1', record.id))?.path, 'a.md');
    assert.equal(await next.knowledge.originOf('d-1', 'unknown'), undefined);
  });

  it('are filtered, those on their way too, and an answer for another filter is not taken in', async () => {
    under.platform.put('one.md', 'x');
    under.platform.put('two.md', 'x');
    let answer = () => {};
    under.platform.after = ({ method }) =>
      method === 'list' ? new Promise((resolve) => (answer = resolve)) : undefined;
    const first = load();
    await settle();
    under.knowledge.documents('d-1').filter('two');
    answer();
    await first;
    assert.deepEqual([state().type, state().keyword, names()], ['notLoaded', 'two', []]);
    under.platform.after = () => {};
    await load();
    assert.deepEqual(names(), ['two.md']);
  });

  it('say what went wrong, and are there when it goes well again', async () => {
    const error = new SwitchboardError('offline', 'Nobody there.');
    under.platform.before = () => {
      throw error;
    };
    await assert.rejects(load(), error);
    assert.deepEqual([state().type, state().error], ['failed', error]);
    under.platform.before = () => {};
    await load();
    assert.deepEqual([state().type, state().error], ['ready', undefined]);
  });

  it('are the same object as long as nothing changes', async () => {
    await load();
    assert.equal(state(), state());
  });

  it('are enabled, disabled and deleted; one that could not be does not keep the others', async () => {
    const [first, second, third] = ['1.md', '2.md', '3.md'].map((name) => under.platform.put(name, 'x').id);
    assert.ok(first && second && third);
    under.platform.index('completed');
    await load();
    for (const [isEnabled, type] of [
      [false, 'disabled'],
      [true, 'indexed'],
    ] as const) {
      await under.knowledge.documents('d-1').setEnabled(first, isEnabled, under.signal);
      assert.deepEqual(
        state().documents.map(({ status }) => status.type),
        [type, 'indexed', 'indexed'],
      );
      assert.equal(under.platform.byName('1.md').record.isEnabled, isEnabled);
    }

    under.platform.before = ({ name }) => {
      if (name === '2.md') throw new SwitchboardError('request', 'It is being indexed.', { status: 400 });
    };
    await assert.rejects(
      under.knowledge.documents('d-1').delete([first, second, third, 'gone'], under.signal),
      {
        message: 'It is being indexed.',
      },
    );
    assert.deepEqual(names(), ['2.md']);
    assert.equal(state().total, 1);
  });

  it('are disabled as soon as they were sent, and deleted before the list was loaded', async () => {
    await under.sendAll();
    const ids = ['app∕a.md', 'app∕b.md'].map((name) => under.platform.byName(name).record.id);
    const documents = under.knowledge.documents('d-1');
    await documents.setEnabled(ids[0] ?? '', false, under.signal);
    const enabled = () => state().documents.map(({ name, record }) => [name, record?.isEnabled]);
    assert.deepEqual(enabled(), [
      ['app/a.md', false],
      ['app/b.md', true],
    ]);
    await documents.delete(ids.slice(1), under.signal);
    assert.deepEqual(enabled(), [['app/a.md', false]]);
  });

  it('are as they were when loading them is stopped, and the rest is not deleted', async () => {
    const ids = ['1.md', '2.md'].map((name) => under.platform.put(name, 'x').id);
    const stop = new AbortController();
    under.platform.before = () => {
      stop.abort();
      throw new SwitchboardError('transient', 'The connection was closed.');
    };
    await assert.rejects(under.knowledge.documents('d-1').load(stop.signal));
    assert.deepEqual([state().type, state().error], ['notLoaded', undefined]);
    const asked = under.platform.count('delete');
    await assert.rejects(under.knowledge.documents('d-1').delete(ids, stop.signal));
    assert.equal(under.platform.count('delete') - asked, 1);
    under.platform.before = () => {};
    await load();
    assert.deepEqual(names(), ['1.md', '2.md']);
  });

  it('are loaded again with their filter', async () => {
    under.platform.put('one.md', 'x');
    under.knowledge.documents('d-1').filter('two');
    await load();
    under.platform.put('two.md', 'x');
    await under.knowledge.documents('d-1').reload(under.signal);
    assert.deepEqual([names(), state().keyword], [['two.md'], 'two']);
  });

  it('that were deleted here are new when they are added again', async () => {
    await under.sendAll();
    const { record } = under.platform.byName('app∕a.md');
    await under.knowledge.documents('d-1').delete([record.id], under.signal);
    const [first] = (await under.plan()).documents;
    assert.equal(first?.change, 'new');
  });
});

describe('the knowledge bases', () => {
  it('are listed, created, renamed and deleted, and told of', async () => {
    const under = new KnowledgeUnderTest();
    const { knowledge, signal } = under;
    const told: (string | undefined)[] = [];
    knowledge.onDidChange(({ datasetId }) => told.push(datasetId));
    assert.equal(knowledge.bases.state.type, 'notLoaded');
    await knowledge.bases.load(signal);
    assert.deepEqual(
      knowledge.bases.state.datasets.map(({ name }) => name),
      ['Docs'],
    );
    await knowledge.bases.create({ name: 'New' }, signal);
    assert.deepEqual(
      knowledge.bases.state.datasets.map(({ name }) => name),
      ['New', 'Docs'],
    );
    await knowledge.bases.rename('d-1', 'Manuals', signal);
    assert.deepEqual(
      knowledge.bases.state.datasets.map(({ name }) => name),
      ['New', 'Manuals'],
    );
    under.clock.advance(1000);
    assert.ok(told.length >= 2 && told.every((datasetId) => datasetId === undefined));
  });

  it('leave nothing behind when they are deleted', async () => {
    const under = new KnowledgeUnderTest({ files: new MemoryLocalFiles({ 'a.md': 'A' }) });
    await under.knowledge.links.add({
      folder: 'docs',
      path: '/work/docs',
      datasetId: 'd-1',
      datasetName: 'Docs',
    });
    await under.sendAll();
    const { record } = under.platform.byName('app∕a.md');
    await under.knowledge.bases.delete('d-1', under.signal);
    assert.deepEqual(await under.knowledge.links.all(), []);
    assert.equal(await under.knowledge.originOf('d-1', record.id), undefined);
    assert.deepEqual(under.knowledge.documents('d-1').state.documents, []);
  });

  it('keep the list when it cannot be reloaded', async () => {
    const under = new KnowledgeUnderTest();
    await under.knowledge.bases.load(under.signal);
    under.platform.before = () => {
      throw new SwitchboardError('key', 'Refused.', { status: 401 });
    };
    await assert.rejects(under.knowledge.bases.load(under.signal), { code: 'key' });
    const { type, datasets, error } = under.knowledge.bases.state;
    assert.deepEqual([type, datasets.length, error?.code], ['failed', 1, 'key']);
  });
});

describe('how many documents a knowledge base has', () => {
  const open = async (files: Record<string, string> = {}) => {
    const under = new KnowledgeUnderTest({ files: new MemoryLocalFiles(files) });
    await under.knowledge.bases.load(under.signal);
    const count = () => under.knowledge.bases.state.datasets[0]?.documentCount;
    return { under, count };
  };
  const failure = new SwitchboardError('transient', 'It is down.', { status: 500 });
  const fail = () => {
    throw failure;
  };

  it('is known after each change', async () => {
    const { under, count } = await open({ 'a.md': 'A', 'b.md': 'B' });
    assert.equal(count(), 0);
    await under.sendAll();
    await settle();
    assert.equal(count(), 2);
    await under.knowledge.documents('d-1').load(under.signal);
    const { record } = under.platform.byName('app∕a.md');
    under.platform.dataset.documentCount = 1;
    await under.knowledge.documents('d-1').delete([record.id], under.signal);
    await settle();
    assert.equal(count(), 1);
  });

  it('is not shown any more after an error, and is again once the platform answers', async () => {
    const { under, count } = await open();
    under.platform.before = fail;
    await assert.rejects(under.knowledge.documents('d-1').load(under.signal));
    assert.equal(count(), undefined);
    under.platform.before = () => {};
    under.platform.put('theirs.md', 'x');
    await under.knowledge.documents('d-1').load(under.signal);
    assert.equal(count(), 1);
    under.platform.before = fail;
    await assert.rejects(under.knowledge.bases.load(under.signal));
    assert.equal(count(), undefined);
  });

  it('is not known after an upload that ended in an outage', async () => {
    const { under, count } = await open({ 'a.md': 'A' });
    const plan = await under.plan();
    under.platform.before = fail;
    await passTime(under.clock, under.runSelected(plan), 1000);
    await settle();
    assert.equal(count(), undefined);
  });

  it('counts what was sent since the list was loaded', async () => {
    const { under } = await open({ 'a.md': 'A', 'b.md': 'B' });
    await under.knowledge.documents('d-1').load(under.signal);
    await under.sendAll();
    assert.equal(under.knowledge.documents('d-1').state.total, 2);
  });

  it('is not told of one whose API access is off; that is, until it is on', async () => {
    const { under } = await open();
    const off = new SwitchboardError('not-permitted', 'Off.', {
      status: 403,
      why: 'Dataset api access is not enabled.',
    });
    const facts = () => {
      const { documentCount, isApiEnabled } = under.knowledge.bases.state.datasets[0]!;
      return { documentCount, isApiEnabled };
    };
    under.platform.found.set('d-1', off);
    await under.knowledge.search({ datasetIds: ['d-1'], query: 'q', topK: 1 }, under.signal);
    assert.deepEqual(facts(), { documentCount: undefined, isApiEnabled: false });
    await under.knowledge.documents('d-1').load(under.signal);
    assert.deepEqual(facts(), { documentCount: 0, isApiEnabled: undefined });
    under.platform.before = () => {
      throw off;
    };
    await assert.rejects(under.knowledge.documents('d-1').load(under.signal));
    assert.equal(facts().isApiEnabled, false);
  });
});

describe('the links of folders', () => {
  const link = { folder: 'docs', path: '/work/docs', datasetId: 'd-1', datasetName: 'Docs' };

  it('are kept for the next window, one for each folder and knowledge base', async () => {
    const under = new KnowledgeUnderTest();
    await Promise.all([
      under.knowledge.links.add(link),
      under.knowledge.links.add({ ...link, datasetName: 'Renamed' }),
      under.knowledge.links.add({ ...link, path: '/work/other', folder: 'other' }),
    ]);
    const next = new KnowledgeUnderTest(under);
    assert.deepEqual(
      (await next.knowledge.links.all()).map(({ folder, datasetName }) => [folder, datasetName]),
      [
        ['docs', 'Renamed'],
        ['other', 'Docs'],
      ],
    );
    await next.knowledge.links.remove(link);
    assert.deepEqual(
      (await under.knowledge.links.all()).map(({ folder }) => folder),
      ['other'],
    );
  });

  it('are none when what was kept cannot be read', async () => {
    const under = new KnowledgeUnderTest();
    await under.knowledge.links.add(link);
    for (const [name] of under.storage.texts) under.storage.texts.set(name, '[{"folder":1}]');
    assert.deepEqual(await under.knowledge.links.all(), []);
  });
});
