import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { toPath, toUri } from '../../src/host/workspace/workspacePlaces.ts';
import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { findRipgrep } from '../../src/tools/search/ripgrep.ts';
import { ToolSet } from '../../src/tools/toolSet.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { MemoryJournal } from '../support/memorySnapshots.ts';
import { reviewsOf } from '../support/reviewsOf.ts';
import { gitIn } from '../support/git.ts';

const { signal } = new AbortController();

describe('tools: in the editor', function () {
  this.timeout(60_000);
  const extension = vscode.extensions.getExtension('switchboard.switchboard');
  const workerFile = join(extension?.extensionPath ?? '', 'dist', 'searchWorker.mjs');
  const deps = createToolDependencies(
    createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected: [] })),
    { workerFile, ripgrep: findRipgrep(vscode.env.appRoot), timeoutMs: 20_000 },
  );
  const tools = new ToolSet(workspaceTools(deps));
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const disposables: vscode.Disposable[] = [];
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  const onDisk = async (path: string) =>
    Buffer.from(await vscode.workspace.fs.readFile(uriOf(path))).toString();

  async function run(name: string, input: object, journal = new MemoryJournal()) {
    const call = tools.prepare({ name, input });
    assert.ok(!('problem' in call), JSON.stringify(call));
    return call.run({ signal, journal });
  }

  async function succeed(...args: Parameters<typeof run>): Promise<string> {
    const { content, isError } = await run(...args);
    assert.equal(isError, false, content);
    return content;
  }

  async function untilDiagnosed(path: string, expected: RegExp): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = async () => {
        if (expected.test((await run('get_diagnostics', { path })).content)) resolve();
      };
      const listening = vscode.languages.onDidChangeDiagnostics(() => void look());
      void vscode.window.showTextDocument(uriOf(path)).then(look);
      disposables.push(listening);
    });
  }

  beforeEach(async () => {
    await vscode.workspace.fs.writeFile(uriOf('scratch/a.txt'), Buffer.from('one\r\ntwo\r\nthree\r\n'));
  });
  afterEach(async () => {
    for (const each of disposables.splice(0)) each.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uriOf('scratch'), { recursive: true });
  });

  it('finds the ripgrep of this editor, if it came with one', async () => {
    const found = findRipgrep(vscode.env.appRoot, { path: '' });
    const modules = join(vscode.env.appRoot, 'node_modules', '@vscode');
    const files = await readdir(modules, { recursive: true });
    assert.equal(
      found !== undefined,
      files.some((file) => /^ripgrep.*[\\/]rg(\.exe)?$/.test(file)),
    );
  });

  it('turns paths into URIs and back', () => {
    assert.equal(toPath(toUri(toPath(uriOf('a b/ü#?%20.md')))), toPath(uriOf('a b/ü#?%20.md')));
    const virtual = vscode.Uri.parse('vscode-vfs://github/owner/repo/a%20b');
    assert.equal(toPath(virtual), 'vscode-vfs://github/owner/repo/a b');
    assert.equal(toUri(toPath(virtual)).toString(), virtual.toString());
  });

  it('reads and searches what is unsaved rather than what is on disk', async () => {
    const document = await vscode.workspace.openTextDocument(uriOf('scratch/a.txt'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'unsavedNeedle\n');
    await vscode.workspace.applyEdit(edit);
    assert.match(await succeed('read_file', { path: 'scratch/a.txt' }), /^1\tunsavedNeedle$/m);
    assert.match(
      await succeed('search_text', { query: 'unsavedNeedle' }),
      /scratch\/a\.txt\n {2}1: unsavedNeedle/,
    );
    assert.equal(await onDisk('scratch/a.txt'), 'one\r\ntwo\r\nthree\r\n');
    await vscode.window.showTextDocument(document);
  });

  it('searches with the packaged worker', async () => {
    assert.match(await succeed('search_text', { query: 'Tide Tables' }), /README\.md/);
    assert.match(await succeed('list_files', {}), /^src\/tides\.ts$/m);
  });

  it('edits so that undo works, keeps line ends, and saves', async () => {
    const journal = new MemoryJournal();
    const replacements = [{ oldText: 'two\nthree', newText: 'zwei\ndrei\nvier' }];
    await succeed('edit_file', { path: 'scratch/a.txt', replacements }, journal);
    assert.equal(await onDisk('scratch/a.txt'), 'one\r\nzwei\r\ndrei\r\nvier\r\n');
    const document = await vscode.workspace.openTextDocument(uriOf('scratch/a.txt'));
    assert.equal(document.isDirty, false);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await eventuallyEqual(() => document.getText(), 'one\r\ntwo\r\nthree\r\n');
    await vscode.commands.executeCommand('redo');
    await eventuallyEqual(() => document.getText(), 'one\r\nzwei\r\ndrei\r\nvier\r\n');
    await reviewsOf(deps, journal).undo();
    assert.equal(document.getText(), 'one\r\ntwo\r\nthree\r\n');
  });

  it('leaves the unsaved changes of a person unsaved', async () => {
    const document = await vscode.workspace.openTextDocument(uriOf('scratch/a.txt'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'mine ');
    await vscode.workspace.applyEdit(edit);
    await succeed('edit_file', { path: 'scratch/a.txt', replacements: [{ oldText: 'two', newText: '2' }] });
    assert.equal(document.getText(), 'mine one\r\n2\r\nthree\r\n');
    assert.equal(document.isDirty, true);
    assert.equal(await onDisk('scratch/a.txt'), 'one\r\ntwo\r\nthree\r\n');
    await vscode.window.showTextDocument(document);
  });

  it('saves its edits also while the editor saves by itself', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Global);
    await files.update('autoSaveDelay', 1, vscode.ConfigurationTarget.Global);
    await vscode.workspace.fs.writeFile(uriOf('scratch/counted.txt'), Buffer.from('0\n'));
    try {
      for (let count = 0; count < 20; count++) {
        const replacements = [{ oldText: `${count}`, newText: `${count + 1}` }];
        await succeed('edit_file', { path: 'scratch/counted.txt', replacements });
        assert.equal(await onDisk('scratch/counted.txt'), `${count + 1}\n`);
      }
    } finally {
      await files.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
      await files.update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('creates a file with its folders, and takes it back', async () => {
    const journal = new MemoryJournal();
    await succeed('create_file', { path: 'scratch/new/deep/b.ts', content: 'export {};\n' }, journal);
    assert.equal(await onDisk('scratch/new/deep/b.ts'), 'export {};\n');
    const again = await run('create_file', { path: 'scratch/new/deep/b.ts', content: '' });
    assert.match(again.content, /already exists/);
    await reviewsOf(deps, journal).undo();
    await assert.rejects(onDisk('scratch/new/deep/b.ts'));
    const names = async () =>
      (await vscode.workspace.fs.readDirectory(uriOf('scratch'))).map(([name]) => name);
    assert.deepEqual(await names(), ['a.txt']);
    // A file that somebody else added keeps its folder.
    const next = new MemoryJournal();
    await succeed('create_file', { path: 'scratch/new/deep/b.ts', content: 'export {};\n' }, next);
    await vscode.workspace.fs.writeFile(uriOf('scratch/new/own.txt'), Buffer.from('mine'));
    await reviewsOf(deps, next).undo();
    const left = await vscode.workspace.fs.readDirectory(uriOf('scratch/new'));
    assert.deepEqual(
      left.map(([name]) => name),
      ['own.txt'],
    );
  });

  it('knows symbols, references and problems of TypeScript', async () => {
    await vscode.workspace.fs.writeFile(
      uriOf('scratch/lib.ts'),
      Buffer.from('export function shoal(): number {\n  return 1;\n}\n'),
    );
    await vscode.workspace.fs.writeFile(
      uriOf('scratch/use.ts'),
      Buffer.from("import { shoal } from './lib';\nconst depth: string = shoal();\n"),
    );
    await untilDiagnosed('scratch/use.ts', /^error scratch\/use\.ts:2:7 .*\[ts 2322\]$/m);
    const symbols = await succeed('find_symbols', { path: 'scratch/lib.ts' });
    assert.match(symbols, /^function shoal: scratch\/lib\.ts:1-3$/m);
    const uses = await succeed('find_references', { path: 'scratch/lib.ts', line: 1, symbol: 'shoal' });
    assert.match(uses, /^scratch\/use\.ts:2: const depth: string = shoal\(\);$/m);
    assert.match(await succeed('find_symbols', { query: 'shoal' }), /^function shoal/m);
  });

  it('tells open editors and the selection', async () => {
    const editor = await vscode.window.showTextDocument(uriOf('scratch/a.txt'));
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    const text = await succeed('get_open_editors', {});
    assert.match(
      text,
      /^active, plaintext, cursor at line 2: scratch\/a\.txt\nselected, lines 2 to 2:\n<(selection-\w+)>\ntwo\n<\/\1>$/m,
    );
  });

  it('redacts a selection that only its document shows to be of a private key', async () => {
    const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIEpAIBAAKCAQEAy8Dbv8prpJ', '-----END PRIVATE KEY-----'];
    await vscode.workspace.fs.writeFile(uriOf('scratch/told.txt'), Buffer.from(lines.join('\n')));
    const selection = new vscode.Range(1, 2, 1, 20);
    await vscode.window.showTextDocument(uriOf('scratch/told.txt'), { selection });
    const text = await succeed('get_open_editors', {});
    assert.match(text, /^selected, lines 2 to 2:\n<(selection-\w+)>\n\[redacted secret\]\n<\/\1>$/m);
  });

  it('tells changes since the last commit, without those of protected files', async () => {
    const git = (...args: string[]) => gitIn(uriOf('scratch').fsPath, ...args);
    await vscode.workspace.fs.writeFile(uriOf('scratch/.env'), Buffer.from('S=1\n'));
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'first');
    await vscode.workspace.fs.writeFile(uriOf('scratch/a.txt'), Buffer.from('one\r\n2\r\nthree\r\n'));
    await vscode.workspace.fs.writeFile(uriOf('scratch/.env'), Buffer.from('S=secretNow\n'));
    await vscode.workspace.fs.writeFile(uriOf('scratch/new.txt'), Buffer.from('new\n'));
    const marker = join(uriOf('scratch').fsPath, '.git', 'ran');
    for (const key of ['diff.external', 'diff.evil.command', 'diff.evil.textconv']) {
      git('config', key, `sh -c 'echo ${key} >> ${marker}; cat'`);
    }
    await vscode.workspace.fs.writeFile(uriOf('scratch/.git/info/attributes'), Buffer.from('* diff=evil\n'));
    const api = await vscode.extensions.getExtension('vscode.git')?.activate();
    assert.ok(api.enabled);
    await api.getAPI(1).openRepository(uriOf('scratch'));
    const text = await succeed('get_changes', { path: 'scratch' });
    assert.match(text, /^modified: scratch\/a\.txt$/m);
    assert.match(text, /^untracked: scratch\/new\.txt$/m);
    assert.match(text, /^-two/m);
    assert.match(text, /^\+2/m);
    assert.doesNotMatch(text, /secretNow|\.env/);
    assert.match(text, /withheld changed files: 1 environment files/);
    assert.equal(existsSync(marker), false);
  });
});
