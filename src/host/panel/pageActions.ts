import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askModal } from '../ui/modals.ts';

/** Allowed schemes of links in answers: a model's text must not reach commands, files or other programs. */
const openable = new Set(['http', 'https', 'mailto']);

export function openLink(href: string): void {
  if (schemeOf(href) !== undefined) void openExternal(href);
}

/** A model's link can leak what it has read: the editor confirms web addresses, and this all others. */
export async function openAnswerLink(href: string): Promise<void> {
  const scheme = schemeOf(href);
  if (scheme === undefined) return;
  if (scheme !== 'mailto') return void (await openExternal(href));
  const open = l10n.t('Open Link');
  const copy = l10n.t('Copy Address');
  const text = l10n.t('Open this link from an answer?');
  const answer = await askModal({ severity: 'information', text, detail: href }, open, copy);
  if (answer === open) await openExternal(href);
  else if (answer === copy) copyText(href);
}

function schemeOf(href: string): string | undefined {
  try {
    const { scheme } = vscode.Uri.parse(href, true);
    return openable.has(scheme) ? scheme : undefined;
  } catch {
    return undefined;
  }
}

/** The editor takes texts, too, and changes nothing in them; a Uri writes "?x=1" as "?x%3D1" (microsoft/vscode#85930). */
async function openExternal(href: string): Promise<boolean> {
  return vscode.env.openExternal(href as unknown as vscode.Uri);
}

export function copyText(text: string): void {
  void vscode.env.clipboard.writeText(text);
}

export async function insertText(text: string): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return l10n.t('Open a file to insert into first.');
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections)
      edit.replace(selection, apart(text, editor.document, selection));
  });
  if (!done) return l10n.t("Couldn't insert the text. The file may be read-only.");
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn });
  return undefined;
}

function apart(text: string, document: vscode.TextDocument, { active, isEmpty }: vscode.Selection): string {
  const line = document.lineAt(active).text;
  const [before, after] = [line.slice(0, active.character), line.slice(active.character)];
  if (!isEmpty || !line.trim()) return text;
  if (!before.trim()) return text.endsWith('\n') ? text : `${text}\n${before}`;
  // A single line continues an incomplete expression.
  const isContinuation = !text.trimEnd().includes('\n') && /[\s.([=]$/.test(before);
  return after.trim() || isContinuation ? text : `\n${text.replace(/\n$/, '')}`;
}
