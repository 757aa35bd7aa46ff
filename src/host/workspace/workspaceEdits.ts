import * as vscode from 'vscode';
import type { FileEdits } from '../../tools/files/workspace.ts';
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
    edit.replace(uri, differingRange(document, current, wanted), differingText(current, wanted));
    await make(edit);
    // Saving would include the user's unsaved changes.
    if (!hadUnsavedChanges && !(await document.save()))
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

/** Replaces only the difference, so that cursors and folds elsewhere stay. */
function differingRange(document: vscode.TextDocument, before: string, after: string): vscode.Range {
  const [start, end] = commonEnds(before, after);
  return new vscode.Range(document.positionAt(start), document.positionAt(before.length - end));
}

function differingText(before: string, after: string): string {
  const [start, end] = commonEnds(before, after);
  return after.slice(start, after.length - end);
}

/** Lengths of the common prefix and suffix, which split no line end or character. */
function commonEnds(before: string, after: string): [start: number, end: number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  if (splits(before, start) || splits(after, start)) start--;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  if (end > 0 && (splits(before, before.length - end) || splits(after, after.length - end))) end--;
  return [start, end];
}

function splits(text: string, index: number): boolean {
  if (text[index] === '\n' && text[index - 1] === '\r') return true;
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff;
}
