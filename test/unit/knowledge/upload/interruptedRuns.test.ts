import assert from 'node:assert/strict';
import { KnowledgeUnderTest, MemoryLocalFiles, settle } from '../../../support/memoryKnowledge.ts';

const contents = { 'a.md': 'A', 'b.md': 'B', 'c.ts': 'let c;', 'd.md': 'D', 'e.ts': 'let e;' };
const names = ['app/c.ts', 'app/e.ts', 'app∕a.md', 'app∕b.md', 'app∕d.md'];

const hangs = () => new Promise<void>(() => {});

async function onlyRun(under: KnowledgeUnderTest) {
  const [run, ...others] = await under.knowledge.uploads.interrupted();
  assert.ok(run);
  assert.deepEqual(others, []);
  return run;
}

/** Stops the window at its `steps`th wait, like a killed process. */
function killAt(under: KnowledgeUnderTest, steps: number): { killed: Promise<void>; steps: () => number } {
  let count = 0;
  let tell = () => {};
  const killed = new Promise<void>((resolve) => (tell = resolve));
  const step = (): Promise<void> => {
    if (++count < steps) return Promise.resolve();
    tell();
    return hangs();
  };
  under.storage.before = step;
  under.files.before = step;
  under.platform.before = step;
  under.platform.after = step;
  return { killed, steps: () => count };
}

function reopened(under: KnowledgeUnderTest): KnowledgeUnderTest {
  const go = async () => {};
  under.storage.before = go;
  under.files.before = go;
  under.platform.before = go;
  under.platform.after = go;
  under.clock.advance(60_000);
  return new KnowledgeUnderTest(under);
}

async function finish(under: KnowledgeUnderTest): Promise<void> {
  for (const run of await under.knowledge.uploads.interrupted()) {
    const report = await under.knowledge.uploads.resume(run, under.signal);
    assert.deepEqual(report.failed, []);
    assert.equal(report.added.length + report.updated.length, run.left);
  }
  assert.deepEqual(await under.knowledge.uploads.interrupted(), []);
}

describe('a run that was killed', () => {
  it('is finished by the next window wherever it was: nothing twice, nothing forgotten', async () => {
    const whole = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    const counted = killAt(whole, Infinity);
    await whole.sendAll();
    const all = counted.steps();
    assert.ok(all > 30, `${all} steps`);

    let interruptions = 0;
    for (let step = 1; step <= all; step++) {
      const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
      const { killed } = killAt(first, step);
      const sending = first.sendAll();
      await Promise.race([killed, sending]);
      await settle();
      const second = reopened(first);
      interruptions += (await second.knowledge.uploads.interrupted()).length;
      await finish(second);
      // Nothing was sent or known before the run was recorded.
      await second.sendAll();
      assert.deepEqual(second.platform.names(), names, `killed at step ${step}`);
      assert.deepEqual(
        second.platform.accepted.map(({ name }) => name).toSorted(),
        names,
        `killed at step ${step}`,
      );
      const again = await second.plan();
      assert.deepEqual([...new Set(again.documents.map(({ change }) => change))], ['unchanged']);
    }
    assert.ok(interruptions > 20, `${interruptions} of ${all} were interruptions`);
  });

  it('is finished when it was replacing and removing: each content once', async () => {
    const prepared = async () => {
      const under = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
      await under.sendAll();
      under.platform.index('completed', { done: 1, of: 1 });
      under.files.set('a.md', 'A2', 2000);
      under.files.set('c.ts', 'let c2;', 2000);
      under.files.entries.delete('d.md');
      under.platform.accepted.length = 0;
      return under;
    };
    const whole = await prepared();
    const counted = killAt(whole, Infinity);
    await whole.sendAll('/work', true);
    const all = counted.steps();
    for (let step = 1; step <= all; step++) {
      const first = await prepared();
      const { killed } = killAt(first, step);
      await Promise.race([killed, first.sendAll('/work', true)]);
      await settle();
      const second = reopened(first);
      for (const run of await second.knowledge.uploads.interrupted())
        await second.knowledge.uploads.resume(run, second.signal);
      await second.sendAll('/work', true);
      assert.deepEqual(
        second.platform.names(),
        names.filter((name) => name !== 'app∕d.md'),
      );
      assert.deepEqual(
        second.platform.accepted.map(({ content }) => content).toSorted(),
        ['A2', 'let c2;'],
        `killed at step ${step}`,
      );
    }
  });

  const interrupted = async (kill = 'app∕b.md') => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    first.options.concurrency = 1;
    first.platform.before = ({ method, name }) =>
      method === 'create' && name === kill ? hangs() : undefined;
    void first.sendAll();
    await settle();
    return reopened(first);
  };

  it('is told with what is left of it', async () => {
    const second = await interrupted();
    assert.deepEqual(
      (await second.knowledge.uploads.interrupted()).map(({ datasetId, datasetName, sent, left }) => ({
        datasetId,
        datasetName,
        sent,
        left,
      })),
      [{ datasetId: 'd-1', datasetName: 'Docs', sent: 1, left: 4 }],
    );
  });

  it('is told as a whole where the window that went on with it was killed, too', async () => {
    const second = await interrupted();
    second.platform.before = ({ method, name }) =>
      method === 'create' && name === 'app/c.ts' ? hangs() : undefined;
    void second.knowledge.uploads.resume(await onlyRun(second), second.signal);
    await settle();
    const { sent, left } = await onlyRun(reopened(second));
    assert.deepEqual([sent, left], [2, 3]);
  });

  it('belongs to the window that goes on with it', async () => {
    const first = await interrupted();
    const second = new KnowledgeUnderTest(first, { processes: { own: 'second', isRunning: () => false } });
    const run = await onlyRun(second);
    second.platform.before = ({ method }) => (method === 'create' ? hangs() : undefined);
    void second.knowledge.uploads.resume(run, second.signal);
    await settle();
    const third = new KnowledgeUnderTest(first, {
      processes: { own: 'third', isRunning: (name) => name === 'second' },
    });
    assert.deepEqual(await third.knowledge.uploads.interrupted(), []);
  });

  it('is told of where its process had the number that this one has', async () => {
    const second = new KnowledgeUnderTest(await interrupted(), {
      processes: { own: 'this', isRunning: () => true },
    });
    assert.equal((await onlyRun(second)).left, 4);
  });

  it('counts only its own among what arrived', async () => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    first.platform.after = ({ method }) => (method === 'create' ? hangs() : undefined);
    const beside = new KnowledgeUnderTest(first);
    const plans = [await first.plan('/work/a.md'), await beside.plan('/work/b.md')] as const;
    void first.runSelected(plans[0]);
    await settle();
    first.clock.advance(1);
    void beside.runSelected(plans[1]);
    await settle();
    const second = reopened(first);
    const [run] = await second.knowledge.uploads.interrupted();
    assert.ok(run);
    assert.deepEqual((await second.knowledge.uploads.resume(run, second.signal)).added, ['app∕a.md']);
    second.platform.calls.length = 0;
    second.clock.advance(60_000);
    await settle();
    assert.ok(second.platform.calls.length > 0, 'its indexing is looked at');
  });

  it('deletes nothing twice', async () => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    await first.sendAll();
    first.files.entries.delete('a.md');
    first.files.entries.delete('b.md');
    first.options.concurrency = 1;
    first.platform.before = ({ method, name }) =>
      method === 'delete' && name === 'app∕b.md' ? hangs() : undefined;
    void first.sendAll('/work', true);
    await settle();
    const second = reopened(first);
    second.platform.calls.length = 0;
    const { removed } = await second.knowledge.uploads.resume(await onlyRun(second), second.signal);
    assert.deepEqual([removed, second.platform.count('delete')], [['app∕b.md'], 1]);
  });

  it('replaces a document that was renamed meanwhile', async () => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    await first.sendAll();
    first.platform.index('completed', { done: 1, of: 1 });
    first.files.set('a.md', 'A2', 2000);
    first.platform.before = ({ name }) => (name === 'app∕a.md' ? hangs() : undefined);
    void first.sendAll();
    await settle();
    const second = reopened(first);
    const renamed = second.platform.byName('app∕a.md');
    renamed.record = { ...renamed.record, name: 'tides' };
    const { updated } = await second.knowledge.uploads.resume(await onlyRun(second), second.signal);
    assert.deepEqual([updated, second.platform.documents.size], [['app∕a.md'], 5]);
  });

  it('is not told of where nobody asked for it: the folder in sync is looked at again', async () => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    first.platform.before = ({ method }) => (method === 'create' ? hangs() : undefined);
    const plan = await first.plan('/work', true);
    void first.knowledge.uploads.runAutomatic(
      plan,
      plan.documents.map(({ id }) => id),
      first.signal,
    );
    await settle();
    const second = reopened(first);
    assert.deepEqual(await second.knowledge.uploads.interrupted(), []);
    assert.match([...second.storage.texts.values()].join(''), /"type":"ended"/);
  });

  it('is not told of by the window that runs it', async () => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    first.platform.before = ({ method }) => (method === 'create' ? hangs() : undefined);
    void first.sendAll();
    await settle();
    assert.deepEqual(await first.knowledge.uploads.interrupted(), []);
  });

  it('is not told of while the process that sends it is there', async () => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    first.platform.before = ({ method }) => (method === 'create' ? hangs() : undefined);
    void first.sendAll();
    await settle();
    const other = new KnowledgeUnderTest(first, {
      processes: { own: 'other', isRunning: (name) => name === 'this' },
    });
    assert.deepEqual(await other.knowledge.uploads.interrupted(), []);
    first.clock.advance(2 * 60 * 60_000);
    assert.equal((await other.knowledge.uploads.interrupted()).length, 1);
  });

  it('is finished with the rule and the technique that were confirmed', async () => {
    const processRule = {
      mode: 'custom' as const,
      rules: { pre_processing_rules: [], segmentation: { separator: '\n', max_tokens: 300 } },
    };
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    Object.assign(first.options, { processRule, technique: 'high_quality' });
    first.platform.before = ({ method }) => (method === 'create' ? hangs() : undefined);
    void first.sendAll();
    await settle();
    const second = reopened(first);
    Object.assign(second.options, { processRule: { mode: 'automatic' }, technique: 'economical' });
    await finish(second);
    for (const { settings } of second.platform.accepted) {
      assert.deepEqual(settings.processRule, processRule);
      assert.equal(settings.technique, 'high_quality');
    }
  });

  it('leaves alone what somebody replaced meanwhile', async () => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    await first.sendAll();
    first.platform.index('completed', { done: 1, of: 1 });
    first.files.set('a.md', 'A2', 2000);
    first.files.set('b.md', 'B2', 2000);
    first.options.concurrency = 1;
    first.platform.before = ({ name }) => (name === 'app∕a.md' ? hangs() : undefined);
    void first.sendAll();
    await settle();
    const second = reopened(first);
    const theirs = second.platform.byName('app∕b.md');
    theirs.record = { ...theirs.record, uploadFileId: 'theirs' };
    const run = await onlyRun(second);
    const { updated, failed } = await second.knowledge.uploads.resume(run, second.signal);
    assert.deepEqual(updated, ['app∕a.md']);
    assert.match(failed[0]?.error.message ?? '', /"app\/b.md" was replaced on the platform/);
    assert.equal(second.platform.byName('app∕b.md').content, 'B');
  });

  it('can be forgotten; what was sent stays', async () => {
    const second = await interrupted();
    const run = await onlyRun(second);
    await second.knowledge.uploads.discard(run);
    assert.deepEqual(await second.knowledge.uploads.interrupted(), []);
    assert.deepEqual(await reopened(second).knowledge.uploads.interrupted(), []);
    assert.deepEqual(second.platform.names(), ['app∕a.md']);
  });

  it('replaces nothing that appeared meanwhile', async () => {
    const second = await interrupted();
    second.platform.put('app/e.ts', 'theirs');
    const run = await onlyRun(second);
    const { added, failed } = await second.knowledge.uploads.resume(run, second.signal);
    assert.deepEqual(added, ['app∕b.md', 'app/c.ts', 'app∕d.md']);
    assert.deepEqual(
      failed.map(({ name }) => name),
      ['app/e.ts'],
    );
    assert.equal(second.platform.byName('app/e.ts').content, 'theirs');
  });

  it('claims for an hour what it sent and nobody has heard of yet', async () => {
    const second = await interrupted();
    const run = await onlyRun(second);
    await second.knowledge.uploads.discard(run);
    second.clock.advance(50 * 60_000);
    await second.plan();
    second.platform.put('app∕b.md', 'B');
    const { documents } = await second.plan();
    assert.equal(documents.find(({ name }) => name === 'app∕b.md')?.change, 'unchanged');
  });

  it('no longer claims a document of its name when the server must long be done with what was sent', async () => {
    const second = await interrupted();
    const run = await onlyRun(second);
    await second.knowledge.uploads.discard(run);
    second.clock.advance(2 * 60 * 60_000);
    await second.plan();
    second.platform.put('app∕b.md', 'theirs');
    const { documents } = await second.plan();
    assert.equal(documents.find(({ name }) => name === 'app∕b.md')?.conflict, 'taken');
  });

  it('is said to be done when it is resumed once more', async () => {
    const second = await interrupted();
    const run = await onlyRun(second);
    await second.knowledge.uploads.resume(run, second.signal);
    await assert.rejects(second.knowledge.uploads.resume(run, second.signal), {
      message: 'Nothing left to resume.',
    });
  });

  it('stays when it cannot be found out what arrived', async () => {
    const second = await interrupted();
    const run = await onlyRun(second);
    second.platform.before = () => Promise.reject(new Error('offline'));
    await assert.rejects(second.knowledge.uploads.resume(run, second.signal), { name: 'SwitchboardError' });
    second.platform.before = () => {};
    assert.equal((await second.knowledge.uploads.interrupted()).length, 1);
  });

  it('needs no finishing when all of it was sent another way', async () => {
    const second = await interrupted();
    await second.sendAll();
    assert.deepEqual(await second.knowledge.uploads.interrupted(), []);
  });

  it('takes a selection from the file again, if its lines are the same', async () => {
    for (const [now, added] of [
      ['one\ntwo\nthree\n', ['app/s.ts (lines 2-3)']],
      ['one\n2\nthree\n', []],
      // Gigabytes aren't read for two lines.
      [`one\ntwo\nthree\n${'x'.repeat(1_000_000)}`, []],
    ] as const) {
      const files = new MemoryLocalFiles({ 's.ts': 'one\ntwo\nthree\n' });
      const first = new KnowledgeUnderTest({ files });
      const plan = await first.knowledge.uploads.plan(
        {
          datasetId: 'd-1',
          targets: [{ type: 'selection', path: '/work/s.ts', startLine: 2, endLine: 3, text: 'two\nthree' }],
          isSync: false,
        },
        first.signal,
      );
      first.platform.before = ({ method }) => (method === 'create' ? hangs() : undefined);
      void first.runSelected(plan);
      await settle();
      files.set('s.ts', now);
      const second = reopened(first);
      const run = await onlyRun(second);
      assert.deepEqual((await second.knowledge.uploads.resume(run, second.signal)).added, added);
    }
  });

  it('is left to the next window by one that closes, and by a platform that could not be reached', async () => {
    const first = new KnowledgeUnderTest({ files: new MemoryLocalFiles(contents) });
    first.options.concurrency = 1;
    first.platform.before = ({ method, name }) => {
      if (method === 'create' && name === 'app∕b.md') first.knowledge.dispose();
    };
    await first.sendAll();
    const second = reopened(first);
    assert.equal((await second.knowledge.uploads.interrupted())[0]?.left, 4);
    await finish(second);
    assert.deepEqual(second.platform.names(), names);
  });
});
