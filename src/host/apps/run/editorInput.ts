import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EditorInput } from '../../../apps/run/choosePrefill.ts';
import type { ToolDependencies } from '../../../tools/toolDependencies.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import { redactableText } from '../../workspace/vscodeWorkspace.ts';
import { toPath } from '../../workspace/workspacePlaces.ts';
import { toChoice } from '../chooseLocalFiles.ts';
import type { Notifications } from '../../ui/notifications.ts';

/** The selection, else the current file. Undefined after telling why there is nothing to take. */
export async function readEditor(
  notifications: Notifications,
  deps: ToolDependencies,
  isFile: boolean,
): Promise<EditorInput | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    void notifications.warning(l10n.t('No file is open in the editor.'));
    return undefined;
  }
  if (!isFile && !editor.selection.isEmpty) return readSelection(notifications, deps);
  const input = await readCurrentFile(notifications, deps);
  if (!isFile || !input || input.file) return input;
  void notifications.warning(l10n.t('"{0}" is not saved yet. Save it first.', input.from));
  return undefined;
}

export function readSelection(
  notifications: Notifications,
  deps: ToolDependencies,
): Promise<EditorInput | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return Promise.resolve(undefined);
  const { document, selection } = editor;
  const lines =
    selection.start.line === selection.end.line
      ? l10n.t('line {0}', selection.start.line + 1)
      : l10n.t('lines {0} to {1}', selection.start.line + 1, selection.end.line + 1);
  return readDocument(notifications, deps, document, { selection, lines });
}

export async function readCurrentFile(
  notifications: Notifications,
  deps: ToolDependencies,
  uri?: vscode.Uri,
): Promise<EditorInput | undefined> {
  const document = uri
    ? await vscode.workspace.openTextDocument(uri)
    : vscode.window.activeTextEditor?.document;
  return document && readDocument(notifications, deps, document);
}

async function readDocument(
  notifications: Notifications,
  deps: ToolDependencies,
  document: vscode.TextDocument,
  { selection, lines = '' }: { selection?: vscode.Range; lines?: string } = {},
): Promise<EditorInput | undefined> {
  const chosen = redactableText(document, selection);
  if (document.isUntitled)
    return Object.assign(chosen, { from: [document.fileName, lines].filter(Boolean).join(', ') });
  const judged = await createLocalFiles(deps).check(toPath(document.uri));
  if ('refusal' in judged) {
    void notifications.warning(l10n.t("{0} It wasn't added to the form.", judged.refusal));
    return undefined;
  }
  const from = [judged.path, lines].filter(Boolean).join(', ');
  return Object.assign(chosen, { from, ...(lines === '' && { file: toChoice(judged) }) });
}
