import * as vscode from 'vscode';
import { differenceOf } from '../../base/text/textChange.ts';
import type { FileEdits } from '../../tools/files/workspace.ts';
import { saveDocument } from './saveDocument.ts';
import { toUri } from './workspacePlaces.ts';

/** Edits through the editor, so that undo works as usual. */
export const edits: FileEdits = {
  prepare(path) {
    // Editing reports the error.
    vscode.workspace.openTextDocument(toUri(path)).then(undefined, () => undefined);
  },
  async apply({ path, before, after }) {
    const uri = toUri(path);
    const edit = new vscode.WorkspaceEdit();
    if (before === undefined) {
      edit.createFile(uri, { contents: new TextEncoder().encode(after ?? ''), overwrite: false });
      await make(edit);
      return after;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const current = document.getText();
    if (unified(current) !== unified(before)) {
      throw new Error('the editor reads the file differently: it was changed, or is in another encoding');
    }
    if (after === undefined) {
      edit.deleteFile(uri);
      await make(edit);
      return undefined;
    }
    const hadUnsavedChanges = document.isDirty;
    const wanted = withLineEnd(after, document.eol);
    // Only the difference is replaced, so that cursors and folds elsewhere stay.
    const { rangeOffset, rangeLength, text } = differenceOf(current, wanted);
    const range = new vscode.Range(
      document.positionAt(rangeOffset),
      document.positionAt(rangeOffset + rangeLength),
    );
    edit.replace(uri, range, text);
    await make(edit);
    // Saving would include the user's unsaved changes.
    if (!hadUnsavedChanges && !(await saveDocument(document)))
      throw new Error('the edit is made, but was not saved');
    return document.getText();
  },
  async removeFolder(path) {
    const uri = toUri(path);
    if ((await vscode.workspace.fs.readDirectory(uri)).length > 0) throw new Error('the folder is not empty');
    await vscode.workspace.fs.delete(uri, { recursive: false });
  },
};

async function make(edit: vscode.WorkspaceEdit): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error('the editor did not make the edit');
}

/** Documents have one kind of line end, even if their file mixes them. */
function unified(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function withLineEnd(text: string, eol: vscode.EndOfLine): string {
  return eol === vscode.EndOfLine.CRLF ? unified(text).replaceAll('\n', '\r\n') : unified(text);
}
