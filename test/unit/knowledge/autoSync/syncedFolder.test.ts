import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async/promises.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import type { SyncTerms } from '../../../../src/knowledge/autoSync/syncTerms.ts';
import { settle } from '../../../support/memoryKnowledge.ts';
import { FolderUnderTest } from '../../../support/syncedFolderUnderTest.ts';

const minute = 60_000;
const key = ['AK', 'IAQYLPMN5HHHFPZAM2'].join('');

async function opened(
  when: SyncTerms['when'],
  files: Record<string, string> = {},
  folder?: string,
): Promise<FolderUnderTest> {
  const limits = { maxFiles: 5, maxBytes: 10_000, maxFileSizeBytes: 1_000_000, exclude: [] };
  const test = new FolderUnderTest({ when, branch: 'main', ...limits }, folder);
  for (const [path, content] of Object.entries(files)) test.write(path, content);
  test.repository.commit();
  await test.open();
  await test.pass();
  await indexed(test);
  return test;
}

/** Ends the polling of the indexing, which has timers of its own. */
async function indexed(test: FolderUnderTest): Promise<void> {
  test.platform.index('completed');
  for (let count = 0; count < 20 && test.clock.pending > 0; count++) {
    test.clock.advance(minute);
    await settle();
  }
}

const contentOf = (test: FolderUnderTest, path: string) => test.documents.contents.get(test.nameOf(path));

describe('a folder in step', () => {
  it('catches up when the window opens, then has neither timers nor requests', async () => {
    const test = await opened('quiet', { 'a.ts': 'one', 'b.md': 'two' });
    assert.deepEqual([contentOf(test, 'a.ts'), contentOf(test, 'b.md')], ['one', 'two']);
    assert.equal(test.clock.pending, 0);
    const { length } = test.platform.calls;
    test.clock.advance(60 * minute);
    await settle();
    assert.equal(test.platform.calls.length, length);
    assert.deepEqual(test.folder.state.inStep?.commit, '1'.padStart(40, '0'));
  });

  it('sends a changed file once it has been quiet for a minute, and opens no other', async () => {
    const test = await opened('quiet', { 'a.ts': 'one', 'b.md': 'two' });
    test.files.opened.length = 0;
    test.write('a.ts', 'changed');
    test.clock.advance(minute - 1);
    await settle();
    assert.equal(contentOf(test, 'a.ts'), 'one');
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'changed');
    assert.deepEqual(new Set(test.files.opened), new Set(['a.ts']));
    assert.equal(test.platform.documents.size, 2);
  });

  it('sends what is committed at once, and keeps back what is not', async () => {
    const test = await opened('commit', { 'a.ts': 'one', 'b.md': 'two' });
    test.write('a.ts', 'committed');
    test.commit();
    test.write('b.md', 'not committed');
    await test.pass();
    assert.deepEqual([contentOf(test, 'a.ts'), contentOf(test, 'b.md')], ['committed', 'two']);
    test.write('a.ts', 'edited again');
    test.write('c.ts', 'new');
    test.folder.tell({ type: 'recheck' });
    await test.pass();
    assert.deepEqual(test.waiting, ['a.ts: uncommitted', 'b.md: uncommitted', 'c.ts: uncommitted']);
    assert.equal(contentOf(test, 'a.ts'), 'committed');
    test.commit();
    await test.pass();
    assert.deepEqual(
      [contentOf(test, 'a.ts'), contentOf(test, 'c.ts'), test.waiting.length],
      ['edited again', 'new', 0],
    );
  });

  it('looks again at what waits in a folder of the workspace', async () => {
    const test = await opened('commit', { 'docs/a.ts': 'one', 'docs/b.md': 'two' }, '/work/docs');
    test.write('docs/a.ts', 'not committed');
    test.folder.tell({ type: 'recheck' });
    await test.pass();
    assert.deepEqual(test.waiting, ['docs/a.ts: uncommitted']);
    test.write('docs/a.ts', 'one');
    test.write('docs/b.md', 'committed');
    test.repository.commit();
    test.write('docs/a.ts', 'not committed');
    test.folder.tell({ type: 'moved' });
    await test.pass();
    assert.deepEqual([test.waiting, contentOf(test, 'docs/b.md')], [['docs/a.ts: uncommitted'], 'committed']);
  });

  it('passes over what is deleted elsewhere when it looks at a commit', async () => {
    const test = await opened('commit', { 'a.ts': 'one', 'a.ts.md': 'beside', 'b.md': 'two' });
    test.write('a.ts', 'changed');
    test.repository.commit();
    for (const path of ['a.ts.md', 'b.md']) test.files.entries.delete(path);
    test.folder.tell({ type: 'moved' });
    await test.pass();
    assert.deepEqual([test.waiting, contentOf(test, 'a.ts')], [[], 'changed']);
  });

  it('asks the platform only about what a commit changed', async () => {
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`f${index}.ts`, `${index}`]));
    const test = await opened('commit', files);
    test.files.opened.length = 0;
    test.platform.calls.length = 0;
    test.write('f1.ts', 'changed');
    test.commit();
    await test.pass();
    assert.equal(test.platform.count('list'), 1);
    assert.deepEqual(new Set(test.files.opened), new Set(['f1.ts']));
    assert.equal(contentOf(test, 'f1.ts'), 'changed');
  });

  it('never deletes: a removed file and the old name of a renamed one wait', async () => {
    const test = await opened('quiet', { 'a.ts': 'one', 'b.md': 'two' });
    test.remove('a.ts');
    test.rename('b.md', 'c.md');
    await test.pass();
    assert.deepEqual(test.waiting.toSorted(), ['a.ts: deletion', 'b.md: renamed']);
    assert.equal(test.platform.documents.size, 3);
    test.kill();
    await test.open();
    await test.pass();
    assert.deepEqual(test.waiting.toSorted(), ['a.ts: deletion', 'b.md: deletion']);
    test.write('a.ts', 'one');
    await test.pass();
    assert.deepEqual(test.waiting, ['b.md: deletion']);
  });

  it('keeps back secrets, and lists what someone else changed', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.write('b.ts', `const key = "${key}";`);
    const [ours] = test.platform.documents.values();
    assert.ok(ours);
    ours.record = { ...ours.record, uploadFileId: 'theirs' };
    test.write('a.ts', 'changed');
    await test.pass();
    assert.deepEqual(test.waiting.toSorted(), ['a.ts: conflict', 'b.ts: secret']);
    assert.deepEqual([contentOf(test, 'a.ts'), contentOf(test, 'b.ts')], ['one', undefined]);
  });

  it('sends nothing at all if more than the limit would go, until the user did', async () => {
    const test = await opened('quiet');
    for (let index = 0; index < 6; index++) test.write(`f${index}.ts`, `${index}`);
    await test.pass();
    assert.deepEqual([test.platform.documents.size, test.waiting.length], [0, 6]);
    assert.deepEqual(test.folder.state.pause, { reason: 'limit', files: 6, bytes: 6 });
    await test.knowledge.sendAll('/work', true);
    test.folder.tell({ type: 'recheck' });
    await test.pass();
    assert.deepEqual(
      [test.folder.state.pause, test.waiting, test.platform.documents.size],
      [undefined, [], 6],
    );
  });

  it('counts bytes, too', async () => {
    const test = await opened('quiet');
    test.write('a.ts', 'x'.repeat(10_001));
    await test.pass();
    assert.deepEqual(test.folder.state.pause, { reason: 'limit', files: 1, bytes: 10_001 });
  });

  for (const when of ['quiet', 'commit'] as const) {
    it(`leaves the knowledge base alone on another branch (${when})`, async () => {
      const test = await opened(when, { 'a.ts': 'one', 'b.md': 'two' });
      test.checkout('other');
      test.remove('a.ts');
      test.write('b.md', 'elsewhere');
      test.commit();
      await test.pass();
      assert.deepEqual(test.folder.state.pause, { reason: 'branch', branch: 'other' });
      assert.deepEqual([contentOf(test, 'a.ts'), contentOf(test, 'b.md')], ['one', 'two']);
      test.checkout('main');
      await test.pass();
      assert.deepEqual([test.folder.state.pause, test.waiting], [undefined, []]);
      assert.equal(test.platform.accepted.length, 2);
    });
  }

  it('sends nothing that another branch wrote while it was looking', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.repository.checkout('other', test.clock.now());
    test.write('a.ts', 'elsewhere');
    test.repository.commit();
    test.checkout('main');
    test.write('a.ts', 'changed');
    let isFirst = true;
    test.files.before = async () => {
      if (!isFirst) return;
      isFirst = false;
      test.repository.commit();
      test.checkout('other');
    };
    await test.pass();
    assert.deepEqual(
      test.platform.accepted.map(({ content }) => content),
      ['one'],
    );
    assert.equal(test.folder.state.pause?.reason, 'branch');
  });

  it('sends nothing that a reset or a merge took out of the branch while it was looking', async () => {
    const changes = {
      reset: (test: FolderUnderTest) => test.repository.reset(1),
      merge: (test: FolderUnderTest) => (test.repository.isMerging = true),
    };
    for (const [name, change] of Object.entries(changes)) {
      const test = await opened('commit', { 'a.ts': 'one' });
      const { repository } = test;
      const uncommitted = repository.uncommitted.bind(repository);
      repository.uncommitted = async () => {
        repository.uncommitted = uncommitted;
        const found = await uncommitted();
        change(test);
        return found;
      };
      test.write('a.ts', 'two');
      test.commit();
      await test.pass();
      assert.equal(contentOf(test, 'a.ts'), 'one', name);
    }
  });

  it('sends no content that changed after it was judged', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.platform.before = ({ method }) => {
      if (method !== 'list') return;
      test.platform.before = () => {};
      test.files.set('a.ts', 'changed behind its back', test.clock.now() + 1);
    };
    test.write('a.ts', 'changed');
    await settle();
    test.clock.advance(minute);
    await settle();
    assert.equal(contentOf(test, 'a.ts'), 'one');
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'changed behind its back');
  });

  it('waits during a merge, and without Git', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.repository.isMerging = true;
    test.write('a.ts', '<<<<<<<');
    await test.pass();
    assert.equal(test.folder.state.pause?.reason, 'merge');
    test.repository.isMerging = false;
    test.repository.isThere = false;
    test.write('a.ts', 'two');
    await test.pass();
    assert.equal(test.folder.state.pause?.reason, 'git');
    assert.equal(contentOf(test, 'a.ts'), 'one');
  });

  it('asks again when limits or exclusions are no longer those that were confirmed', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.limits.exclude = ['*.md'];
    test.write('a.ts', 'two');
    await test.pass();
    assert.equal(test.folder.state.pause?.reason, 'settings');
    test.limits.exclude = [];
    test.limits.maxFiles = 1000;
    test.folder.tell({ type: 'recheck' });
    await test.pass();
    assert.equal(test.folder.state.pause?.reason, 'settings');
    assert.equal(contentOf(test, 'a.ts'), 'one');
  });

  it('goes by terms that another window has confirmed', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    const { links } = test.knowledge.knowledge;
    const [link] = await links.all();
    assert.ok(link?.auto);
    const terms = { ...link.auto.terms, maxFiles: 1000 };
    await links.add({ ...link, auto: { ...link.auto, terms } });
    test.limits.maxFiles = 1000;
    test.write('a.ts', 'two');
    await test.pass();
    assert.deepEqual([test.folder.state.pause, contentOf(test, 'a.ts')], [undefined, 'two']);
  });

  it('waits for a platform that is down, and goes on by itself', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.platform.before = () => {
      throw new SwitchboardError('offline', 'Nobody answers.');
    };
    test.write('a.ts', 'two');
    await test.pass(5 * minute);
    assert.deepEqual(test.folder.state.pause, { reason: 'platform', message: 'Nobody answers.' });
    test.platform.before = () => {};
    await test.pass();
    assert.deepEqual([test.folder.state.pause, contentOf(test, 'a.ts')], [undefined, 'two']);
  });

  it('waits for as long as the platform limits its requests', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.platform.before = () => {
      throw new SwitchboardError('rate-limit', 'Too many requests.');
    };
    test.write('a.ts', 'two');
    await test.pass(5 * minute);
    assert.equal(test.folder.state.pause?.reason, 'platform');
    test.platform.before = () => {};
    await test.pass();
    assert.deepEqual([test.folder.state.pause, contentOf(test, 'a.ts')], [undefined, 'two']);
  });

  it('leaves a rejected key to the user, and still lists what waits', async () => {
    for (const step of ['list', 'update']) {
      const test = await opened('quiet', { 'a.ts': 'one' });
      test.write('b.ts', `const key = "${key}";`);
      await test.pass();
      test.platform.before = ({ method }) => {
        if (method === step) throw new SwitchboardError('key', 'Rejected.', { status: 401 });
      };
      test.write('a.ts', 'two');
      test.write('c.ts', `const key = "${key}";`);
      await test.pass();
      assert.deepEqual(test.folder.state.pause, { reason: 'refused', message: 'Rejected.' }, step);
      const waiting = step === 'list' ? ['b.ts: secret'] : ['b.ts: secret', 'c.ts: secret'];
      assert.deepEqual(test.waiting.toSorted(), waiting, step);
      assert.equal(test.folder.state.activity, 'still', step);
    }
  });

  it('is kept in step without Git if that was confirmed', async () => {
    const limits = { maxFiles: 5, maxBytes: 10_000, maxFileSizeBytes: 1_000_000, exclude: [] };
    const test = new FolderUnderTest({ when: 'quiet', ...limits });
    test.repository.isThere = false;
    await test.open();
    test.write('a.ts', 'one');
    await test.pass();
    assert.deepEqual([test.folder.state.pause, contentOf(test, 'a.ts')], [undefined, 'one']);
  });

  it('sends nothing more once its window is closed', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    const held = new Deferred();
    test.platform.before = ({ method }) => (method === 'list' ? held.promise : undefined);
    test.write('a.ts', 'two');
    test.clock.advance(minute);
    await settle();
    test.folder.dispose();
    held.resolve();
    await settle();
    assert.equal(contentOf(test, 'a.ts'), 'one');
  });

  it('tries a content that the platform refuses once, and says why', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.platform.before = ({ method }) => {
      if (method === 'update' || method === 'create') throw new SwitchboardError('too-large', 'Too large.');
    };
    test.write('a.ts', 'two');
    await test.pass();
    assert.deepEqual(test.folder.state.waiting, [{ path: 'a.ts', reason: 'failed', message: 'Too large.' }]);
    assert.equal(test.knowledge.knowledge.uploads.hasFailed, false);
    const { length } = test.platform.calls;
    test.folder.tell({ type: 'recheck' });
    await test.pass();
    const sent = test.platform.calls.slice(length).filter(({ method }) => method !== 'list');
    assert.ok(!sent.some(({ method }) => method === 'create' || method === 'update'));
    test.platform.before = () => {};
    test.write('a.ts', 'three');
    await test.pass();
    assert.deepEqual([contentOf(test, 'a.ts'), test.waiting], ['three', []]);
  });

  it('tries a refused content again when the user resumes', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.platform.before = ({ method }) => {
      if (method === 'update') throw new SwitchboardError('too-large', 'Too large.');
    };
    test.write('a.ts', 'two');
    await test.pass();
    test.platform.before = () => {};
    await test.folder.pause();
    await test.folder.resume();
    await test.pass();
    assert.deepEqual([contentOf(test, 'a.ts'), test.waiting], ['two', []]);
  });

  it('is paused at once and across windows, and catches up when resumed', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    await test.folder.pause();
    test.write('a.ts', 'two');
    await test.pass();
    test.kill();
    await test.open();
    await test.pass();
    assert.deepEqual([test.folder.state.pause, contentOf(test, 'a.ts')], [{ reason: 'user' }, 'one']);
    await test.folder.resume();
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'two');
  });

  it('sends nothing more once it is paused, and knows that it did not', async () => {
    for (const step of ['list', 'update']) {
      const test = await opened('commit', { 'a.ts': 'one', 'b.ts': 'one', 'c.ts': 'one' });
      const held = new Deferred();
      test.platform.before = ({ method }) => (method === step ? held.promise : undefined);
      for (const path of ['a.ts', 'b.ts', 'c.ts']) test.write(path, 'two');
      test.commit();
      await settle();
      await test.folder.pause();
      held.resolve();
      await test.pass();
      assert.equal(contentOf(test, 'c.ts'), 'one', step);
      const [link] = await test.knowledge.knowledge.links.all();
      assert.deepEqual([link?.auto?.commit, test.waiting], ['1'.padStart(40, '0'), []], step);
      await test.folder.resume();
      await test.pass();
      assert.equal(contentOf(test, 'c.ts'), 'two', step);
    }
  });

  it('goes on if it is resumed before the look that the pause stopped has ended', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    const held = new Deferred();
    const stopped = () => Promise.reject(new DOMException('Stopped', 'AbortError'));
    test.platform.before = ({ method }) => (method === 'list' ? held.promise.then(stopped) : undefined);
    test.write('a.ts', 'two');
    test.clock.advance(minute);
    await settle();
    await test.folder.pause();
    await test.folder.resume();
    test.platform.before = () => {};
    held.resolve();
    await settle();
    assert.deepEqual([test.folder.state.pause, test.folder.state.activity], [undefined, 'retrying']);
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'two');
  });

  it('waits while the user uploads to the same base', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    const held = new Deferred();
    test.platform.before = ({ method }) => (method === 'update' ? held.promise : undefined);
    test.files.set('a.ts', 'two', test.clock.now());
    const sent = test.knowledge.sendAll('/work');
    await settle();
    test.files.set('b.ts', 'new', test.clock.now());
    test.folder.tell({ type: 'recheck' });
    await settle();
    assert.deepEqual([test.folder.state.activity, contentOf(test, 'b.ts')], ['retrying', undefined]);
    held.resolve();
    await settle();
    await indexed(test);
    assert.equal((await sent).failed.length, 0);
    await test.pass();
    assert.deepEqual([contentOf(test, 'a.ts'), contentOf(test, 'b.ts')], ['two', 'new']);
  });

  it('sends nothing to a base whose embedding model is gone', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.platform.dataset = {
      ...test.platform.dataset,
      technique: 'high_quality',
      isEmbeddingAvailable: false,
    };
    test.write('a.ts', 'two');
    await test.pass();
    assert.deepEqual([test.folder.state.pause?.reason, contentOf(test, 'a.ts')], ['refused', 'one']);
  });

  it('looks at the whole folder after a commit of what is ignored, and after a rewrite of history', async () => {
    const test = await opened('commit', { 'a.ts': 'one' });
    test.files.set('b.ts', 'was ignored', 5);
    test.repository.commit();
    const entry = test.files.entries.get('b.ts');
    assert.ok(entry);
    entry.refused = { path: 'b.ts', refusal: 'It is ignored.', isWithheld: true };
    test.commit();
    await test.pass();
    assert.equal(contentOf(test, 'b.ts'), undefined);
    delete entry.refused;
    test.write('.gitignore', '');
    test.commit();
    await test.pass();
    assert.equal(contentOf(test, 'b.ts'), 'was ignored');
    test.repository.changedBetween = async () => undefined;
    test.write('a.ts', 'rewritten');
    test.commit();
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'rewritten');
  });

  it('looks at the whole folder after a commit of very many files', async () => {
    const test = await opened('commit', { 'a.ts': 'one' });
    test.repository.changedBetween = async () =>
      Array.from({ length: 1001 }, (_, at) => `/work/gone/${at}.ts`);
    test.write('a.ts', 'two');
    test.commit();
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'two');
  });

  it('stays paused if that is chosen while a commit is being stored', async () => {
    const test = await opened('commit', { 'a.ts': 'one' });
    const { storage } = test;
    const append = storage.append.bind(storage);
    const held = new Deferred();
    storage.append = async (name, line) => {
      storage.append = append;
      await held.promise;
      await append(name, line);
    };
    test.commit();
    await settle();
    const paused = test.folder.pause();
    await settle();
    held.resolve();
    await paused;
    const [link] = await test.knowledge.knowledge.links.all();
    assert.deepEqual([link?.auto?.isPaused, link?.auto?.commit], [true, '2'.padStart(40, '0')]);
  });

  it('leaves the work to the window that is at it', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.isLocked = true;
    test.write('a.ts', 'two');
    await test.pass(5 * minute);
    await settle();
    assert.deepEqual([contentOf(test, 'a.ts'), test.folder.state.activity], ['one', 'retrying']);
    test.isLocked = false;
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'two');
  });

  it('ends without a trace when the folder is unlinked', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    const { links } = test.knowledge.knowledge;
    await links.removeAllOf(test.platform.dataset.id);
    test.write('a.ts', 'two');
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'one');
    await test.folder.pause();
    assert.deepEqual(await links.all(), []);
  });

  it('looks at the whole folder after a change of what is ignored', async () => {
    for (const file of ['.gitignore', '.switchboardignore', 'docs/.gitignore']) {
      const test = await opened('quiet', { 'a.ts': 'one' });
      test.files.set('b.ts', 'was ignored', 5);
      test.write(file, '');
      await test.pass();
      assert.equal(contentOf(test, 'b.ts'), 'was ignored', file);
    }
  });
});

describe('an automatic run that was interrupted', () => {
  it('is not asked about: the next look does what it left', async () => {
    const test = await opened('quiet', { 'a.ts': 'one' });
    test.write('a.ts', 'two');
    test.platform.before = ({ method }) => (method === 'update' ? new Promise(() => undefined) : undefined);
    await test.pass(2 * minute);
    test.kill();
    test.platform.before = () => {};
    await test.open();
    const { uploads } = test.knowledge.knowledge;
    assert.deepEqual(await uploads.interrupted(), []);
    await test.pass();
    assert.equal(contentOf(test, 'a.ts'), 'two');
    assert.equal(test.platform.documents.size, 1);
  });
});

describe('a plan that lay open while another run sent its files', () => {
  it('makes no second document, and refuses to replace another content', async () => {
    const test = await opened('quiet');
    test.files.set('a.ts', 'one', 10);
    test.files.set('b.ts', 'two', 10);
    const plan = await test.knowledge.plan();
    test.folder.tell({ type: 'recheck' });
    await test.pass();
    test.files.set('b.ts', 'other', 20);
    const report = await test.knowledge.runSelected(plan);
    assert.equal(test.platform.documents.size, 2);
    assert.deepEqual(
      report.failed.map(({ name, error }) => [name, error.code]),
      [[test.nameOf('b.ts'), 'conflict']],
    );
    assert.deepEqual(report.added, [test.nameOf('a.ts')]);
  });
});
