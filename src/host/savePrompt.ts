import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { safeFileName } from '../base/safeFileName.ts';
import type { ChatController } from '../chat/chatController.ts';
import { promptFileText, promptNameOf } from '../chat/project/savedPrompt.ts';
import type { Memory } from '../settings/memory.ts';
import { confirmModal, showInformation, showWarning } from './notifications.ts';

export interface SavePromptDependencies {
  chat: { readonly conversation: Pick<ChatController['conversation'], 'all'> };
  memory: Pick<Memory, 'draft'>;
}

/** Saves what is typed, else the last message, as a prompt file of the project. Returns its name, if it was saved. */
export async function savePrompt({ chat, memory }: SavePromptDependencies): Promise<string | undefined> {
  const message = chat.conversation.all.findLast((item) => item.type === 'user');
  const text = memory.draft.trim() || message?.text.trim();
  if (!text) {
    void showInformation(l10n.t('Type a message or send one first. Then it can be saved as a prompt.'));
    return undefined;
  }
  const isTrusted = vscode.workspace.isTrusted;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (!isTrusted || folders.length === 0) {
    void showWarning(l10n.t('Prompts are saved in a trusted workspace with a folder on disk only.'));
    return undefined;
  }
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (!folder || !folders.includes(folder)) return undefined;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Save as Prompt'),
    prompt: l10n.t('The name of the prompt. A message that begins with / and this name sends it.'),
    value: promptNameOf(text),
    validateInput: (value) => (toName(value) === '' ? l10n.t('Enter a name.') : undefined),
    ignoreFocusOut: true,
  });
  const name = toName(typed ?? '');
  if (name === '') return undefined;
  const file = `.github/prompts/${name}.prompt.md`;
  const uri = vscode.Uri.joinPath(folder.uri, file);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (isThere && !(await confirmModal(l10n.t('Replace {0}?', file), l10n.t('Replace')))) return undefined;
  await vscode.workspace.fs.writeFile(uri, Buffer.from(promptFileText(text)));
  await vscode.window.showTextDocument(uri);
  return name;
}

/** A prompt's name is one word. */
function toName(typed: string): string {
  return safeFileName(typed.trim().replace(/\s+/g, '-'), '');
}
