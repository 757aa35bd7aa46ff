import * as vscode from 'vscode';
import type { Editors, OpenEditor } from '../../tools/files/workspace.ts';
import { fromPosition, fromRange, toPath } from './workspacePlaces.ts';

export const editors: Editors = {
  unsaved: () =>
    vscode.workspace.textDocuments
      .filter((document) => document.isDirty && isFile(document.uri))
      .map((document) => ({ path: toPath(document.uri), text: document.getText() })),

  open() {
    const found = new Map<string, OpenEditor>();
    for (const { tabs } of vscode.window.tabGroups.all) {
      for (const { input } of tabs) {
        const uri = uriOf(input);
        if (uri && isFile(uri)) found.set(uri.toString(), describe(uri));
      }
    }
    return [...found.values()];
  },
};

function describe(uri: vscode.Uri): OpenEditor {
  const isThis = (document: vscode.TextDocument) => document.uri.toString() === uri.toString();
  const document = vscode.workspace.textDocuments.find(isThis);
  const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
  const editor = active && isThis(active.document) ? active : visible.find((each) => isThis(each.document));
  return {
    path: toPath(uri),
    isActive: editor !== undefined && editor === active,
    isVisible: editor !== undefined,
    hasUnsavedChanges: document?.isDirty ?? false,
    ...(document && { languageId: document.languageId }),
    ...(editor && { cursor: fromPosition(editor.selection.active) }),
    ...(editor &&
      !editor.selection.isEmpty && {
        selection: { ...fromRange(editor.selection), text: editor.document.getText(editor.selection) },
      }),
  };
}

/** Settings, output and search results are editors without a file. */
function isFile({ scheme }: vscode.Uri): boolean {
  return (
    scheme === 'file' || (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === scheme)
  );
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  if (input instanceof vscode.TabInputNotebook) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
