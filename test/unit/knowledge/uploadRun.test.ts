import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { SwitchboardError, type ErrorCode } from '../../../src/base/errors/errors.ts';
import type { DocumentStatus } from '../../../src/knowledge/indexing/documentStatus.ts';
import type { RunProgress } from '../../../src/knowledge/upload/uploadPipeline.ts';
import type { UploadPlan } from '../../../src/knowledge/upload/uploadPlan.ts';
import {
  allSelected,
  KnowledgeUnderTest,
  MemoryLocalFiles,
  passTime,
  settle,
} from '../../support/memoryKnowledge.ts';
import type { MemoryCall } from '../../support/memoryPlatform.ts';

const refusal = (code: ErrorCode, status?: number) =>
  new SwitchboardError(code, 'Refused.', status === undefined ? {} : { status });

describe('sending to a knowledge base', () => {
  let under: KnowledgeUnderTest;
  let files: MemoryLocalFiles;
  beforeEach(() => {
    files = new MemoryLocalFiles({ 'a.md': 'A', 'b.md': 'B', 'c.ts': 'let c;' });
    under = new KnowledgeUnderTest({ files });
    under.options.concurrency = 1;
  });

  /** Fails this many calls to create or update the document. */
  function failing(
    name: string,
    error: SwitchboardError,
    times = Infinity,
    when: 'before' | 'after' = 'before',
  ) {
    let left = times;
    under.platform[when] = (call: MemoryCall) => {
      if (isSending(call) && call.name === name && left-- > 0) throw error;
    };
  }
  const isSending = ({ method }: MemoryCall) => method === 'create' || method === 'update';
  const statuses = () =>
    Object.fromEntries(
      under.knowledge
        .documents('d-1')
        .state.documents.map(({ name, status }): [string, DocumentStatus['type']] => [name, status.type]),
    );

  it('sends files and source code, each in its way, and knows them the next time', async () => {
    const report = await under.sendAll();
    assert.deepEqual(report.added, ['app∕a.md', 'app∕b.md', 'app/c.ts']);
    assert.deepEqual(
      under.platform.accepted.map(({ name, content, how }) => ({ name, content, how })),
      [
        { name: 'app∕a.md', content: 'A', how: 'file' },
        { name: 'app∕b.md', content: 'B', how: 'file' },
        { name: 'app/c.ts', content: 'let c;', how: 'text' },
      ],
    );
    assert.deepEqual(statuses(), { 'app/a.md': 'waiting', 'app/b.md': 'waiting', 'app/c.ts': 'waiting' });
  });

  it('notes the commit of what it sent only where that is what the commit has', async () => {
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    const commit = 'c'.repeat(40);
    files.commits.set('/work/a.md', { commit, hashes: [hashOf('other'), hashOf('A')] });
    files.commits.set('/work/b.md', { commit, hashes: [hashOf('B before it was edited')] });
    await under.sendAll();
    const origins = await Promise.all(
      under.platform.names().map((name) => {
        const { id } = under.platform.byName(name).record;
        return under.knowledge.originOf('d-1', id);
      }),
    );
    const byPath = origins.toSorted((a, b) => (a?.path ?? '').localeCompare(b?.path ?? ''));
    assert.deepEqual(byPath, [
      { path: 'a.md', hash: hashOf('A'), commit },
      { path: 'b.md', hash: hashOf('B') },
      { path: 'c.ts', hash: hashOf('let c;') },
    ]);
  });

  it('replaces a document under its id, whether it is indexed, still being indexed or disabled', async () => {
    await under.sendAll();
    const ids = under.platform.names().map((name) => under.platform.byName(name).record.id);
    under.platform.index('completed', { done: 1, of: 1 }, 'app∕a.md');
    under.platform.index('completed', { done: 1, of: 1 }, 'app/c.ts');
    const disabled = under.platform.byName('app/c.ts');
    disabled.record = { ...disabled.record, isEnabled: false };
    for (const path of ['a.md', 'b.md', 'c.ts']) files.set(path, 'new', 2000);

    const plan = await under.plan();
    assert.deepEqual(
      plan.documents.map(({ isSelected }) => isSelected),
      [true, true, false],
    );
    const everything = { send: plan.documents.map(({ id }) => id), remove: [] };
    const report = await under.knowledge.uploads.run(plan, everything, under.signal);
    assert.deepEqual(report.updated, ['app∕a.md', 'app∕b.md', 'app/c.ts']);
    assert.deepEqual(
      under.platform.names().map((name) => under.platform.byName(name).record.id),
      ids,
    );
    assert.deepEqual(
      [...new Set([...under.platform.documents.values()].map(({ content }) => content))],
      ['new'],
    );
    assert.equal(under.platform.byName('app/c.ts').record.isEnabled, true);
  });

  it('takes a document out of the archive before it replaces it', async () => {
    await under.sendAll();
    under.platform.index('completed', { done: 1, of: 1 });
    const archived = under.platform.byName('app∕a.md');
    archived.record = { ...archived.record, isArchived: true };
    files.set('a.md', 'new', 2000);
    const { id } = archived.record;
    const created = under.platform.count('create');
    const everything = { send: ['app∕a.md'], remove: [] };
    const report = await under.knowledge.uploads.run(await under.plan(), everything, under.signal);
    assert.deepEqual(report.updated, ['app∕a.md']);
    const { record, content } = under.platform.byName('app∕a.md');
    assert.deepEqual([record.id, record.isArchived, content], [id, false, 'new']);
    const { platform } = under;
    assert.deepEqual([platform.count('update'), platform.count('create')], [1, created]);
  });

  for (const [kind, facts] of [
    ['that is empty', { technique: 'economical', documentCount: 0 }],
    ['without a technique', { documentCount: 2 }],
  ] as const) {
    it(`sends the first document of a knowledge base ${kind} alone, until one arrived`, async () => {
      Object.assign(under.platform.dataset, facts);
      const log: string[] = [];
      under.platform.before = (call) => {
        if (!isSending(call)) return;
        log.push(`begin ${call.name}`);
        if (call.name === 'app∕a.md') throw refusal('request', 400);
      };
      under.platform.after = (call) => void (isSending(call) && log.push(`end ${call.name}`));
      files.set('d.md', 'D');
      under.options.concurrency = 3;
      await under.sendAll();
      assert.deepEqual(log.slice(0, 3), ['begin app∕a.md', 'begin app∕b.md', 'end app∕b.md']);
    });
  }

  it('sends as many at a time as the setting says', async () => {
    Object.assign(under.platform.dataset, { technique: 'economical', documentCount: 1 });
    for (let index = 0; index < 9; index++) files.set(`${index}.md`, 'x');
    under.options.concurrency = 3;
    let now = 0;
    let most = 0;
    under.platform.before = async (call) => {
      if (!isSending(call)) return;
      most = Math.max(most, ++now);
      await settle();
    };
    under.platform.after = (call) => void (isSending(call) && now--);
    await under.sendAll();
    assert.equal(most, 3);
  });

  it('goes on after a failure and tries that one again when asked', async () => {
    failing('app∕b.md', refusal('request', 400));
    const report = await under.sendAll();
    assert.deepEqual(report.added, ['app∕a.md', 'app/c.ts']);
    assert.deepEqual(
      report.failed.map(({ name, isRemoval }) => ({ name, isRemoval })),
      [{ name: 'app∕b.md', isRemoval: false }],
    );
    assert.equal(statuses()['app/b.md'], 'notSent');

    under.platform.before = () => {};
    assert.ok(under.knowledge.uploads.hasFailed);
    const { plans } = await under.knowledge.uploads.planRetry(under.signal);
    const [retry, ...others] = plans;
    assert.ok(retry);
    assert.deepEqual(others, []);
    assert.deepEqual((await under.runSelected(retry)).added, ['app∕b.md']);
    assert.ok(!under.knowledge.uploads.hasFailed);
    assert.deepEqual(await under.knowledge.uploads.planRetry(under.signal), { plans: [], problems: [] });
    assert.deepEqual(await under.knowledge.uploads.interrupted(), []);
  });

  it('does not take a document of somebody else for one that it failed to send', async () => {
    failing('app∕b.md', refusal('request', 400));
    await under.sendAll();
    under.platform.before = () => {};
    under.platform.put('app∕b.md', 'theirs');
    const plan = await under.plan();
    assert.equal(plan.documents[1]?.conflict, 'taken');
  });

  it('asks again before it replaces what others put there since it failed', async () => {
    failing('app∕b.md', refusal('request', 400));
    await under.sendAll();
    under.platform.before = () => {};
    under.platform.put('app∕b.md', 'theirs');
    const [retry] = (await under.knowledge.uploads.planRetry(under.signal)).plans;
    assert.deepEqual(
      retry?.documents.map(({ name, isSelected }) => [name, isSelected]),
      [['app∕b.md', false]],
    );
  });

  it('waits longer and longer when the server wants that, all together', async () => {
    under.options.concurrency = 3;
    Object.assign(under.platform.dataset, { technique: 'economical', documentCount: 1 });
    const times: number[] = [];
    under.platform.before = (call) => {
      if (!isSending(call)) return;
      times.push(under.clock.now());
      if (times.length <= 9) throw refusal('rate-limit', 429);
    };
    const { added, failed } = await passTime(under.clock, under.sendAll());
    assert.equal(added.length, 3);
    assert.deepEqual(failed, []);
    const apart = [...new Set(times)];
    const pauses = apart.slice(1).map((time, index) => time - (apart[index] ?? 0));
    assert.deepEqual(pauses, [1000, 2000, 4000]);
  });

  it('begins with a short pause again after something was taken', async () => {
    const refusals = new Set(['app∕a.md', 'app∕b.md']);
    under.platform.before = (call) => {
      if (isSending(call) && refusals.delete(call.name ?? '')) throw refusal('rate-limit', 429);
    };
    const plan = await under.plan();
    const pauses: (number | undefined)[] = [];
    const sending = under.knowledge.uploads.run(plan, allSelected(plan), under.signal, ({ pause }) => {
      if (pause) pauses.push(pause.ms);
    });
    await passTime(under.clock, sending);
    assert.deepEqual(pauses, [1000, 1000]);
  });

  it('waits longer again when only what was on its way before was taken meanwhile', async () => {
    Object.assign(under.platform.dataset, { technique: 'economical', documentCount: 1 });
    under.options.concurrency = 2;
    files.entries.delete('c.ts');
    let take = () => {};
    const taken = new Promise<void>((resolve) => (take = resolve));
    failing('app∕b.md', refusal('rate-limit', 429), 2);
    const { before } = under.platform;
    under.platform.before = (call) => (isSending(call) && call.name === 'app∕a.md' ? taken : before(call));
    const plan = await under.plan();
    const pauses: (number | undefined)[] = [];
    const sending = under.knowledge.uploads.run(plan, allSelected(plan), under.signal, ({ pause }) => {
      if (pause) pauses.push(pause.ms);
    });
    await settle();
    take();
    await settle();
    assert.deepEqual((await passTime(under.clock, sending)).failed, []);
    assert.deepEqual(pauses, [1000, 2000]);
  });

  it('closes each file, whatever became of it', async () => {
    failing('app∕b.md', refusal('request', 400));
    await under.sendAll();
    files.set('a.md', 'A2', 2000);
    failing('app∕a.md', refusal('transient'));
    await under.sendAll();
    assert.ok(files.opened.length >= 5);
    assert.equal(files.stillOpen, 0);
  });

  it('waits long where a plan counts the requests of a minute, and says for how long', async () => {
    failing('app∕b.md', refusal('rate-limit', 403), 3);
    const pauses: (number | undefined)[] = [];
    const plan = await under.plan();
    const sending = under.knowledge.uploads.run(plan, allSelected(plan), under.signal, ({ pause }) => {
      if (pause || pauses.at(-1)) pauses.push(pause?.ms);
    });
    assert.deepEqual((await passTime(under.clock, sending, 1000)).failed, []);
    assert.deepEqual(pauses, [20_000, undefined, 40_000, undefined, 60_000, undefined]);
  });

  it('gives up when waiting does not help, and leaves the rest to be tried again', async () => {
    failing('app∕b.md', refusal('rate-limit', 429));
    under.options.concurrency = 1;
    const report = await passTime(under.clock, under.sendAll(), 1000);
    assert.deepEqual(
      report.failed.map(({ name, error }) => [name, error.code]),
      [
        ['app∕b.md', 'rate-limit'],
        ['app/c.ts', 'rate-limit'],
      ],
    );
    under.platform.before = () => {};
    const [retry] = (await under.knowledge.uploads.planRetry(under.signal)).plans;
    assert.ok(retry);
    assert.equal((await under.runSelected(retry)).added.length, 2);
  });

  it('sends nothing more once a failure concerns all, not even what waits for its turn', async () => {
    Object.assign(under.platform.dataset, { technique: 'economical', documentCount: 1 });
    under.options.concurrency = 2;
    let refuseKey = () => {};
    under.platform.before = async ({ method, name }) => {
      if (method !== 'create') return;
      if (name === 'app∕b.md') throw refusal('rate-limit', 429);
      await new Promise<void>((resolve) => (refuseKey = resolve));
      throw refusal('key', 401);
    };
    const sending = under.sendAll();
    await settle();
    refuseKey();
    await settle();
    const report = await passTime(under.clock, sending, 1000);
    assert.deepEqual(
      report.failed.map(({ error }) => error.code),
      ['key', 'key', 'key'],
    );
    assert.equal(under.platform.count('create'), 2);
  });

  it('blames the file when it breaks off while it is sent, and nobody has to look whether it arrived', async () => {
    const breaks = Object.assign(new Error('EIO: i/o error, read'), { syscall: 'read' });
    const plan = await under.plan();
    files.entries.set('a.md', { content: 'A', mtimeMs: 1000, breaks });
    const lists = under.platform.count('list');
    const report = await under.runSelected(plan);
    assert.deepEqual(
      report.failed.map(({ name, error }) => [name, error.code, error.systemError]),
      [['app∕a.md', 'local-file', 'EIO: i/o error, read']],
    );
    assert.deepEqual([report.added.length, under.platform.count('list')], [2, lists]);
    under.platform.put('app∕a.md', 'theirs');
    files.set('a.md', 'A');
    const [again] = (await under.plan()).documents;
    assert.equal(again?.conflict, 'taken');
  });

  it('sends again what a broken connection lost, once', async () => {
    failing('app∕b.md', refusal('transient'), 1);
    assert.equal((await under.sendAll()).added.length, 3);
    assert.equal(under.platform.accepted.length, 3);

    files.set('a.md', 'A2', 2000);
    failing('app∕a.md', refusal('transient'));
    assert.deepEqual(
      (await under.sendAll()).failed.map(({ error }) => error.code),
      ['transient'],
    );
    assert.equal(under.platform.calls.filter(({ name }) => name === 'app∕a.md').length, 3);
  });

  it('does not send again what arrived although the answer was lost: new or replaced', async () => {
    failing('app∕b.md', refusal('transient', 502), 1, 'after');
    assert.equal((await under.sendAll()).added.length, 3);
    under.platform.index('completed');
    files.set('b.md', 'B2', 2000);
    failing('app∕b.md', refusal('timeout-idle'), 1, 'after');
    assert.deepEqual((await under.sendAll()).updated, ['app∕b.md']);
    assert.equal(under.platform.accepted.length, 4);
    assert.deepEqual(
      (await under.plan()).documents.map(({ change }) => change),
      ['unchanged', 'unchanged', 'unchanged'],
    );
  });

  describe('during an outage', () => {
    const serverError = refusal('transient', 500);
    /** Runs the selection; returns the pauses with their reasons. */
    async function run(plan: UploadPlan) {
      const pauses: string[] = [];
      const running = under.knowledge.uploads.run(plan, allSelected(plan), under.signal, ({ pause }) => {
        if (pause) pauses.push(`${pause.reason} ${pause.ms / 1000}`);
      });
      return { report: await passTime(under.clock, running, 500), pauses };
    }
    const creations = () => under.platform.calls.filter(isSending).map(({ name }) => name);

    it('waits as for a lost connection, fails nothing, and sends nothing twice', async () => {
      for (const [when, code, reason] of [
        ['before', 'transient', 'failing'],
        ['after', 'transient', 'failing'],
        ['before', 'offline', 'offline'],
        ['after', 'offline', 'failing'],
      ] as const) {
        under = new KnowledgeUnderTest({ files });
        Object.assign(under.options, { concurrency: 3 });
        Object.assign(under.platform.dataset, { technique: 'economical', documentCount: 1 });
        const plan = await under.plan();
        const error = code === 'offline' ? refusal('offline') : serverError;
        let isDown = false;
        const until = under.clock.now() + 5000;
        const down = () => isDown && under.clock.now() < until;
        under.platform.before = (call) => {
          if (call.name === 'app∕b.md' && isSending(call) && when === 'before') isDown = true;
          if (down()) throw error;
        };
        // Everything is stored, and the answer is lost.
        under.platform.after = (call) => {
          if (call.name !== 'app∕b.md' || !isSending(call) || when === 'before') return;
          isDown = true;
          if (down()) throw code === 'offline' ? refusal('transient') : error;
        };
        const { report, pauses } = await run(plan);
        assert.deepEqual([report.added.length, report.failed], [3, []], `${when} ${code}`);
        assert.equal(under.platform.accepted.length, 3, `${when} ${code}`);
        const expected = code === 'offline' && when === 'after' ? 'offline' : reason;
        assert.deepEqual(pauses, [`${expected} 1`, `${expected} 2`, `${expected} 4`], `${when} ${code}`);
      }
    });

    for (const others of [['d.md'], ['d.md', 'e.md', 'f.md']]) {
      const count = 2 + others.length;
      it(`is known by three documents in a row, where only sending fails; all ${count} are sent in the end`, async () => {
        for (const name of others) files.set(name, name);
        const plan = await under.plan();
        const until = under.clock.now() + 2500;
        under.platform.before = (call) => {
          if (isSending(call) && call.name !== 'app∕a.md' && under.clock.now() < until) throw serverError;
        };
        const { report, pauses } = await run(plan);
        assert.deepEqual([report.added.length, report.failed], [1 + count, []]);
        assert.deepEqual(pauses, ['failing 1', 'failing 2']);
        assert.equal(under.platform.accepted.length, 1 + count);
        assert.ok(!under.knowledge.uploads.hasFailed);
      });
    }

    it('is none when one document fails every time', async () => {
      failing('app∕a.md', serverError);
      const { report, pauses } = await run(await under.plan());
      assert.deepEqual(
        report.failed.map(({ name }) => name),
        ['app∕a.md'],
      );
      assert.deepEqual([report.added.length, pauses], [2, []]);
    });

    it('is not waited for longer than about a minute; the rest is tried again when asked', async () => {
      const plan = await under.plan();
      const began = under.clock.now();
      under.platform.before = (call) => {
        if (call.name !== 'app∕a.md') throw serverError;
      };
      const { report } = await run(plan);
      assert.deepEqual([report.added.length, report.failed.length], [1, 2]);
      assert.ok(under.clock.now() - began < 70_000);
      assert.ok(creations().length < 12, `${creations().length} tries`);
      under.platform.before = () => {};
      const [retry] = (await under.knowledge.uploads.planRetry(under.signal)).plans;
      assert.ok(retry);
      assert.equal((await under.runSelected(retry)).added.length, 2);
    });

    it('does not end what is to be removed', async () => {
      await under.sendAll();
      files.entries.delete('a.md');
      files.entries.delete('b.md');
      const plan = await under.plan('/work', true);
      const until = under.clock.now() + 2000;
      under.platform.before = () => {
        if (under.clock.now() < until) throw serverError;
      };
      const { report } = await run(plan);
      assert.deepEqual([report.removed, report.failed], [['app∕a.md', 'app∕b.md'], []]);
    });

    it('can be stopped', async () => {
      const plan = await under.plan();
      under.platform.before = () => {
        throw serverError;
      };
      const running = under.knowledge.uploads.run(plan, allSelected(plan), under.signal, ({ pause }) => {
        if (pause) under.stop();
      });
      const { failed, notSent, isCancelled } = await passTime(under.clock, running, 500);
      assert.deepEqual([failed, notSent, isCancelled], [[], 3, true]);
    });
  });

  describe('of several knowledge bases', () => {
    it('tells which cannot be retried, and forgets what failed in one that was deleted', async () => {
      failing('app∕b.md', refusal('request', 400));
      await under.sendAll();
      const error = serverDown();
      under.platform.before = () => {
        throw error;
      };
      assert.deepEqual(await under.knowledge.uploads.planRetry(under.signal), {
        plans: [],
        problems: [{ datasetName: 'Docs', error }],
      });
      assert.ok(under.knowledge.uploads.hasFailed);
      under.platform.before = () => {
        throw refusal('request', 404);
      };
      const { plans, problems } = await under.knowledge.uploads.planRetry(under.signal);
      assert.deepEqual(plans, []);
      assert.match(problems[0]?.error.message ?? '', /"Docs"/);
      assert.ok(!under.knowledge.uploads.hasFailed);
    });
    const serverDown = () => refusal('transient', 500);
  });

  for (const [why, error] of [
    ['the key is refused', refusal('key', 401)],
    ['it is not permitted', refusal('not-permitted', 403)],
    ['the knowledge base is gone', refusal('request', 404)],
  ] as const) {
    it(`stops when ${why}: the rest is told to have failed with it`, async () => {
      under.options.concurrency = 1;
      failing('app∕b.md', error);
      const { added, failed } = await under.sendAll();
      assert.deepEqual(added, ['app∕a.md']);
      assert.deepEqual(
        failed.map(({ name, error: own }) => [name, own]),
        [
          ['app∕b.md', error],
          ['app/c.ts', error],
        ],
      );
      assert.equal(under.platform.count('create'), 2);
    });
  }

  it('stops when asked, and says how much was not begun', async () => {
    under.platform.before = (call) => {
      if (isSending(call) && call.name === 'app∕b.md') under.stop();
    };
    const plan = await under.plan();
    const report = await under.knowledge.uploads.run(plan, allSelected(plan), under.signal);
    assert.deepEqual([report.added, report.notSent, report.isCancelled], [['app∕a.md'], 2, true]);
    assert.deepEqual(statuses(), { 'app/a.md': 'waiting' });
    // The user stopped it, so nobody is asked about it.
    assert.deepEqual(await new KnowledgeUnderTest(under).knowledge.uploads.interrupted(), []);
  });

  it('records what it sent, when the file changed after it was planned', async () => {
    const plan = await under.plan();
    files.set('a.md', 'A, changed', 2000);
    files.set('c.ts', 'let changed;', 2000);
    await under.runSelected(plan);
    assert.deepEqual(
      under.platform.accepted.map(({ content }) => content),
      ['A, changed', 'B', 'let changed;'],
    );
    assert.deepEqual(
      (await under.plan()).documents.map(({ change }) => change),
      ['unchanged', 'unchanged', 'unchanged'],
    );
  });

  it('records what it sent, when the file changed without a trace', async () => {
    const plan = await under.plan();
    files.set('a.md', 'Z');
    files.set('c.ts', 'let z;');
    await under.runSelected(plan);
    files.set('a.md', 'Z', 2000);
    files.set('c.ts', 'let z;', 2000);
    assert.deepEqual(
      (await under.plan()).documents.map(({ change }) => change),
      ['unchanged', 'unchanged', 'unchanged'],
    );
  });

  it('asks again before it replaces what others replaced since the user agreed to that', async () => {
    const theirs = under.platform.put('app∕b.md', 'theirs');
    failing('app∕b.md', refusal('request', 400));
    const plan = await under.plan();
    const send = plan.documents.map(({ id }) => id);
    await under.knowledge.uploads.run(plan, { send, remove: [] }, under.signal);
    under.platform.before = () => {};
    const isSelected = async () => {
      const [retry] = (await under.knowledge.uploads.planRetry(under.signal)).plans;
      return retry?.documents.map((document) => document.isSelected);
    };
    assert.deepEqual(await isSelected(), [true]);
    under.platform.byName('app∕b.md').record = { ...theirs, uploadFileId: 'newer' };
    assert.deepEqual(await isSelected(), [false]);
  });

  it('sends nothing before it is written down that it will be sent', async () => {
    const { storage } = under;
    const append = storage.append.bind(storage);
    let write = () => {};
    const written = new Promise<void>((resolve) => (write = resolve));
    storage.append = async (name, line) => {
      if (line.includes('"sending"')) await written;
      return append(name, line);
    };
    const sending = under.sendAll();
    await settle();
    assert.equal(under.platform.count('create'), 0);
    write();
    assert.equal((await sending).added.length, 3);
  });

  it('looks at a file once more that has changed and is as long as before', async () => {
    const secret = ['AK', 'IAQYLPMN5HHHFPZAM2'].join('');
    files.set('a.md', 'x'.repeat(secret.length));
    const plan = await under.plan();
    files.set('a.md', secret, 2000);
    const { failed } = await under.runSelected(plan);
    assert.deepEqual(
      failed.map(({ name, error }) => [name, error.message]),
      [['app∕a.md', 'Line 1 looks like an AWS access key.']],
    );
  });

  it('does not send a file that got a secret, or went away, after it was planned', async () => {
    const plan = await under.plan();
    const secret = ['AK', 'IAQYLPMN5HHHFPZAM2'].join('');
    files.set('a.md', secret, 2000);
    files.entries.delete('b.md');
    files.set('c.ts', secret, 2000);
    const { failed } = await under.runSelected(plan);
    assert.deepEqual(
      failed.map(({ error }) => error.message),
      [
        'Line 1 looks like an AWS access key.',
        '"b.md" doesn\'t exist.',
        'Line 1 looks like an AWS access key.',
      ],
    );
    assert.deepEqual(under.platform.accepted, []);
  });

  it('leaves the spaces of source code alone, as far as the rule is ours', async () => {
    const rules = {
      pre_processing_rules: [{ id: 'remove_extra_spaces' as const, enabled: true }],
      segmentation: { separator: '\n', max_tokens: 100 },
    };
    under.options.processRule = { mode: 'custom', rules };
    await under.sendAll();
    const enabled = under.platform.accepted.map(
      ({ settings: { processRule } }) =>
        processRule.mode !== 'automatic' && processRule.rules.pre_processing_rules[0]?.enabled,
    );
    assert.deepEqual(enabled, [true, true, false]);
  });

  it('removes only what was confirmed, after all was sent', async () => {
    await under.sendAll();
    files.entries.delete('a.md');
    files.entries.delete('b.md');
    files.set('d.md', 'D');
    const plan = await under.plan('/work', true);
    const [first] = plan.removals;
    assert.ok(first);
    const report = await under.knowledge.uploads.run(
      plan,
      { send: ['app∕d.md'], remove: [first.documentId, 'not-in-the-plan'] },
      under.signal,
    );
    assert.deepEqual(report.removed, ['app∕a.md']);
    assert.deepEqual(under.platform.names(), ['app/c.ts', 'app∕b.md', 'app∕d.md']);
    const order = under.platform.calls.map(({ method, name }) => `${method} ${name}`);
    assert.ok(order.indexOf('create app∕d.md') < order.indexOf('delete app∕a.md'));
  });

  it('keeps the old document when a renamed file could not be sent', async () => {
    await under.sendAll();
    files.entries.delete('a.md');
    files.set('renamed.md', 'A');
    failing('app∕renamed.md', refusal('request', 400));
    const report = await under.sendAll('/work', true);
    assert.deepEqual(
      report.failed.map(({ name, isRemoval }) => [name, isRemoval]),
      [
        ['app∕renamed.md', false],
        ['app∕a.md', true],
      ],
    );
    assert.ok(under.platform.byName('app∕a.md'));
  });

  it('tries a deletion that failed again when asked', async () => {
    await under.sendAll();
    files.entries.delete('a.md');
    under.platform.before = ({ method }) => {
      if (method === 'delete') throw refusal('request', 400);
    };
    const { failed } = await under.sendAll('/work', true);
    assert.deepEqual(
      failed.map(({ name, isRemoval }) => [name, isRemoval]),
      [['app∕a.md', true]],
    );
    under.platform.before = () => {};
    const [retry] = (await under.knowledge.uploads.planRetry(under.signal)).plans;
    assert.ok(retry);
    assert.deepEqual((await under.runSelected(retry)).removed, ['app∕a.md']);
    assert.ok(!under.knowledge.uploads.hasFailed);
  });

  it('counts as removed what somebody else removed meanwhile', async () => {
    await under.sendAll();
    files.entries.delete('a.md');
    const plan = await under.plan('/work', true);
    under.platform.documents.delete(under.platform.byName('app∕a.md').record.id);
    assert.deepEqual((await under.runSelected(plan)).removed, ['app∕a.md']);
  });

  it('tells how far it is', async () => {
    const told: RunProgress[] = [];
    const plan = await under.plan();
    await under.knowledge.uploads.run(plan, allSelected(plan), under.signal, (progress) =>
      told.push(progress),
    );
    assert.deepEqual(told.at(-1), { done: 3, total: 3, current: told.at(-1)?.current });
    assert.ok(told.every(({ done }, index) => done >= (told[index - 1]?.done ?? 0)));
  });

  it('runs one after the other in a knowledge base', async () => {
    const plan = await under.plan();
    const [first, second] = plan.documents;
    assert.ok(first && second);
    const log: string[] = [];
    under.platform.before = async (call) => {
      if (!isSending(call)) return;
      log.push(`begin ${call.name}`);
      await settle();
    };
    under.platform.after = (call) => void (isSending(call) && log.push(`end ${call.name}`));
    const run = (id: string) => under.knowledge.uploads.run(plan, { send: [id], remove: [] }, under.signal);
    await Promise.all([run(first.id), run(second.id)]);
    assert.deepEqual(log, ['begin app∕a.md', 'end app∕a.md', 'begin app∕b.md', 'end app∕b.md']);
  });

  it('fails as a whole, without a word to the platform, when it cannot be written down', async () => {
    const plan = await under.plan();
    under.storage.append = () => Promise.reject(new Error('The disk is full.'));
    const { failed } = await under.runSelected(plan);
    assert.deepEqual(
      failed.map(({ error }) => error.systemError),
      Array(3).fill('The disk is full.'),
    );
    assert.deepEqual(under.platform.accepted, []);
  });

  it('says in the log what could not be written down of a document that arrived', async () => {
    const { storage } = under;
    const plan = await under.plan();
    const append = storage.append.bind(storage);
    storage.append = (name, line) =>
      /"type":"(sent|ended)"/.test(line)
        ? Promise.reject(new Error('The disk is full.'))
        : append(name, line);
    const { added, failed } = await under.runSelected(plan);
    assert.deepEqual([added.length, failed], [3, []]);
    const types = under.logged.map((message) => /a line "(\w+)" .*The disk is full/.exec(message)?.[1]);
    assert.deepEqual(types, ['sent', 'sent', 'sent', 'ended']);

    storage.append = append;
    const { documents } = await new KnowledgeUnderTest(under).plan();
    assert.deepEqual(new Set(documents.map(({ change }) => change)), new Set(['unchanged']));
  });

  it('does not raise an event for each of many documents', async () => {
    for (let index = 0; index < 500; index++) files.set(`many/${index}.md`, 'x');
    let events = 0;
    under.knowledge.onDidChange(() => events++);
    await under.sendAll();
    under.clock.advance(500);
    assert.ok(events <= 10, `${events} events`);
    assert.equal(under.clock.pending, 1, 'only the look at the indexing is to come');
  });
});
