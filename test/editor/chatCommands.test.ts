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
  });
});
