import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in its host', () => {
  const extension = vscode.extensions.getExtension('switchboard.switchboard');

  it('is there, and activates', async () => {
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command it contributes', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const contributed: { command: string }[] = extension?.packageJSON.contributes.commands;
    assert.deepEqual(
      contributed.map(({ command }) => command).filter((command) => !known.has(command)),
      [],
    );
  });

  it('opens the sample workspace', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const readme = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, 'README.md'));
    assert.match(readme.getText(), /^# Tide Tables/);
  });
});
