import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { lazy } from '../base/lazy.ts';
import type { Log } from '../base/log.ts';
import { FileChatStore, snapshotFolder } from '../chat/fileChatStore.ts';
import type { TextSnapshots } from '../tools/editJournal.ts';
import { KeyStore } from '../connections/keyStore.ts';
import { Memory } from '../settings/memory.ts';
import { OrderedMemento } from '../settings/orderedMemento.ts';
import { showError } from './notifications.ts';
import type { WindowDrafts } from '../settings/windowDrafts.ts';
import { sharedStorageFolder } from '../settings/workspaceStorage.ts';
import { Settings } from './settings.ts';

/** What outlives a window. */
export interface Storage {
  settings: Settings;
  memory: Memory;
  /** What is unsent in all windows of the workspace. */
  drafts(): Promise<WindowDrafts>;
  keys: KeyStore;
  store: FileChatStore;
  /** The texts of files as they were before a conversation changed them. */
  snapshots(chatId: string): Promise<TextSnapshots>;
  folders: Record<'chats' | 'manifests' | 'commands' | 'spending' | 'pictures', string>;
}

/** Settings, keys, conversations and what the extension remembers, of the open workspace where there is one. */
export function openStorage(context: vscode.ExtensionContext, log: Log): Storage {
  const ofWorkspace = context.storageUri
    ? sharedStorageFolder(context.storageUri.fsPath)
    : context.globalStorageUri.fsPath;
  const folder = (name: string) => join(ofWorkspace, name);
  const folders = {
    ...{ chats: folder('chats'), manifests: folder('knowledge'), commands: folder('commands') },
    // Of all windows, whatever they have open.
    spending: vscode.Uri.joinPath(context.globalStorageUri, 'spending').fsPath,
    pictures: vscode.Uri.joinPath(context.globalStorageUri, 'pictures').fsPath,
  };
  const drafts = lazy(async () => {
    const { WindowDrafts } = await import('../settings/windowDrafts.ts');
    return new WindowDrafts(folder('drafts'));
  });
  return {
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
      (error) => void showError(l10n.t('The conversation could not be saved: {0}', String(error))),
      log,
    ),
    async snapshots(chatId) {
      const { FileSnapshots } = await import('../chat/fileSnapshots.ts');
      return new FileSnapshots(snapshotFolder(folders.chats, chatId));
    },
  };
}
