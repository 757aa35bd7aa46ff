import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { createToolDependencies, workspaceTools } from '../../../src/tools/allTools.ts';
import { NewErrors } from '../../../src/tools/edits/newErrors.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import type { Diagnostic } from '../../../src/tools/files/workspace.ts';
import { MemoryJournal } from '../../support/memorySnapshots.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';

const error = (path: string, line: number, message: string): Diagnostic => ({
  path,
  range: { start: { line, column: 1 }, end: { line, column: 2 } },
  severity: 'error',
  message,
  source: 'ts',
});

function setUp(files: Record<string, string>) {
  const workspace = new MemoryWorkspace(files);
  const dependencies = createToolDependencies(workspace, {
    workerFile: '',
    ripgrep: undefined,
    timeoutMs: 1000,
  });
  const tools = new ToolSet(workspaceTools(dependencies));
  const journal = new MemoryJournal();
  const context = { signal: new AbortController().signal, journal, failedEdits: new Map<string, number>() };
  const run = async (input: object, name = 'edit_file') => {
    const call = tools.prepare({ name, input });
    assert.ok(!('problem' in call), 'problem' in call ? call.problem : '');
    return call.run(context);
  };
  const text = (path: string) => workspace.memory.entries.get(`/work/${path}`);
  return { context, journal, run, text, tools, workspace };
}

const swap = (oldText: string, newText: string, path?: string) => ({
  oldText,
  newText,
  ...(path && { path }),
});

describe('tools: the text before an edit', () => {
  it('is kept while the user decides, and again right before the edit, which is not made without it', async () => {
    const { context, journal, text, tools, workspace } = setUp({ '/work/a.ts': 'a' });
    const call = tools.prepare({
      name: 'edit_file',
      input: { path: 'a.ts', replacements: [swap('a', 'x')] },
    });
    assert.ok(!('problem' in call));
    const kept: (string | undefined)[] = [];
    let isFull = false;
    journal.snapshotsKept.put = async (before) => {
      if (isFull) throw new Error('the disk is full');
      kept.push(before);
      return before;
    };
    const proposal = await call.propose?.(context);
    assert.ok(proposal && 'apply' in proposal);
    assert.deepEqual(kept, ['a']);
    isFull = true;
    const edits: unknown[] = [];
    const { apply } = workspace.edits;
    workspace.edits.apply = async (edit) => {
      edits.push(kept.length);
      return apply(edit);
    };
    assert.match((await proposal.apply(context)).content, /the disk is full/);
    assert.deepEqual([text('a.ts'), edits], ['a', []]);
    isFull = false;
    await proposal.apply(context);
    assert.deepEqual([text('a.ts'), edits], ['x', [2]], 'the edit comes after the second');
  });
});

describe('tools: edits of several files in one call', () => {
  it('are one proposal, made and recorded together', async () => {
    const { context, journal, text, tools } = setUp({
      '/work/a.ts': 'a',
      '/work/b.ts': 'b',
      '/work/package.json': '{}',
    });
    const call = tools.prepare({
      name: 'edit_file',
      input: {
        path: 'a.ts',
        replacements: [
          swap('a', 'x'),
          swap('b', 'y', 'b.ts'),
          swap('x', 'xx'),
          swap('{}', '{ }', 'package.json'),
        ],
      },
    });
    assert.ok(!('problem' in call));
    const proposal = await call.propose?.(context);
    assert.ok(proposal && 'apply' in proposal);
    assert.deepEqual(
      proposal.files.map(({ path, after }) => [path, after]),
      [
        ['a.ts', 'xx'],
        ['b.ts', 'y'],
        ['package.json', '{ }'],
      ],
    );
    // One file that always asks makes the whole call ask.
    assert.ok(proposal.protection);
    const { content, changed, locations } = await proposal.apply(context);
    assert.match(content, /^Edited a\.ts: [^]*\nEdited b\.ts: [^]*\nEdited package\.json: /);
    assert.deepEqual(changed, { added: 3, removed: 3 });
    assert.equal(locations?.length, 3);
    assert.deepEqual([text('a.ts'), text('b.ts')], ['xx', 'y']);
    assert.equal(journal.edits.length, 3);
  });

  it('are none at all where one does not fit, or cannot be made', async () => {
    const { journal, run, text, workspace } = setUp({ '/work/a.ts': 'a', '/work/b.ts': 'b' });
    const both = { path: 'a.ts', replacements: [swap('a', 'x'), swap('q', 'y', 'b.ts')] };
    assert.match((await run(both)).content, /^b\.ts was not changed, and nothing was written\./);
    assert.deepEqual(workspace.applied, []);
    const apply = workspace.edits.apply;
    workspace.edits.apply = async (edit) => {
      if (edit.path === '/work/b.ts') throw new Error('read-only');
      return apply(edit);
    };
    const { content, isError } = await run({
      path: 'a.ts',
      replacements: [swap('a', 'x'), swap('b', 'y', 'b.ts')],
    });
    assert.ok(isError);
    assert.match(content, /read-only/);
    assert.deepEqual([text('a.ts'), text('b.ts')], ['a', 'b']);
    assert.equal(journal.edits.length, 0);
  });

  it('have the editor read the files while the user decides, but not the new ones', async () => {
    const { context, tools, workspace } = setUp({ '/work/a.ts': 'a', '/work/b.ts': 'b' });
    const propose = async (name: string, input: object) => {
      const call = tools.prepare({ name, input });
      assert.ok('propose' in call && call.propose);
      await call.propose(context);
    };
    await propose('edit_file', { path: 'a.ts', replacements: [swap('a', 'A'), swap('b', 'B', 'b.ts')] });
    await propose('create_file', { path: 'c.ts', content: 'c' });
    assert.deepEqual([workspace.prepared, workspace.applied], [['/work/a.ts', '/work/b.ts'], []]);
  });

  it('are refused where one file is named two ways', async () => {
    const { run, text } = setUp({ '/work/a.ts': 'a' });
    const { content } = await run({ path: 'a.ts', replacements: [swap('a', 'x'), swap('a', 'y', './a.ts')] });
    assert.match(content, /name it one way\. Nothing was written/);
    assert.equal(text('a.ts'), 'a');
  });
});

describe('tools: what a model is told of an edit', () => {
  it('says after the second failure on a file to read it again, until one fits', async () => {
    const { run } = setUp({ '/work/a.ts': 'a', '/work/b.ts': 'b' });
    const wrong = (path: string) => run({ path, replacements: [swap('q', 'x')] });
    assert.doesNotMatch((await wrong('a.ts')).content, /edit 2/);
    assert.doesNotMatch((await wrong('b.ts')).content, /edit 2/);
    assert.match((await wrong('a.ts')).content, /This is edit 2 of it that does not fit: read a\.ts again/);
    await run({ path: 'a.ts', replacements: [swap('a', 'c')] });
    assert.doesNotMatch((await wrong('a.ts')).content, /edit 2/);
  });

  it('is first that it was made, then only the errors that it brought, each once', async () => {
    const { run, workspace } = setUp({ '/work/a.ts': 'a', '/work/b.ts': 'b' });
    const there = error('/work/a.ts', 1, 'was there');
    workspace.diagnosticList = [there, { ...error('/work/a.ts', 1, 'only a warning'), severity: 'warning' }];
    workspace.onApply = () => {
      workspace.diagnosticList = [
        { ...there, range: error('', 9, '').range },
        error('/work/a.ts', 3, 'is new'),
      ];
    };
    const first = await run({ path: 'a.ts', replacements: [swap('a', 'c')] });
    assert.equal(first.isError, false);
    assert.match(first.content, /^Edited a\.ts: [^]*\nNew error since then:\na\.ts:3 is new \[ts\]$/);
    // The result of one file's edit includes errors in files edited earlier in the turn.
    workspace.onApply = () => workspace.diagnosticList.push(error('/work/a.ts', 4, 'is newer'));
    const second = await run({ path: 'b.ts', replacements: [swap('b', 'c')] });
    assert.match(second.content, /New error since then:\na\.ts:4 is newer \[ts\]$/);
    workspace.onApply = () => {};
    const third = await run({ path: 'b.ts', replacements: [swap('c', 'd')] });
    assert.doesNotMatch(third.content, /New error/);
  });

  it('is at most ten errors', async () => {
    const { run, workspace } = setUp({ '/work/a.ts': 'a' });
    workspace.onApply = () => {
      for (let n = 1; n <= 12; n++) workspace.diagnosticList.push(error('/work/a.ts', n, `error ${n}`));
    };
    const { content } = await run({ path: 'a.ts', replacements: [swap('a', 'c')] });
    assert.match(
      content,
      /New errors since then:[^]*error 10 \[ts\]\n\[2 more; get_diagnostics gives all\.\]$/,
    );
  });

  it('waits two seconds for what is said of the file, and not for a kind of file that nobody looks at', async () => {
    const workspace = new MemoryWorkspace({});
    const clock = new ManualClock();
    const errors = new NewErrors(workspace.languages, clock);
    const signal = new AbortController().signal;
    const file = { shown: 'a.txt', realPath: '/work/a.txt' };
    /** Time until the answer, without new diagnostics. */
    const waitedMs = async () => {
      const watch = errors.begin({}, [file]);
      const begun = clock.now();
      let isTold = false;
      void watch.tell(signal).then(() => (isTold = true));
      for (const passed of [0, 1999, 1]) {
        clock.advance(passed);
        await new Promise(setImmediate);
        if (isTold) break;
      }
      assert.ok(isTold);
      watch.dispose();
      return clock.now() - begun;
    };
    assert.deepEqual([await waitedMs(), await waitedMs(), await waitedMs()], [2000, 2000, 0]);
    workspace.diagnosticList = [error('/work/b.txt', 1, 'x')];
    assert.equal(await waitedMs(), 2000);
    assert.equal(clock.pending, 0);
  });

  it('leaves no listener behind for each edit of a turn', async () => {
    const { context, run } = setUp({ '/work/a.ts': 'a' });
    await run({ path: 'a.ts', replacements: [swap('a', 'b')] });
    await new Promise(setImmediate);
    assert.deepEqual(getEventListeners(context.signal, 'abort'), []);
  });

  it('ends with the turn', async () => {
    const workspace = new MemoryWorkspace({});
    const stop = new AbortController();
    const watch = new NewErrors(workspace.languages).begin({}, [{ shown: 'a', realPath: '/work/a' }]);
    const told = watch.tell(stop.signal);
    stop.abort();
    await assert.rejects(told);
    watch.dispose();
  });
});
