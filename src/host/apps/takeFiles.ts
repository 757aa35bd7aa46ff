import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LocalChoice } from '../../apps/fileChoice.ts';
import type { LocalFile } from '../../knowledge/localFiles.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { createLocalFiles } from '../../knowledge/workspaceLocalFiles.ts';
import { showWarning } from '../notifications.ts';
import { toPath } from '../workspaceUris.ts';

/** A file that the policy let through. */
export type TakenFile = LocalChoice & { realPath: string };

/** Lets the user pick files for an app. Undefined when dismissed, or when some may not be sent, which is said then. */
export async function chooseLocalFiles(
  deps: ToolDependencies,
  isMany: boolean,
): Promise<TakenFile[] | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uris = await vscode.window.showOpenDialog({
    title: l10n.t('Choose for the App'),
    openLabel: l10n.t('Choose'),
    canSelectMany: isMany,
    ...(folder && { defaultUri: folder }),
  });
  return uris && takeFiles(deps, uris);
}

/** Undefined, and said why, when the file policy keeps one of them back. */
export async function takeFiles(
  deps: ToolDependencies,
  uris: readonly vscode.Uri[],
): Promise<TakenFile[] | undefined> {
  const files = createLocalFiles(deps);
  const taken: TakenFile[] = [];
  for (const uri of uris) {
    const file = await files.check(toPath(uri));
    if ('refusal' in file) {
      void showWarning(file.refusal);
      return undefined;
    }
    if (file.isUnsaved) {
      void showWarning(l10n.t('"{0}" has unsaved changes. The app gets the version on disk.', file.path));
    }
    taken.push(toChoice(file));
  }
  return taken;
}

export function toChoice({ realPath, path, size }: LocalFile): TakenFile {
  return { method: 'local_file', realPath, name: path.slice(path.lastIndexOf('/') + 1), size };
}
