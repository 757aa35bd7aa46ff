import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Schemes a link in an answer may have. A model's text must not reach commands, files or other programs. */
const openable = new Set(['http', 'https', 'mailto']);

/** Opens a link of an answer; the editor asks first, as for any link. */
export function openLink(href: string): void {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(href, true);
  } catch {
    return;
  }
  if (openable.has(uri.scheme)) void vscode.env.openExternal(uri);
}

export function copyText(text: string): void {
  void vscode.env.clipboard.writeText(text);
}

/** Puts text in place of the selection of the editor used last. Returns why it could not, if it could not. */
export async function insertText(text: string): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return l10n.t('Open a file first: there is no cursor to insert at.');
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!done) return l10n.t("Couldn't insert the text. The file may be read-only.");
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn });
  return undefined;
}
