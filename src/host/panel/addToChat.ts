import * as vscode from 'vscode';
import type { AttachmentSource } from '../../chat/attachments/attachment.ts';
import { nameOf } from '../../chat/mentions/mention.ts';
import { wholeLines } from '../workspace/workspacePlaces.ts';
import { attachmentHost } from './attachmentHost.ts';

export async function chooseSources(args: readonly unknown[]): Promise<AttachmentSource[]> {
  const [clicked, context] = args;
  const selected = Array.isArray(context) ? context.filter(isUri) : [];
  // The editor's context menu and the palette pass at most a URI; then the selection counts.
  if (context === undefined) {
    const { activeTextEditor: editor } = vscode.window;
    if (editor && (!isUri(clicked) || clicked.toString() === editor.document.uri.toString())) {
      return fromEditor(editor);
    }
  }
  if (isUri(clicked) && !selected.some((uri) => uri.toString() === clicked.toString())) {
    selected.unshift(clicked);
  }
  if (selected.length > 0) return selected.flatMap(fromUri);
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  // Pictures and PDFs have no text editor.
  if (input instanceof vscode.TabInputCustom) return fromUri(input.uri);
  return (await attachmentHost.chooseFiles()).map((path) => ({ type: 'path', path }));
}

function fromEditor({ document, selections }: vscode.TextEditor): AttachmentSource[] {
  const path = attachmentHost.pathOf(document.uri.toString());
  const chosen = selections.filter(({ isEmpty }) => !isEmpty);
  if (chosen.length === 0) return [wholeText(document)];
  const name = nameOf(document.uri.path);
  return chosen.map((selection): AttachmentSource => {
    const lines = wholeLines(selection);
    return path === undefined
      ? { type: 'text', name, text: document.getText(document.validateRange(lines)) }
      : { type: 'range', path, startLine: lines.start.line + 1, endLine: lines.end.line + 1 };
  });
}

export function wholeText(document: vscode.TextDocument): AttachmentSource {
  const path = attachmentHost.pathOf(document.uri.toString());
  return path === undefined
    ? { type: 'text', name: nameOf(document.uri.path), text: document.getText() }
    : { type: 'path', path, isEditor: true };
}

function fromUri(uri: vscode.Uri): AttachmentSource[] {
  const path = attachmentHost.pathOf(uri.toString());
  if (path !== undefined) return [{ type: 'path', path }];
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  const name = nameOf(uri.path);
  return [document ? { type: 'text', name, text: document.getText() } : { type: 'unplaced', name }];
}

function isUri(value: unknown): value is vscode.Uri {
  return value instanceof vscode.Uri;
}
