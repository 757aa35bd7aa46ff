import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askModal } from '../ui/notifications.ts';

/** Allowed schemes of links in answers: a model's text must not reach commands, files or other programs. */
const openable = new Set(['http', 'https', 'mailto']);

export function openLink(href: string): void {
  const uri = toOpenable(href);
  if (uri) void vscode.env.openExternal(uri);
}

/** Confirms the whole address: a model's link can leak what it has read, and the editor trusts links of a workspace. */
export async function openAnswerLink(href: string): Promise<void> {
  const uri = toOpenable(href);
  if (!uri) return;
  const open = l10n.t('Open Link');
  const copy = l10n.t('Copy Address');
  const answer = await askModal(
    {
      severity: 'information',
      text: l10n.t('Open this link from an answer?'),
      detail: uri.toString(),
    },
    open,
    copy,
  );
  if (answer === open) await vscode.env.openExternal(uri);
  else if (answer === copy) copyText(uri.toString());
}

function toOpenable(href: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(href, true);
    return openable.has(uri.scheme) ? uri : undefined;
  } catch {
    return undefined;
  }
}

export function copyText(text: string): void {
  void vscode.env.clipboard.writeText(text);
}

/** Replaces the selection of the active editor. Returns the problem, if any. */
export async function insertText(text: string): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return l10n.t('Open a file to insert into first.');
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!done) return l10n.t("Couldn't insert the text. The file may be read-only.");
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn });
  return undefined;
}
