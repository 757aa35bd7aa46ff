import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { keyClashes, type Keybinding } from '../support/keyClashes.ts';

describe('the keys in this editor', () => {
  it('take none from its own and its extensions', async () => {
    const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    const all = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as Keybinding[];
    const isOurs = ({ command }: Keybinding) => command.startsWith('switchboard.');
    const ours = all.filter(isOurs).map((each) => ({ ...each, when: each.when ?? '' }));
    assert.ok(ours.length > 10 && all.length > 500);
    const others = all.filter((each) => !isOurs(each));
    assert.deepEqual(keyClashes(ours, others), []);
  });
});
