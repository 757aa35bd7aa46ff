import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AttachmentHost } from '../../panel/attachmentController.ts';
import { toPath } from '../workspace/workspacePlaces.ts';

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
    // The window's remote URIs are plain files for this extension host.
    if (uri.scheme === 'vscode-remote' && vscode.env.remoteName) return toPath(vscode.Uri.file(uri.path));
    const isKnown = (vscode.workspace.workspaceFolders ?? []).some((each) => each.uri.scheme === uri.scheme);
    return uri.scheme === 'file' || isKnown ? toPath(uri) : undefined;
  },
};
