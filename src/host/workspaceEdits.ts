import * as vscode from 'vscode';
import type { FileEdits } from '../tools/workspace.ts';
import { toUri } from './workspaceUris.ts';

/** Edits as the editor makes them itself, so that undo works like for any other. */
export const edits: FileEdits = {
  prepare(path) {
    // What is wrong with it is said when it is edited.
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
    // Saving would also save what the user has not decided to save yet.
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

/** A document has one kind of line end, also where its file mixes them. */
function unified(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function withLineEnd(text: string, eol: vscode.EndOfLine): string {
  return eol === vscode.EndOfLine.CRLF ? unified(text).replaceAll('\n', '\r\n') : unified(text);
}

/** Only what differs is replaced, so that cursors and folds elsewhere stay. */
function differingRange(document: vscode.TextDocument, before: string, after: string): vscode.Range {
  const [start, end] = commonEnds(before, after);
  return new vscode.Range(document.positionAt(start), document.positionAt(before.length - end));
}

function differingText(before: string, after: string): string {
  const [start, end] = commonEnds(before, after);
  return after.slice(start, after.length - end);
}

/** Lengths of what the texts have in common at their beginning and end, line ends and characters whole. */
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
