import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { showReport, updateReport } from '../../src/host/ui/readOnlyTexts.ts';
import { replace, restoreAll } from './replace.ts';

describe('reports', () => {
  let provider: vscode.TextDocumentContentProvider;
  let close: (document: { uri: vscode.Uri }) => void;

  before(() => {
    replace(vscode.workspace, 'registerTextDocumentContentProvider', (_: string, given: typeof provider) => {
      provider = given;
    });
    replace(vscode.workspace, 'onDidCloseTextDocument', (listener: typeof close) => void (close = listener));
    replace(vscode.workspace, 'openTextDocument', async (uri: vscode.Uri) => ({ uri }));
    replace(vscode.window, 'showTextDocument', async () => {});
  });
  after(restoreAll);

  it('keep their text while they are open, whatever was closed and shown since', async () => {
    const textOf = (uri: vscode.Uri) =>
      provider.provideTextDocumentContent(uri, new vscode.CancellationTokenSource().token);
    const [first, second] = [await showReport('Table', 'one'), await showReport('Table', 'two')];
    close({ uri: first });
    const third = await showReport('Table', 'three');
    assert.deepEqual([textOf(first), textOf(second), textOf(third)], ['', 'two', 'three']);
    const changed: string[] = [];
    provider.onDidChange?.((uri) => changed.push(uri.toString()));
    await updateReport(second, 'two, again');
    assert.deepEqual([textOf(second), changed], ['two, again', [second.toString()]]);
  });
});
