import assert from 'node:assert/strict';
import { createToolDependencies, workspaceTools } from '../../../src/tools/allTools.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import type { MemoryEntry } from '../../support/memoryFiles.ts';
import { MemoryJournal } from '../../support/memorySnapshots.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';

const { signal } = new AbortController();

function open(entries: Record<string, MemoryEntry>) {
  const workspace = new MemoryWorkspace(entries);
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const tools = new ToolSet(workspaceTools(deps));
  const journal = new MemoryJournal();
  const prepare = (name: string, input: object) => {
    const call = tools.prepare({ name, input });
    assert.ok(!('problem' in call), JSON.stringify(call));
    return call;
  };
  return {
    workspace,
    dependencies: deps,
    journal,
    prepare,
    run: (name: string, input: object) => prepare(name, input).run({ signal, journal }),
    read: async (input: object) => (await prepare('read_file', input).run({ signal })).content,
  };
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

describe('tools: read_file', () => {
  it('gives lines with their numbers, and where they are', async () => {
    const { run } = open({ '/work/a.md': '# Title\r\n\r\ntext' });
    assert.deepEqual(await run('read_file', { path: 'a.md' }), {
      content: 'a.md, lines 1 to 3 of 3\n1\t# Title\n2\t\n3\ttext',
      isError: false,
      locations: [{ path: 'a.md', line: 1, endLine: 3 }],
    });
  });

  it('gives a range', async () => {
    const { read } = open({ '/work/a': lines(1, 50) });
    assert.equal(
      await read({ path: 'a', startLine: 9, endLine: 10 }),
      'a, lines 9 to 10 of 50\n9\tline 9\n10\tline 10',
    );
    assert.match(
      await read({ path: 'a', startLine: 50, endLine: 99 }),
      /^a, lines 50 to 50 of 50\n50\tline 50$/,
    );
    assert.match(await read({ path: 'a', startLine: 51 }), /has 50 lines, so there is no line 51/);
    assert.match(await read({ path: 'a', startLine: 3, endLine: 2 }), /before startLine/);
  });

  it('caps lines and bytes and says how to read on', async () => {
    const { read } = open({ '/work/a': lines(1, 5000), '/work/b': `${'x'.repeat(9000)}\n`.repeat(20) });
    const text = await read({ path: 'a' });
    assert.match(text, /^a, lines 1 to 1000 of 5000\n/);
    assert.match(text, /\n\[Not all was read\. Read on with startLine 1001\.\]$/);
    const wide = await read({ path: 'b' });
    assert.match(wide, /^b, lines 1 to 5 of 20\n/);
    assert.match(wide, /startLine 6\.\]$/);
  });

  it('reads a line of 1 MB piece by piece', async () => {
    const { read } = open({ '/work/a.json': `first\n${'é'.repeat(1_000_000)}end\nlast` });
    const start = await read({ path: 'a.json' });
    assert.ok(start.length < 12_000);
    assert.match(
      start,
      /this line has 1000003 characters; read on with startLine 2, startColumn 10001\]\n3\tlast$/,
    );
    const end = await read({ path: 'a.json', startLine: 2, startColumn: 1_000_000 });
    assert.equal(end, 'a.json, lines 2 to 3 of 3\n2\téend\n3\tlast');
  });

  it('reads the beginning of a file over 10 MB without counting its lines', async () => {
    const { read } = open({ '/work/big': 'some text\n'.repeat(2_000_000) });
    assert.match(
      await read({ path: 'big', endLine: 2 }),
      /^big, lines 1 to 2 of a very large file\n1\tsome text\n2\tsome text/,
    );
    assert.match(
      await read({ path: 'big', startLine: 1_999_999 }),
      /1999999\tsome text\n2000000\tsome text$/,
    );
  });

  it('understands encodings, and says what is binary', async () => {
    const { read, workspace } = open({
      '/work/utf16': Buffer.from('\uFEFFgrüß\n', 'utf16le'),
      '/work/utf16be': Buffer.from('\uFEFFgrüß\n', 'utf16le').swap16(),
      '/work/plain16': Buffer.from('grüß dich\n'.repeat(9), 'utf16le'),
      '/work/latin': Buffer.from('gr\xfc\xdf \x80\n', 'latin1'),
      '/work/gbk': Buffer.from([0xc4, 0xe3, 0xba, 0xc3]),
      '/work/bom': '\uFEFFgrüß',
      '/work/image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 0, 2, 3, 0, 0]),
      '/work/empty': '',
    });
    workspace.encodings = { '/work/gbk': 'gbk' };
    for (const path of ['utf16', 'utf16be', 'plain16', 'bom'])
      assert.match(await read({ path }), /\n1\tgrüß/, path);
    assert.match(await read({ path: 'latin' }), /\n1\tgrüß €$/);
    assert.match(await read({ path: 'gbk' }), /\n1\t你好$/);
    assert.match(await read({ path: 'image.png' }), /is a binary file \(12 bytes\)/);
    assert.equal(await read({ path: 'empty' }), 'empty is empty.');
  });

  it('does not tear a character at the border of what it judges by', async () => {
    const { read } = open({ '/work/a': `${'a'.repeat(999_999)}é\nlast é` });
    assert.match(await read({ path: 'a', startLine: 2 }), /\n2\tlast é$/);
  });

  it('lets unsaved text win', async () => {
    const { read, workspace } = open({ '/work/a': 'disk', '/work/link': { linkTo: 'a' } });
    workspace.unsavedTexts.set('/work/link', 'unsaved');
    assert.match(await read({ path: 'a' }), /\n1\tunsaved$/);
  });

  it('hands the refusal of the policy to the model and to the user', async () => {
    const { run } = open({ '/work/.env': 'S=1' });
    const { content, isError, withheld } = await run('read_file', { path: '.env' });
    assert.match(content, /Refused: "\.env" is an environment file/);
    assert.equal(isError, true);
    assert.deepEqual(withheld, [
      {
        reason: 'environment',
        count: 1,
        forUser: '".env" is an environment file and may contain secrets.',
      },
    ]);
  });
});

describe('tools: edit_file', () => {
  const edit = (path: string, ...replacements: object[]) => ({ path, replacements });

  it('proposes without changing, then applies, and records', async () => {
    const { prepare, workspace, journal } = open({ '/work/a': 'one\ntwo\nthree\n' });
    const call = prepare('edit_file', edit('a', { oldText: 'two', newText: 'zwei\nund mehr' }));
    const proposal = await call.propose?.({ signal });
    assert.ok(proposal && 'apply' in proposal);
    assert.deepEqual(proposal.files.map(({ before, after }) => [before, after]).flat(), [
      'one\ntwo\nthree\n',
      'one\nzwei\nund mehr\nthree\n',
    ]);
    assert.deepEqual(
      proposal.files.map(({ added, removed }) => [added, removed]),
      [[2, 1]],
    );
    assert.deepEqual(workspace.applied, []);
    const { content, locations } = await proposal.apply({ signal, journal });
    assert.equal(
      content,
      'Edited a: 2 lines added, 1 removed.\nIt now reads:\n1\tone\n2\tzwei\n3\tund mehr\n4\tthree\n5\t',
    );
    assert.deepEqual(locations, [{ path: 'a', line: 2, endLine: 3 }]);
    assert.equal(workspace.memory.entries.get('/work/a'), 'one\nzwei\nund mehr\nthree\n');
    assert.equal(journal.edits.length, 1);
  });

  it('keeps line ends and makes new ones of the same kind', async () => {
    const { run, workspace } = open({ '/work/a': 'one\r\ntwo\r\nthree\nfour' });
    await run('edit_file', edit('a', { oldText: 'two\nthree', newText: 'a\nb' }));
    assert.equal(workspace.memory.entries.get('/work/a'), 'one\r\na\r\nb\nfour');
  });

  it('makes several replacements in order, or none', async () => {
    const { run, workspace } = open({ '/work/a': 'a b c a' });
    await run('edit_file', edit('a', { oldText: 'b', newText: 'x$&y' }, { oldText: 'x$&y c', newText: 'z' }));
    assert.equal(workspace.memory.entries.get('/work/a'), 'a z a');
    const { content, isError } = await run(
      'edit_file',
      edit('a', { oldText: 'z', newText: '' }, { oldText: 'q', newText: '' }),
    );
    assert.equal(isError, true);
    assert.match(
      content,
      /a was not changed, and nothing was written\. Replacement 2 of 2 does not fit: oldText does not occur/,
    );
    assert.equal(workspace.memory.entries.get('/work/a'), 'a z a');
    await run('edit_file', edit('a', { oldText: 'a', newText: 'b', all: true }));
    assert.equal(workspace.memory.entries.get('/work/a'), 'b z b');
  });

  const refusals: [string, object, RegExp][] = [
    [
      'text that occurs twice',
      { oldText: 'x', newText: 'y' },
      /occurs 2 times \(lines 1, 3\)\. Add lines around it/,
    ],
    [
      'text that differs in white space',
      { oldText: 'if (a)  {\nreturn', newText: '' },
      /Only white space differs.*\n4\tif \(a\) \{\n5\t {2}return/s,
    ],
    ['text with line numbers', { oldText: '4\tif (a) {', newText: '' }, /line numbers of read_file/],
    [
      'text that is nearly there',
      { oldText: 'const totalSum = 1', newText: '' },
      /The nearest is:\n7\tconst totalSums = 12/,
    ],
    ['text that is nowhere', { oldText: 'zebra', newText: '' }, /Nothing like it is there/],
    ['nothing', { oldText: '', newText: 'x' }, /oldText is empty/],
    ['a change that changes nothing', { oldText: 'if (a)', newText: 'if (a)' }, /change nothing/],
  ];
  for (const [what, replacement, expected] of refusals) {
    it(`refuses ${what}, and helps`, async () => {
      const text = 'x\ny\nx\nif (a) {\n  return\n}\nconst totalSums = 12\n';
      const { run, workspace } = open({ '/work/a': text });
      const { content, isError } = await run('edit_file', edit('a', replacement));
      assert.equal(isError, true);
      assert.match(content, expected);
      assert.deepEqual(workspace.applied, []);
    });
  }

  it('makes at most 200 replacements in one call, and says how to make more', async () => {
    const { run, workspace } = open({ '/work/a': 'x'.repeat(300) });
    const many = Array.from({ length: 201 }, (_, index) => ({ oldText: `y${index}`, newText: '' }));
    const { content, isError } = await run('edit_file', edit('a', ...many));
    assert.equal(isError, true);
    assert.match(
      content,
      /^There are 201 replacements, and one call makes at most 200\. Nothing was written\. /,
    );
    assert.deepEqual(workspace.applied, []);
    assert.match((await run('edit_file', edit('a', ...many.slice(1)))).content, /Replacement 1 of 200/);
  });

  it('stops in the middle of its work', async () => {
    const text = 'const a = 1;\n'.repeat(100_000);
    const { prepare } = open({ '/work/a': text });
    const misses = Array.from({ length: 200 }, (_, index) => ({
      oldText: `const b${index} = 1`,
      newText: '',
    }));
    const stopping = new AbortController();
    const failedEdits = new Map<string, number>();
    const call = prepare('edit_file', edit('a', ...misses));
    // The work is unfinished when it yields.
    setImmediate(() => setImmediate(() => stopping.abort()));
    await assert.rejects(async () => call.propose?.({ signal: stopping.signal, failedEdits }), {
      name: 'AbortError',
    });
    assert.equal(failedEdits.size, 0);
  });

  it('does not touch a file that changed, or became another, while the user thought', async () => {
    const { prepare, workspace } = open({ '/work/a': 'one', '/work/b': 'one', '/etc/passwd': 'one' });
    const propose = async (path: string) => {
      const proposal = await prepare('edit_file', edit(path, { oldText: 'one', newText: 'two' })).propose?.({
        signal,
      });
      assert.ok(proposal && 'apply' in proposal);
      return proposal;
    };
    const [a, b] = [await propose('a'), await propose('b')];
    workspace.memory.set('/work/a', 'one and more');
    workspace.memory.set('/work/b', { linkTo: '/etc/passwd' });
    const late = await a.apply({ signal });
    assert.match(late.content, /changed by somebody else.*Read it again/);
    assert.equal(late.note, 'a was changed since this edit was proposed, so nothing was written.');
    assert.match((await b.apply({ signal })).content, /Refused: .* outside the workspace/);
    assert.deepEqual(workspace.applied, []);
    workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['c'] };
  });

  it('changes nothing once its turn was stopped', async () => {
    const { prepare, workspace } = open({ '/work/a': 'one\n' });
    const call = prepare('edit_file', edit('a', { oldText: 'one', newText: 'two' }));
    const proposal = await call.propose?.({ signal });
    assert.ok(proposal && 'apply' in proposal);
    const journal = new MemoryJournal();
    const stop = new AbortController();
    // During the check that the file is still the one shown.
    workspace.memory.beforeAccess = () => stop.abort();
    await assert.rejects(proposal.apply({ signal: stop.signal, journal }));
    assert.deepEqual([workspace.memory.entries.get('/work/a'), journal.edits], ['one\n', []]);
  });

  it('tells a failure of the editor to the model', async () => {
    const { run, workspace, journal } = open({ '/work/a': 'one' });
    workspace.edits.apply = async () => {
      throw new Error('read-only');
    };
    const { content, isError } = await run('edit_file', edit('a', { oldText: 'one', newText: 'two' }));
    assert.equal(isError, true);
    assert.match(content, /edit_file failed: read-only/);
    assert.equal(journal.edits.length, 0);
  });

  it('edits a text of 1 MB with a hopeless oldText in no time', async () => {
    const { run } = open({ '/work/a': 'const value = compute(something);\n'.repeat(30_000) });
    const { content } = await run(
      'edit_file',
      edit('a', { oldText: `${'const other = '.repeat(200)}\nx`, newText: '' }),
    );
    assert.match(content, /does not occur/);
  });
});

describe('tools: create_file and taking edits back', () => {
  it('creates only what is new, and never outside', async () => {
    const { run, workspace } = open({ '/work/a': '', '/work/out': { linkTo: '/etc' }, '/etc/x': '' });
    assert.match(
      (await run('create_file', { path: 'new/b.ts', content: 'x\n' })).content,
      /^Created new\/b\.ts: 1 line added/,
    );
    assert.equal(workspace.memory.entries.get('/work/new/b.ts'), 'x\n');
    for (const path of ['a', '../b', 'out/b', '.env', '.git/hooks/post-commit', '/etc/cron.d/x']) {
      assert.equal((await run('create_file', { path, content: '' })).isError, true, path);
    }
    assert.equal(workspace.applied.length, 1);
  });
});

describe('tools: what the editor knows', () => {
  const range = (line: number) => ({ start: { line, column: 1 }, end: { line, column: 5 } });

  it('finds symbols and references, without those of withheld files', async () => {
    const { run, workspace } = open({
      '/work/a.ts': 'import x\nconst fooBar = foo;\n',
      '/work/.env': 'foo',
      '/lib/d.ts': 'foo',
    });
    workspace.symbols = ['/work/a.ts', '/work/.env', '/lib/d.ts'].map((path) => ({
      name: 'foo',
      kind: 'constant',
      path,
      range: range(2),
    }));
    const symbols = await run('find_symbols', { query: 'foo' });
    assert.match(
      symbols.content,
      /^constant foo: a\.ts:2-2\n\[The file policy withheld symbols of files: 1 environment files, 1 outside the workspace\./,
    );
    assert.equal(symbols.withheld?.length, 2);
    workspace.referenceList = ['/work/a.ts', '/work/.env'].map((path) => ({ path, range: range(2) }));
    const references = await run('find_references', { path: 'a.ts', line: 2, symbol: 'foo' });
    assert.deepEqual(workspace.askedPosition, { line: 2, column: 16 });
    assert.match(references.content, /^a\.ts:2: const fooBar = foo;\n\[The file policy withheld/);
    const long = await run('find_references', { path: 'a.ts', line: 2, symbol: 'foo'.repeat(1000) });
    assert.match(long.content, /^Line 2 of a\.ts does not have "foofoo/);
    const wrong = await run('find_references', { path: 'a.ts', line: 1, symbol: 'foo' });
    assert.match(wrong.content, /Line 1 of a\.ts does not have "foo" in it: "import x"/);
  });

  it('gives problems, the worst first', async () => {
    const { run, workspace } = open({ '/work/a.ts': '', '/work/id_rsa': '' });
    workspace.diagnosticList = [
      {
        path: '/work/a.ts',
        range: range(1),
        severity: 'warning',
        message: 'unused\nvariable',
        source: 'ts',
        code: '6133',
      },
      { path: '/work/a.ts', range: range(3), severity: 'error', message: 'wrong' },
      { path: '/work/id_rsa', range: range(3), severity: 'error', message: 'PRIVATE' },
    ];
    const { content } = await run('get_diagnostics', {});
    assert.match(
      content,
      /^error a\.ts:3:1 wrong\nwarning a\.ts:1:1 unused variable \[ts 6133\]\n\[The file policy withheld/,
    );
    assert.doesNotMatch(content, /PRIVATE/);
    workspace.diagnosticList = [];
    assert.match(
      (await run('get_diagnostics', { path: 'a.ts' })).content,
      /No problems are reported for a\.ts/,
    );
  });

  it('gives changes, without those of withheld files, deleted and renamed ones included', async () => {
    const { run, workspace } = open({ '/work/a': '0\n2\n3', '/work/sub/b': '', '/work/c': '' });
    const change = (
      path: string,
      state: 'modified' | 'deleted' | 'renamed' | 'untracked',
      before: string,
      from?: string,
    ) => ({
      ...{ path, state, isStaged: false, before: async () => Buffer.from(before) },
      ...(from && { from }),
    });
    assert.match((await run('get_changes', {})).content, /no git repository/);
    workspace.changeList = [
      change('/work/a', 'modified', '0\n1\n3'),
      change('/work/sub/b', 'untracked', ''),
      change('/work/gone', 'deleted', 'x'),
      change('/work/.env', 'deleted', 'S=1'),
      change('/work/c', 'renamed', 'KEY', '/work/server.key'),
      change('/other/x', 'modified', 'y'),
    ];
    const { content } = await run('get_changes', {});
    assert.equal(
      content,
      'modified: a\nuntracked: sub/b\ndeleted: gone\n<diff-1c3c>\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 0\n-1\n+2\n 3\n' +
        '--- a/gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n</diff-1c3c>\n' +
        '[The file policy withheld changed files: 1 environment files, 1 key or certificate files, 1 outside the workspace. They cannot be used.]',
    );
    assert.match((await run('get_changes', { path: 'sub' })).content, /^untracked: sub\/b$/);
  });

  it('names a change that is too large or no text to be compared, and no file twice', async () => {
    const { run, workspace } = open({ '/work/a': 'x'.repeat(1_000_001), '/work/b': 'b', '/work/c': 'new' });
    const change = (name: string, before: Uint8Array, isStaged = false) =>
      ({ path: `/work/${name}`, state: 'modified', isStaged, before: async () => before }) as const;
    const binary = Buffer.from([0, 1, 2]);
    const old = Buffer.from('old');
    workspace.changeList = [
      change('a', old),
      change('b', binary),
      { ...change('c', old, true), staged: async () => Buffer.from('staged') },
      change('c', old),
    ];
    const diff = /<diff-\w+>\n([^]*)\n<\/diff/.exec((await run('get_changes', {})).content)?.[1];
    assert.deepEqual(diff?.split('\n'), [
      ...['--- a/a', '+++ b/a', '[Not a text, or too large to compare.]'],
      ...['--- a/b', '+++ b/b', '[Not a text, or too large to compare.]'],
      ...['--- a/c', '+++ b/c', '@@ -1,1 +1,1 @@', '-old', '+new'],
    ]);
  });

  it('tells open editors and the selection, not those withheld', async () => {
    const { run, workspace } = open({ '/work/a.ts': '', '/work/.env': '' });
    workspace.openEditors = [
      {
        path: '/work/a.ts',
        isActive: true,
        isVisible: true,
        hasUnsavedChanges: true,
        languageId: 'typescript',
        cursor: { line: 3, column: 1 },
        selection: { ...range(3), text: 'chosen', redacted: 'chosen' },
      },
      {
        path: '/work/.env',
        isActive: false,
        isVisible: true,
        hasUnsavedChanges: false,
        selection: { ...range(1), text: 'S=1', redacted: 'S=1' },
      },
    ];
    const { content, locations } = await run('get_open_editors', {});
    assert.deepEqual(locations, [{ path: 'a.ts', line: 3, endLine: 3 }]);
    assert.equal(
      content,
      'active, unsaved changes, typescript, cursor at line 3: a.ts\nselected, lines 3 to 3:\n' +
        '<selection-7be4>\nchosen\n</selection-7be4>\n' +
        '[The file policy withheld open files: 1 environment files. They cannot be used.]',
    );
  });
});
