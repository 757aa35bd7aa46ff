import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors/errors.ts';
import type { PictureHost } from '../../panel/pictureController.ts';
import type { Storage } from '../window/openStorage.ts';
import type { Notifications } from '../ui/notifications.ts';

export function createPictureHost(notifications: Notifications, pictures: Storage['pictures']): PictureHost {
  const uriOf = async (chatId: string, file: string): Promise<vscode.Uri> => {
    const files = await pictures(chatId);
    if (!(await files.read(file)))
      throw new SwitchboardError('storage', l10n.t('The picture is no longer available.'));
    return vscode.Uri.file(files.pathOf(file));
  };
  return {
    readPicture: async (chatId, file) => (await pictures(chatId)).read(file),
    async openPicture(chatId, file) {
      await vscode.commands.executeCommand('vscode.open', await uriOf(chatId, file));
    },
    async savePicture(chatId, file) {
      const source = await uriOf(chatId, file);
      const extension = file.slice(file.lastIndexOf('.') + 1);
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      const name = `picture.${extension}`;
      // The editor's dialog confirms overwriting.
      const target = await vscode.window.showSaveDialog({
        title: l10n.t('Save Picture'),
        defaultUri: folder ? vscode.Uri.joinPath(folder.uri, name) : vscode.Uri.file(name),
        filters: { [l10n.t('Pictures')]: [extension] },
      });
      if (!target) return;
      await vscode.workspace.fs.copy(source, target, { overwrite: true });
      void notifications.information(l10n.t('Saved {0}.', vscode.workspace.asRelativePath(target)));
    },
  };
}
