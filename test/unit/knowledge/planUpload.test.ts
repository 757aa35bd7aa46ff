import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AddTarget } from '../../../src/knowledge/upload/gatherSources.ts';
import type { UploadPlan } from '../../../src/knowledge/upload/uploadPlan.ts';
import { allSelected, KnowledgeUnderTest, MemoryLocalFiles } from '../../support/memoryKnowledge.ts';

/** Assembled, so that no scanner takes this file for one with secrets. */
const awsKey = ['AK', 'IAQYLPMN5HHHFPZAM2'].join('');

const changes = ({ documents }: UploadPlan) =>
  Object.fromEntries(documents.map(({ origin, change, conflict }) => [origin.path, conflict ?? change]));
const skipped = ({ skipped: all }: UploadPlan) =>
  Object.fromEntries(all.map(({ path, reason }) => [path, reason]));

describe('planning what to send', () => {
  let under: KnowledgeUnderTest;
  let files: MemoryLocalFiles;
  beforeEach(() => {
    files = new MemoryLocalFiles({ 'docs/a.md': 'A', 'docs/b.md': 'B', 'src/c.ts': 'let c;' });
    under = new KnowledgeUnderTest({ files });
  });

  const select = (text: string, startLine = 1, endLine = 1): AddTarget => ({
    ...{ type: 'selection', path: '/work/src/c.ts', startLine, endLine, text },
  });
  const planOf = (...targets: AddTarget[]) =>
    under.knowledge.uploads.plan({ datasetId: 'd-1', targets, isSync: false }, under.signal);

  it('sends nothing and writes nothing', async () => {
    await under.plan();
    assert.deepEqual(under.platform.accepted, []);
    assert.deepEqual([...under.storage.texts.keys()], []);
  });

  it('tells new from changed and unchanged', async () => {
    await under.sendAll();
    files.set('docs/b.md', 'B2', 2000);
    files.set('docs/new.md', 'new');
    const plan = await under.plan();
    assert.deepEqual(changes(plan), {
      'docs/a.md': 'unchanged',
      'docs/b.md': 'changed',
      'src/c.ts': 'unchanged',
      'docs/new.md': 'new',
    });
    assert.deepEqual(allSelected(plan).send, ['app∕docs∕b.md', 'app∕docs∕new.md']);
  });

  it('does not open a file whose size and time are as they were', async () => {
    await under.sendAll();
    files.opened.length = 0;
    await under.plan();
    assert.deepEqual(files.opened, []);
    files.set('docs/a.md', 'A', 2000);
    assert.equal(changes(await under.plan())['docs/a.md'], 'unchanged');
    assert.deepEqual(files.opened, ['docs/a.md']);
  });

  it('opens a file that was changed just before it was sent', async () => {
    files.set('docs/a.md', 'A', under.clock.now() - 1);
    await under.sendAll();
    // Changed again within the same tick of the file system's clock.
    files.set('docs/a.md', 'Z', under.clock.now() - 1);
    assert.equal(changes(await under.plan())['docs/a.md'], 'changed');
  });

  it('notices what others did to the documents', async () => {
    under.platform.put('app∕docs∕a.md', 'theirs');
    const first = await under.plan();
    assert.deepEqual(first.documents.map(({ conflict, isSelected }) => [conflict, isSelected])[0], [
      'taken',
      false,
    ]);
    await under.runSelected(first);

    const { record } = under.platform.byName('app∕docs∕b.md');
    const stored = under.platform.byName('app∕docs∕b.md');
    stored.record = { ...record, uploadFileId: 'theirs' };
    under.platform.documents.delete(under.platform.byName('app/src/c.ts').record.id);
    const plan = await under.plan();
    assert.deepEqual(changes(plan), {
      'docs/a.md': 'taken',
      'docs/b.md': 'changed-there',
      'src/c.ts': 'deleted-there',
    });
    assert.deepEqual(allSelected(plan).send, ['app/src/c.ts']);
    assert.deepEqual(allSelected(await under.plan('/work', true)).send, []);

    under.platform.put('app/src/c.ts', 'theirs');
    assert.equal(changes(await under.plan())['src/c.ts'], 'changed-there');
  });

  it('leaves out what cannot or must not be sent, and says why', async () => {
    files.set('big.md', 'x'.repeat(1_000_001));
    files.set('empty.md', '');
    files.set('old.doc', 'x');
    files.set('picture.png', new Uint8Array([137, 0, 1]));
    files.set('src/key.ts', `\nconst key = "${awsKey}";`);
    files.set('wide.txt', Buffer.from(awsKey, 'utf16le'));
    files.set('dist/out/a.js', 'x');
    files.set('src/dist/b.js', 'x');
    files.set('ignored.md', 'x');
    const refused = { path: 'ignored.md', refusal: 'It is ignored.', isWithheld: true };
    files.entries.set('ignored.md', { content: '', mtimeMs: 1, refused });
    files.entries.set('locked.md', {
      content: '',
      mtimeMs: 1,
      refused: { ...refused, path: 'locked.md', isWithheld: false },
    });
    under.options.exclude = ['dist', '**/b.md'];

    const plan = await under.plan();
    assert.deepEqual(skipped(plan), {
      'big.md': 'too-large',
      'empty.md': 'empty',
      'old.doc': 'type',
      'picture.png': 'binary',
      'src/key.ts': 'secret',
      'wide.txt': 'secret',
      'dist/out/a.js': 'excluded',
      'src/dist/b.js': 'excluded',
      'docs/b.md': 'excluded',
      'ignored.md': 'policy',
      'locked.md': 'unreadable',
    });
    assert.equal(
      plan.skipped.find(({ path }) => path === 'src/key.ts')?.message,
      'Line 2 looks like an AWS access key.',
    );
    assert.deepEqual(Object.keys(changes(plan)), ['docs/a.md', 'src/c.ts']);
    // An invalid exclusion was meant to keep files here, so nothing is sent.
    under.options.exclude = ['x'.repeat(501)];
    assert.deepEqual(changes(await under.plan()), {});
  });

  it('plans a selection under its lines, by its text', async () => {
    const plan = await planOf(select('let c;', 10, 20));
    assert.deepEqual(
      plan.documents.map(({ name, how, origin, bytes }) => ({ name, how, origin, bytes })),
      [
        {
          name: 'app/src/c.ts (lines 10-20)',
          how: 'text',
          origin: { path: 'src/c.ts', lines: { start: 10, end: 20 } },
          bytes: 6,
        },
      ],
    );
    await under.runSelected(plan);
    assert.equal((await planOf(select('let c;', 10, 20))).documents[0]?.change, 'unchanged');
    assert.equal((await planOf(select('let d;', 10, 20))).documents[0]?.change, 'changed');
    assert.deepEqual(skipped(await planOf(select(''))), { 'src/c.ts': 'empty' });
    assert.deepEqual(skipped(await planOf(select(`key = "${awsKey}"`))), { 'src/c.ts': 'secret' });
  });

  it('looks at no more files once it is cancelled, though it opens none', async () => {
    for (let index = 0; index < 50; index++) files.set(`many/${index}.md`, 'x');
    await under.sendAll();
    const request = { datasetId: 'd-1', targets: [{ type: 'path' as const, path: '/work' }], isSync: false };
    let looked = 0;
    const planning = under.knowledge.uploads.plan(request, under.signal, (count) => {
      looked = count;
      if (count === 5) under.stop();
    });
    await assert.rejects(planning);
    assert.ok(looked < 20, `${looked} were looked at`);
  });

  it('lists what is named twice once', async () => {
    const plan = await planOf({ type: 'path', path: '/work' }, { type: 'path', path: '/work/docs/a.md' });
    assert.equal(plan.documents.length, 3);
  });

  it('says that unsaved changes are not sent', async () => {
    files.entries.set('docs/a.md', { content: 'A', mtimeMs: 1000, isUnsaved: true });
    const [first] = (await under.plan()).documents;
    assert.equal(first?.note, 'Unsaved changes are not uploaded.');
  });

  it('takes technique and form as the knowledge base has them', async () => {
    under.options.processRule = { mode: 'automatic' };
    Object.assign(under.platform.dataset, { technique: 'high_quality', form: 'hierarchical_model' });
    const { settings } = await under.plan();
    assert.equal(settings.technique, 'high_quality');
    assert.equal(settings.form, 'hierarchical_model');
    assert.equal(settings.processRule.mode, 'hierarchical');
  });

  it('refuses a knowledge base of another system', async () => {
    under.platform.dataset.isExternal = true;
    await assert.rejects(under.plan(), { code: 'request', message: /external and read-only/ });
  });

  it('changes nothing more once all was sent', async () => {
    const tree = fc.dictionary(
      fc.stringMatching(/^[a-c]{1,2}(\/[a-c]{1,2})?$/).map((path) => `${path}.x`),
      fc.record({
        extension: fc.constantFrom('md', 'ts', 'txt', 'json'),
        content: fc.string({ minLength: 1 }),
      }),
      { maxKeys: 8 },
    );
    await fc.assert(
      fc.asyncProperty(tree, tree, async (first, second) => {
        const window = new KnowledgeUnderTest();
        for (const [index, contents] of [first, second].entries()) {
          window.files.entries.clear();
          for (const [path, { extension, content }] of Object.entries(contents)) {
            window.files.set(`${path}.${extension}`, content, index);
          }
          await window.sendAll('/work', true);
          const again = await window.plan('/work', true);
          assert.deepEqual(
            [...new Set(again.documents.map(({ change }) => change))].filter(
              (change) => change !== 'unchanged',
            ),
            [],
          );
          assert.deepEqual(again.removals, []);
          assert.deepEqual(window.platform.names(), again.documents.map(({ name }) => name).toSorted());
        }
      }),
      { numRuns: 60 },
    );
  });

  describe('of a linked folder', () => {
    const sync = (path = '/work/docs') => under.plan(path, true);
    const removals = ({ removals: all }: UploadPlan) =>
      Object.fromEntries(all.map(({ path, reason }) => [path, reason]));
    beforeEach(async () => void (await under.sendAll()));

    it('lists what is gone below it, and counts what stays', async () => {
      files.entries.delete('docs/b.md');
      files.entries.delete('src/c.ts');
      const plan = await sync();
      assert.deepEqual(removals(plan), { 'docs/b.md': 'removed' });
      assert.equal(plan.keeps, 1);
      assert.deepEqual(removals(await sync('/work')), { 'docs/b.md': 'removed', 'src/c.ts': 'removed' });
    });

    it('leaves alone what lies in a folder whose name only begins like it', async () => {
      files.set('docs-old/d.md', 'D');
      await under.sendAll();
      files.entries.delete('docs-old/d.md');
      const plan = await sync();
      assert.deepEqual([removals(plan), plan.keeps], [{}, 2]);
    });

    it('pairs a file that was renamed with its old name', async () => {
      files.entries.delete('docs/b.md');
      files.set('docs/renamed.md', 'B');
      const plan = await sync();
      assert.deepEqual(removals(plan), { 'docs/b.md': 'renamed' });
      assert.equal(plan.documents.find(({ renamedFrom }) => renamedFrom)?.origin.path, 'docs/renamed.md');
      await under.runSelected(plan);
      assert.deepEqual(under.platform.names(), ['app/src/c.ts', 'app∕docs∕a.md', 'app∕docs∕renamed.md']);
    });

    it('pairs each renamed file with one old name, and nothing with a copy that was there before', async () => {
      files.set('docs/twin.md', 'B');
      await under.sendAll();
      files.entries.delete('docs/b.md');
      // Its twin has been there all the time.
      assert.deepEqual(removals(await sync()), { 'docs/b.md': 'removed' });
      files.entries.delete('docs/twin.md');
      files.set('docs/renamed.md', 'B');
      const plan = await sync();
      assert.deepEqual(Object.values(removals(plan)).toSorted(), ['removed', 'renamed']);
      assert.equal(plan.documents.filter(({ renamedFrom }) => renamedFrom !== undefined).length, 1);
    });

    it('lists what is skipped now, also where its content stands elsewhere', async () => {
      under.options.exclude = ['docs/b.md'];
      assert.deepEqual(removals(await sync()), { 'docs/b.md': 'skipped' });
      files.set('docs/copy.md', 'B');
      assert.deepEqual(removals(await sync()), { 'docs/b.md': 'skipped' });
    });

    it('takes no selection for a file that was renamed', async () => {
      await under.runSelected(await planOf(select('let c;', 1, 1)));
      files.set('src/c.ts', 'let d;', 2000);
      await under.sendAll();
      files.entries.delete('src/c.ts');
      files.set('src/moved.ts', 'let c;');
      const { removals: all } = await sync('/work');
      assert.deepEqual(
        all.map(({ name, reason }) => [name, reason]),
        [
          ['app/src/c.ts', 'removed'],
          ['app/src/c.ts (line 1)', 'removed'],
        ],
      );
    });

    it('goes on without what was disabled or archived there, unless it is chosen', async () => {
      for (const off of [{ isEnabled: false }, { isArchived: true }]) {
        const stored = under.platform.byName('app∕docs∕b.md');
        stored.record = { ...stored.record, isEnabled: true, isArchived: false, ...off };
        files.set('docs/b.md', 'B2', 2000);
        const plan = await sync();
        const [changed] = plan.documents.filter(({ change }) => change === 'changed');
        assert.deepEqual([changed?.origin.path, changed?.isSelected], ['docs/b.md', false]);
        assert.match(changed?.note ?? '', /Disabled or archived/);
      }
    });

    it('does not take what cannot be read for gone: a file, its folder, or all of it', async () => {
      for (const path of ['docs/b.md', 'docs', '/work/docs']) {
        files.entries.delete('docs/a.md');
        files.entries.delete('docs/b.md');
        files.set('docs/a.md', 'A');
        const refused = { path, refusal: 'No.', isWithheld: false };
        files.entries.set('docs/b.md', { content: '', mtimeMs: 1, refused });
        const plan = await sync();
        assert.deepEqual(removals(plan), {}, path);
        assert.equal(plan.keeps, 2);
        if (path === 'docs') assert.deepEqual(removals(await sync('/work')), {});
      }
    });

    it('does not take a folder that is kept back as a whole for an empty one', async () => {
      files.entries.clear();
      const refused = { path: '/work/docs', refusal: 'The workspace is not trusted.', isWithheld: true };
      files.entries.set('docs/x', { content: '', mtimeMs: 1, refused });
      assert.deepEqual(removals(await sync()), {});
    });

    it("leaves alone what is not this workspace's, and what others replaced", async () => {
      under.platform.put('app∕docs∕theirs.md', 'theirs');
      files.entries.delete('docs/b.md');
      const stored = under.platform.byName('app∕docs∕b.md');
      stored.record = { ...stored.record, uploadFileId: 'theirs' };
      assert.deepEqual(removals(await sync()), {});
    });

    it('keeps a selection as long as its file is there', async () => {
      await under.runSelected(await planOf(select('let', 1, 1)));
      assert.deepEqual(removals(await sync('/work')), {});
      files.set('src/c.ts', 'x'.repeat(1_000_001), 2000);
      assert.deepEqual(
        (await sync('/work')).removals.map(({ name, reason }) => [name, reason]),
        [['app/src/c.ts', 'skipped']],
      );
      files.entries.delete('src/c.ts');
      const { removals: all } = await sync('/work');
      assert.deepEqual(
        all.map(({ name }) => name),
        ['app/src/c.ts', 'app/src/c.ts (line 1)'],
      );
    });
  });
});
