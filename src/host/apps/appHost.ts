import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppHost } from '../../panel/chatAppDesk.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';
import { toPath } from '../workspaceUris.ts';

/** What the panel's half of apps needs, met by the editor. */
export function createAppHost(tools: () => Promise<WorkspaceTools>): AppHost {
  return {
    async chooseFiles(isMany) {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const uris = await vscode.window.showOpenDialog({
        title: l10n.t('Choose for the App'),
        openLabel: l10n.t('Choose'),
        canSelectMany: isMany,
        ...(folder && { defaultUri: folder }),
      });
      return uris ? take(uris, tools) : [];
    },
    showError: (error) =>
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error)),
  };
}

/** Nothing, and said why, when the file policy keeps one of them back. */
async function take(uris: readonly vscode.Uri[], tools: () => Promise<WorkspaceTools>) {
  const { createLocalFiles } = await import('../knowledge/workspaceLocalFiles.ts');
  const files = createLocalFiles((await tools()).needs);
  const taken: { realPath: string; name: string; size: number }[] = [];
  for (const uri of uris) {
    const file = await files.check(toPath(uri));
    if ('refusal' in file) {
      void vscode.window.showWarningMessage(file.refusal);
      return [];
    }
    const { realPath, path, size } = file;
    taken.push({ realPath, name: path.slice(path.lastIndexOf('/') + 1), size });
  }
  return taken;
}
