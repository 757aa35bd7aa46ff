import assert from 'node:assert/strict';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { contextMessage, newContext } from '../../../../src/chat/prompt/messageContext.ts';
import { editorFacts, type SeenFiles } from '../../../../src/chat/prompt/editorFacts.ts';
import { createToolDependencies } from '../../../../src/tools/allTools.ts';
import type { OpenEditor } from '../../../../src/tools/files/workspace.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';
import { sha256 } from '../../../../src/base/sha256.ts';

const machine = { date: '2026-11-22', system: 'Linux', shell: 'zsh' };
const first: SeenFiles = { since: undefined, files: new Map() };
const at = (line: number, column = 1) => ({ line, column });

function open(path: string, more: Partial<OpenEditor> = {}): OpenEditor {
  return { path, isActive: false, isVisible: true, hasUnsavedChanges: false, ...more };
}

function setUp(entries: Record<string, string> = { '/work/src/a.ts': 'a', '/work/src/b.ts': 'b' }) {
  const workspace = new MemoryWorkspace(entries);
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1 });
  const facts = (seen = first, tellsActiveFile = true) => editorFacts(deps, machine, seen, tellsActiveFile);
  return { facts, workspace };
}

describe('chat/editorFacts', () => {
  it('are the day, the system, the branch, and the active file with its selection and errors', async () => {
    const { facts, workspace } = setUp();
    assert.deepEqual(await facts(), ['Date: 2026-11-22', 'System: Linux, zsh']);
    workspace.branchName = 'main';
    workspace.openEditors = [
      open('/work/src/b.ts'),
      open('/work/src/a.ts', {
        isActive: true,
        selection: { start: at(3), end: at(9), text: 'secret words', redacted: 'secret words' },
      }),
    ];
    const problem = { path: '/work/src/a.ts', range: { start: at(1), end: at(1) }, message: 'No.' };
    workspace.diagnosticList = [
      { ...problem, severity: 'error' },
      { ...problem, severity: 'warning' },
    ];
    assert.deepEqual((await facts()).slice(2), [
      'Git branch: main',
      'Active file: src/a.ts, lines 3-9 selected, 1 error',
    ]);
    assert.deepEqual((await facts(first, false)).slice(2), ['Git branch: main']);
  });

  it('name no file that the file policy keeps from models', async () => {
    const { facts, workspace } = setUp({ '/work/.env': 'KEY=1', '/work/a.ts': 'a' });
    workspace.openEditors = [open('/work/.env', { isActive: true })];
    assert.equal((await facts()).length, 2);
    workspace.openEditors = [open('/work/a.ts', { isActive: true })];
    assert.equal((await facts()).length, 3);
    workspace.ruleSet = { ...workspace.ruleSet, isTrusted: false };
    assert.equal((await facts()).length, 2);
  });

  it('tell which known or open files others changed since, but not what the model left', async () => {
    const { facts, workspace } = setUp({
      '/work/ours.ts': 'as left',
      '/work/theirs.ts': 'not as left',
      '/work/read.ts': 'x',
      '/work/open.ts': 'x',
      '/work/unknown.ts': 'x',
    });
    workspace.openEditors = [open('/work/open.ts')];
    const files = new Map([
      ['ours.ts', sha256('as left')],
      ['theirs.ts', sha256('as left')],
      ['read.ts', undefined],
      ['gone.ts', undefined],
    ]);
    const changed = async (since: number) => (await facts({ since, files })).slice(2);
    assert.deepEqual(await changed(-1), [
      'Changed since the message before, not by your edits: open.ts, read.ts, theirs.ts',
    ]);
    assert.deepEqual(await changed(0), []);
  });

  it('take what was edited inline for an edit of others, which the model has not seen', async () => {
    const edit = (path: string, afterHash: string) => ({ path, realPath: `/work/${path}`, afterHash });
    const conversation = new Conversation('c', [
      { type: 'userMessageAdded', id: 'u1', text: 'Go' },
      { type: 'editMade', edit: edit('a.ts', 'h1') },
      { type: 'editsMade', id: 'e1' },
      { type: 'editMade', edit: { ...edit('a.ts', 'h2'), isInline: true } },
      { type: 'editMade', edit: { ...edit('b.ts', 'h3'), isInline: true } },
      { type: 'editsMade', id: 'e2' },
      { type: 'userMessageAdded', id: 'u2', text: 'Go on' },
    ]);
    const seen: SeenFiles[] = [];
    await newContext(conversation, { facts: async (files) => (seen.push(files), []) }, 0);
    assert.deepEqual(
      [...seen[0]!.files],
      [
        ['a.ts', 'h1'],
        ['b.ts', undefined],
      ],
    );
  });

  it('take at most 150 tokens, whatever the names', async () => {
    const paths = Array.from(
      { length: 40 },
      (_, n) => `/work/packages/application-server/src/components/configuration/settingsDialog${n}.tsx`,
    );
    const { facts, workspace } = setUp(Object.fromEntries(paths.map((path) => [path, 'x'])));
    workspace.branchName = 'feature/'.repeat(20);
    workspace.folderList = ['front', 'back', 'x'.repeat(90)].map((name) => ({
      ...{ name, isVirtual: false },
      path: name === 'front' ? '/work' : `/${name}`,
    }));
    workspace.openEditors = paths.map((path, index) => open(path, { isActive: index === 0 }));
    const lines = await facts({ since: -1, files: new Map() });
    assert.match(lines.at(-1)!, / and 39 more$/);
    const tokens = encode(contextMessage({ text: lines.join('\n') })).length;
    assert.ok(tokens <= 150, `${tokens} tokens`);
  });
});
