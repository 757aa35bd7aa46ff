import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { MemoryJournal } from '../support/memorySnapshots.ts';
import { eventually } from '../support/eventually.ts';
import { useEditedFiles } from './editedFiles.ts';

describe('the changes of a turn beside what was there before', function () {
  this.timeout(60_000);
  const { before, call, edited, excluded, uriOf } = useEditedFiles();
  const shown = () => vscode.window.tabGroups.activeTabGroup.activeTab;
  /** Tabs are told of a moment after the command that opens or closes one. */
  const diff = async () => {
    const { label, input } = await eventually(() => {
      const { label: name, input: sides } = shown() ?? {};
      assert.ok(sides instanceof vscode.TabInputTextDiff);
      return { label: name, input: sides };
    });
    const texts = [input.original, input.modified].map(async (uri) =>
      (await vscode.workspace.openTextDocument(uri)).getText(),
    );
    return { label, texts: await Promise.all(texts), now: input.modified };
  };

  it('show a file as it was before the first of its changes', async () => {
    const { host, path, uri } = await edited(['a', 'A'], ['b', 'B']);
    await host.show('e');
    const { label, texts, now } = await diff();
    assert.equal(label, `${path} (changed in this turn)`);
    assert.deepEqual(texts, [before, before.replace('a', 'A').replace('b', 'B')]);
    assert.equal(now.toString(), uri.toString());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await host.show('gone');
    await eventually(() => assert.equal(shown(), undefined));
  });

  it('are shown together, or of the file that is chosen', async () => {
    const { host, path, session, kept } = await edited(['a', 'A']);
    const journal = new MemoryJournal(kept);
    const made = 'scratch/made.txt';
    await call('edit_file', { path, replacements: [{ oldText: 'b', newText: 'B' }] }, journal);
    await call('create_file', { path: made, content: 'made\n' }, journal);
    session.record({ type: 'editsMade', id: 'both', edits: journal.edits });
    await host.show('both');
    await eventually(() => assert.match(shown()?.label ?? '', /^2 files changed in this turn\b/));
    await host.show('both', made);
    const { label, texts } = await diff();
    assert.deepEqual([label, texts], [`${made} (changed in this turn)`, ['', 'made\n']]);
  });

  it('show a file that was deleted since as empty, and nothing of one that never was', async () => {
    const { host, uri, session, kept } = await edited(['a', 'A']);
    const journal = new MemoryJournal(kept);
    await call('create_file', { path: 'scratch/made.txt', content: 'made\n' }, journal);
    session.record({ type: 'editsMade', id: 'made', edits: journal.edits });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const each of [uri, uriOf('scratch/made.txt')]) await vscode.workspace.fs.delete(each);
    await host.show('made');
    await eventually(() => assert.equal(shown(), undefined));
    await host.show('e');
    const { texts, now } = await diff();
    assert.deepEqual([texts, now.scheme], [[before, ''], 'switchboard-before']);
  });

  it('say why they are not shown: of an excluded file, and where the text before is not kept', async () => {
    const { host, path, told, kept } = await edited(['a', 'A']);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    excluded.push('scratch/**');
    await host.show('e');
    assert.equal(told.length, 1);
    assert.match(told.pop() ?? '', new RegExp(`${path}.*exclude`));
    await eventually(() => assert.equal(shown(), undefined));
    excluded.length = 0;
    kept.texts.clear();
    await host.show('e');
    assert.deepEqual(told, [`The text of ${path} before this turn is no longer kept.`]);
    await eventually(() => assert.equal(shown(), undefined));
  });
});
