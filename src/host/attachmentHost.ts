import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AttachmentHost } from '../panel/attachmentController.ts';
import { toCancellationToken } from './abort.ts';
import { toPath } from './workspaceUris.ts';

/** What attaching needs, met by the editor. */
export const attachmentHost: AttachmentHost = {
  async chooseFiles() {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const chosen = await vscode.window.showOpenDialog({
      canSelectMany: true,
      openLabel: l10n.t('Attach'),
      title: l10n.t('Attach Files to the Message'),
      ...(folder && { defaultUri: folder }),
    });
    return (chosen ?? []).map(toPath);
  },

  pathOf(text) {
    let uri: vscode.Uri;
    try {
      uri = vscode.Uri.parse(text.trim(), true);
    } catch {
      return undefined;
    }
    // The window names files of a remote machine by that machine; here they are plain files.
    if (uri.scheme === 'vscode-remote' && vscode.env.remoteName) return toPath(vscode.Uri.file(uri.path));
    const isKnown = (vscode.workspace.workspaceFolders ?? []).some((each) => each.uri.scheme === uri.scheme);
    return uri.scheme === 'file' || isKnown ? toPath(uri) : undefined;
  },
};

/** Names of files without the policy's leave: for the user alone, who may attach them one by one. */
export async function listFileNames(limit: number, signal: AbortSignal): Promise<string[]> {
  const { token, dispose } = toCancellationToken(signal);
  try {
    const found = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', limit, token);
    return found.map((uri) => vscode.workspace.asRelativePath(uri));
  } finally {
    dispose();
  }
}
