import assert from 'node:assert/strict';
import { createToolDependencies, workspaceTools } from '../../../../src/tools/allTools.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import type { MemoryEntry } from '../../../support/memoryFiles.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';

const { signal } = new AbortController();

/** Assembled, so that no scanner takes this file for one with secrets. */
const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
const keyLine = 'MIIEpAIBAAKCAQEAy8Dbv8prpJ';
const privateKey = [
  '-----BEGIN RSA PRIVATE',
  ' KEY-----\n',
  `${keyLine}\n`.repeat(30),
  '-----END RSA PRIVATE',
  ' KEY-----',
].join('');

function toolsOver(entries: Record<string, MemoryEntry>) {
  const workspace = new MemoryWorkspace(entries);
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const tools = new ToolSet(workspaceTools(deps));
  const run = async (name: string, input: object) => {
    const call = tools.prepare({ name, input });
    assert.ok(!('problem' in call));
    return call.run({ signal });
  };
  return { workspace, run };
}

describe('tools: what is read has no secrets', () => {
  it('redacts a secret in a file, says so to the model and to the user, and keeps the lines', async () => {
    const { run } = toolsOver({ '/work/a.ts': `one\nconst token = "${token}";\nthree` });
    const { content, withheld } = await run('read_file', { path: 'a.ts' });
    assert.match(content, /2\tconst token = "\[redacted secret\]";\n3\tthree\n\[1 secret was redacted/);
    assert.deepEqual(withheld, [
      {
        reason: 'secret',
        count: 1,
        forUser: '1 secret redacted. To send it, attach the file and choose Send Unredacted.',
      },
    ]);
  });

  it('redacts a key whose beginning is not among the lines that are read', async () => {
    const { run } = toolsOver({ '/work/a.txt': `x\n${privateKey}\nend` });
    const { content } = await run('read_file', { path: 'a.txt', startLine: 10, endLine: 12 });
    assert.ok(!content.includes(keyLine), content);
    assert.match(content, /10\t\[redacted\]/);
    assert.match((await run('read_file', { path: 'a.txt', startLine: 34 })).content, /34\tend$/);
  });

  it('redacts in changes, references, the open selection, the result of an edit and what almost fits', async () => {
    const { run, workspace } = toolsOver({
      '/work/a.ts': `const token = "${token}";\n${privateKey}\nlet b = 1;`,
    });
    // The first line of the key is in both, and so not in the difference.
    const before = `const token = "";\n${privateKey.replace(keyLine, 'MIIE')}\nlet b = 1;`;
    const change = { path: '/work/a.ts', state: 'modified', isStaged: false } as const;
    workspace.changeList = [{ ...change, before: async () => Buffer.from(before) }];
    workspace.referenceList = [
      { path: '/work/a.ts', range: { start: { line: 1, column: 1 }, end: { line: 1, column: 3 } } },
    ];
    workspace.openEditors = [
      {
        path: '/work/a.ts',
        isActive: true,
        isVisible: true,
        hasUnsavedChanges: false,
        selection: {
          start: { line: 1, column: 1 },
          end: { line: 2, column: 1 },
          text: keyLine,
          redacted: '[redacted]',
        },
      },
    ];
    const calls: [string, object][] = [
      ['get_changes', {}],
      ['find_references', { path: 'a.ts', line: 1, symbol: 'token' }],
      ['get_open_editors', {}],
      ['edit_file', { path: 'a.ts', replacements: [{ oldText: 'const token = "abc";', newText: '' }] }],
      ['edit_file', { path: 'a.ts', replacements: [{ oldText: 'let b = 1;', newText: 'let b = 2;' }] }],
    ];
    for (const [name, input] of calls) {
      const { content, withheld } = await run(name, input);
      assert.ok(!content.includes(token.slice(0, 12)) && !content.includes(keyLine), `${name}: ${content}`);
      assert.ok(
        withheld?.some(({ reason }) => reason === 'secret'),
        `${name}: ${content}`,
      );
    }
  });

  it('leaves texts without secrets as they are', async () => {
    const { run } = toolsOver({ '/work/a.ts': 'const key = process.env.API_KEY;' });
    const { content, withheld } = await run('read_file', { path: 'a.ts' });
    assert.match(content, /1\tconst key = process\.env\.API_KEY;$/);
    assert.equal(withheld, undefined);
  });
});
