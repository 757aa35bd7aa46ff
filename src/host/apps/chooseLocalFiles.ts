import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LocalChoice } from '../../apps/fileChoice.ts';
import type { LocalFile } from '../../knowledge/files/localFiles.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { createLocalFiles } from '../../knowledge/files/workspaceLocalFiles.ts';
import { toPath } from '../workspace/workspacePlaces.ts';
import type { Notifications } from '../ui/notifications.ts';

export type TakenFile = LocalChoice & { realPath: string };

export async function chooseLocalFiles(
  notifications: Notifications,
  deps: ToolDependencies,
  isMany: boolean,
): Promise<TakenFile[] | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uris = await vscode.window.showOpenDialog({
    title: l10n.t('Choose Files for the App'),
    openLabel: l10n.t('Choose'),
    canSelectMany: isMany,
    ...(folder && { defaultUri: folder }),
  });
  return uris && takeFiles(notifications, deps, uris);
}

export async function takeFiles(
  notifications: Notifications,
  deps: ToolDependencies,
  uris: readonly vscode.Uri[],
): Promise<TakenFile[] | undefined> {
  const files = createLocalFiles(deps);
  const taken: TakenFile[] = [];
  for (const uri of uris) {
    const file = await files.check(toPath(uri));
    if ('refusal' in file) {
      void notifications.warning(file.refusal);
      return undefined;
    }
    if (file.isUnsaved) {
      void notifications.warning(
        l10n.t('"{0}" has unsaved changes. The app gets the version on disk.', file.path),
      );
    }
    taken.push(toChoice(file));
  }
  return taken;
}

export function toChoice({ realPath, path, size }: LocalFile): TakenFile {
  return { method: 'local_file', realPath, name: path.slice(path.lastIndexOf('/') + 1), size };
}
