import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { safeFileName } from '../../base/files/safeFileName.ts';
import type { Conversation } from '../../chat/conversation/conversation.ts';
import type { Memory } from '../../settings/memory.ts';
import { promptFileText, promptNameOf } from '../../chat/project/promptFiles.ts';
import { confirmModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface SavePromptDependencies {
  chat: { readonly shown: { readonly conversation: Pick<Conversation, 'all'> } };
  memory: Pick<Memory, 'draft'>;
  notifications: Notifications;
}

export async function savePrompt({
  notifications,
  chat,
  memory,
}: SavePromptDependencies): Promise<string | undefined> {
  const message = chat.shown.conversation.all.findLast((item) => item.type === 'user');
  const text = memory.draft.trim() || message?.text.trim();
  if (!text) {
    void notifications.information(l10n.t('Type or send a message first, then save it as a prompt.'));
    return undefined;
  }
  const isTrusted = vscode.workspace.isTrusted;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (!isTrusted || folders.length === 0) {
    void notifications.warning(
      l10n.t('Prompts can be saved only in a trusted workspace with a local folder.'),
    );
    return undefined;
  }
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (!folder || !folders.includes(folder)) return undefined;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Save as Prompt'),
    prompt: l10n.t('Name of the prompt. Type / and this name to send it.'),
    value: promptNameOf(text),
    validateInput: (value) => (toName(value) === '' ? l10n.t('Enter a name.') : undefined),
    ignoreFocusOut: true,
  });
  const name = toName(typed ?? '');
  if (name === '') return undefined;
  const kind = await vscode.window.showQuickPick(
    [
      { label: l10n.t('Prompt'), detail: l10n.t('Sent with / and its name'), isSkill: false },
      {
        label: l10n.t('Skill'),
        detail: l10n.t('Models read it by themselves when it fits, too'),
        isSkill: true,
      },
    ],
    { title: l10n.t('Save as Prompt'), ignoreFocusOut: true },
  );
  if (!kind) return undefined;
  const file = kind.isSkill ? `.agents/skills/${name}/SKILL.md` : `.github/prompts/${name}.prompt.md`;
  const uri = vscode.Uri.joinPath(folder.uri, file);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (isThere && !(await confirmModal(l10n.t('Replace {0}?', file), l10n.t('Replace')))) return undefined;
  await vscode.workspace.fs.writeFile(
    uri,
    Buffer.from(promptFileText(text, kind.isSkill ? name : undefined)),
  );
  await vscode.window.showTextDocument(uri);
  return name;
}

function toName(typed: string): string {
  return safeFileName(typed.trim().replace(/\s+/g, '-'), '');
}
