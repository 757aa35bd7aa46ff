import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventuallyEqual } from '../support/eventually.ts';

describe('the chat commands', () => {
  it('each return a value', async () => {
    const first = await vscode.commands.executeCommand('switchboard.newChat');
    const second = await vscode.commands.executeCommand('switchboard.newChat');
    assert.match(String(first), /^[0-9a-f-]{36}$/);
    assert.notEqual(first, second);
    // Whether the panel is seen: the editor may still be making it.
    await eventuallyEqual(() => vscode.commands.executeCommand('switchboard.openChat'), true);
    assert.equal(await vscode.commands.executeCommand('switchboard.showLog'), true);
    assert.equal(await vscode.commands.executeCommand('switchboard.openSettings'), true);
  });

  describe('Add to Chat', () => {
    const add = (...args: unknown[]) => vscode.commands.executeCommand('switchboard.addToChat', ...args);
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
    const readme = () => vscode.Uri.joinPath(folder(), 'README.md');
    afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

    it('takes what the explorer hands over, each once', async () => {
      const docs = vscode.Uri.joinPath(folder(), 'docs');
      assert.equal(await add(docs, [readme(), docs]), 2);
      assert.equal(await add(readme(), undefined), 1);
    });

    it('takes each selection of the active editor, and all of a text without any', async () => {
      const editor = await vscode.window.showTextDocument(readme());
      assert.equal(await add(), 1);
      editor.selections = [new vscode.Selection(0, 0, 1, 0), new vscode.Selection(3, 0, 4, 2)];
      assert.equal(await add(), 2);
      assert.equal(await add(readme()), 2, 'from the menu of the editor');
      assert.equal(await add(readme(), { groupId: 0, editorIndex: 0 }), 1, 'from the menu of its tab');
    });

    it('takes a text that was never saved', async () => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'a thought' }));
      assert.equal(await add(), 1);
    });

    it('lets files be chosen where nothing is open', async () => {
      const window = vscode.window as unknown as Record<string, unknown>;
      const original = window['showOpenDialog'];
      window['showOpenDialog'] = () => Promise.resolve([readme()]);
      try {
        assert.equal(await add(), 1);
        window['showOpenDialog'] = () => Promise.resolve(undefined);
        assert.equal(await add(), 0);
      } finally {
        window['showOpenDialog'] = original;
      }
    });
  });
});
