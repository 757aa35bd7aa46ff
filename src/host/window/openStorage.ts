import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { lazy } from '../../base/async/lazy.ts';
import type { Log } from '../../base/log.ts';
import type { PictureFiles } from '../../base/files/pictureFiles.ts';
import { FileChatStore, pictureFolder, snapshotFolder } from '../../chat/store/fileChatStore.ts';
import type { TextSnapshots } from '../../tools/edits/editJournal.ts';
import { KeyStore } from '../../connections/keyStore.ts';
import { Memory } from '../../settings/memory.ts';
import { OrderedMemento, sharedStorageFolder } from '../../settings/editorStorage.ts';
import type { WindowDrafts } from '../../settings/windowDrafts.ts';
import { Settings } from '../settings.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface Storage {
  notifications: Notifications;
  settings: Settings;
  memory: Memory;
  drafts(): Promise<WindowDrafts>;
  keys: KeyStore;
  store: FileChatStore;
  snapshots(chatId: string): Promise<TextSnapshots>;
  pictures(chatId: string): Promise<PictureFiles>;
  folders: Record<'chats' | 'manifests' | 'commands' | 'spending' | 'pictures' | 'prompts', string>;
}

export function openStorage(
  notifications: Notifications,
  context: vscode.ExtensionContext,
  log: Log,
): Storage {
  const ofWorkspace = context.storageUri
    ? sharedStorageFolder(context.storageUri.fsPath)
    : context.globalStorageUri.fsPath;
  const folder = (name: string) => join(ofWorkspace, name);
  const folders = {
    chats: folder('chats'),
    manifests: folder('knowledge'),
    commands: folder('commands'),
    // Shared by all windows.
    spending: vscode.Uri.joinPath(context.globalStorageUri, 'spending').fsPath,
    pictures: vscode.Uri.joinPath(context.globalStorageUri, 'pictures').fsPath,
    // Where the editor keeps the prompt files of the user's profile, as its documentation says.
    prompts: vscode.Uri.joinPath(context.globalStorageUri, '..', '..', 'prompts').fsPath,
  };
  const drafts = lazy(async () => {
    const { WindowDrafts } = await import('../../settings/windowDrafts.ts');
    return new WindowDrafts(folder('drafts'));
  });
  return {
    notifications,
    folders,
    settings: new Settings(context.extension.packageJSON, log),
    memory: new Memory(
      new OrderedMemento(context.globalState),
      context.workspaceState,
      systemClock,
      async (unsent) => (await drafts()).save(unsent),
    ),
    drafts,
    keys: new KeyStore(context.secrets),
    store: new FileChatStore(
      folders.chats,
      (error) => void notifications.error(l10n.t("Couldn't save the conversation: {0}", String(error))),
      log,
    ),
    async snapshots(chatId) {
      const { FileSnapshots } = await import('../../chat/edits/fileSnapshots.ts');
      return new FileSnapshots(snapshotFolder(folders.chats, chatId));
    },
    async pictures(chatId) {
      const { PictureFiles } = await import('../../base/files/pictureFiles.ts');
      return new PictureFiles(pictureFolder(folders.chats, chatId));
    },
  };
}
