import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AcceptedFiles, FileMethod, FormField, MaxBytes } from '../../../apps/app.ts';
import { filesIn, type FormAnswer } from '../../../apps/appForm.ts';
import { type ChosenFile, problemWithFiles } from '../../../apps/fileChoice.ts';
import type { ToolDependencies } from '../../../tools/toolDependencies.ts';
import { chooseLocalFiles, takeFiles } from '../chooseLocalFiles.ts';
import type { Notifications } from '../../ui/notifications.ts';

interface FilesQuestion {
  field: FormField;
  accepted: AcceptedFiles;
  answer: FormAnswer | undefined;
  maxBytes: MaxBytes;
}

/** Asks for the files of a field. Undefined when dismissed; an undefined answer clears it. */
export async function chooseFiles(
  notifications: Notifications,
  deps: ToolDependencies,
  question: FilesQuestion,
): Promise<{ answer: readonly ChosenFile[] | undefined } | undefined> {
  const { field, accepted, answer, maxBytes } = question;
  const chosen = filesIn(answer);
  const takes = (method: FileMethod) => accepted.methods.includes(method);
  const isMany = field.type === 'file-list';
  const ways = [
    takes('local_file') && {
      label: isMany ? l10n.t('$(file-add) Choose Files…') : l10n.t('$(file-add) Choose a File…'),
      take: () => chooseLocalFiles(notifications, deps, isMany),
    },
    takes('local_file') &&
      vscode.window.activeTextEditor?.document.isUntitled === false && {
        label: l10n.t('$(file) Use Current File'),
        take: () => fromEditor(notifications, deps),
      },
    takes('remote_url') && {
      label: l10n.t('$(link) Enter an Address…'),
      detail: l10n.t('The platform downloads the file itself.'),
      take: askAddress,
    },
    chosen.length > 0 && { label: l10n.t('$(clear-all) Clear'), take: () => Promise.resolve([]) },
  ];
  const picked = await vscode.window.showQuickPick(
    ways.filter((way) => way !== false),
    { title: field.label, ignoreFocusOut: true },
  );
  const taken = await picked?.take();
  if (!taken) return undefined;
  if (taken.length === 0) return { answer: undefined };
  const files = isMany ? [...chosen, ...taken] : taken;
  const problem = problemWithFiles(files, { ...accepted, maxBytes });
  if (!problem) return { answer: files };
  void notifications.warning(problem);
  return undefined;
}

async function fromEditor(
  notifications: Notifications,
  deps: ToolDependencies,
): Promise<ChosenFile[] | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && takeFiles(notifications, deps, [uri]);
}

async function askAddress(): Promise<ChosenFile[] | undefined> {
  const url = await vscode.window.showInputBox({
    title: l10n.t('File Address'),
    placeHolder: 'https://…',
    ignoreFocusOut: true,
  });
  return url?.trim() ? [{ method: 'remote_url', url: url.trim() }] : undefined;
}
