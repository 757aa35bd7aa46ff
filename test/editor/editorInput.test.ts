import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readEditor } from '../../src/host/apps/run/editorInput.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { eventually } from '../support/eventually.ts';
import { recordedNotifications } from './editedFiles.ts';

describe('what a form takes from the editor', function () {
  this.timeout(60_000);
  const deps = createToolDependencies(
    createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected: [] })),
    { workerFile: '', ripgrep: undefined, timeoutMs: 20_000 },
  );
  const folder = vscode.workspace.workspaceFolders![0]!;
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, 'taken', path);
  const { told, notifications } = recordedNotifications();
  const take = (isFile: boolean) => readEditor(notifications, deps, isFile);

  before(async () => {
    await vscode.workspace.fs.writeFile(uriOf('tide.md'), Buffer.from('High at noon.\nLow at six.\n'));
    await vscode.workspace.fs.writeFile(uriOf('.env'), Buffer.from('KEY=1\n'));
  });
  afterEach(async () => {
    told.length = 0;
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => vscode.workspace.fs.delete(uriOf(''), { recursive: true }));

  it('is the selection for a text, and the whole file for a file', async () => {
    const selection = new vscode.Range(1, 0, 1, 10);
    await vscode.window.showTextDocument(uriOf('tide.md'), { selection });
    const low = { text: 'Low at six', redacted: 'Low at six' };
    assert.deepEqual(await take(false), { ...low, from: 'taken/tide.md, line 2' });
    const { file, ...input } = (await take(true)) ?? assert.fail('Nothing was taken.');
    const text = 'High at noon.\nLow at six.\n';
    assert.deepEqual(input, { text, redacted: text, from: 'taken/tide.md' });
    assert.equal(file?.name, 'tide.md');
    assert.deepEqual(told, []);
  });

  it('is nothing without an open file, and says so', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await eventually(() => assert.equal(vscode.window.activeTextEditor, undefined));
    for (const isFile of [false, true]) assert.equal(await take(isFile), undefined);
    assert.deepEqual(told, Array(2).fill('No file is open in the editor.'));
  });

  it('is the text of a file that is not saved yet, never the file, and says what to do', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'Spring tide' });
    await vscode.window.showTextDocument(document);
    const text = document.getText();
    assert.deepEqual(await take(false), { text, redacted: text, from: document.fileName });
    assert.deepEqual(told, []);
    assert.equal(await take(true), undefined);
    assert.deepEqual(told, [`"${document.fileName}" is not saved yet. Save it first.`]);
  });

  it('is nothing of a file that the policy keeps from everything, selected or whole', async () => {
    await vscode.window.showTextDocument(uriOf('.env'), { selection: new vscode.Range(0, 0, 0, 3) });
    for (const isFile of [false, true]) assert.equal(await take(isFile), undefined);
    assert.equal(told.length, 2);
    for (const text of told)
      assert.match(text, /taken\/\.env" is an environment file .*It wasn't added to the form\.$/);
  });
});
