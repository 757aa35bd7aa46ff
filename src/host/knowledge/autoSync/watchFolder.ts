import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { SyncEvent } from '../../../knowledge/autoSync/syncState.ts';
import type { AutoSync } from '../../../knowledge/autoSync/syncTerms.ts';
import type { FolderLink } from '../../../knowledge/files/folderLinks.ts';
import { findRepositoryOf, onDidOpenRepository, type Repository } from '../../workspace/workspaceGit.ts';
import { toPath, toUri } from '../../workspace/workspacePlaces.ts';

export type AutoLink = FolderLink & { auto: AutoSync };

type WatchEvent = Extract<SyncEvent, { type: 'changed' | 'moved' | 'recheck' }>;

/** Watches files while the folder waits for them; commits and checkouts come from the editor's Git. */
export async function watchFolder(link: AutoLink, tell: (event: WatchEvent) => void): Promise<Disposable> {
  const disposables = new DisposableStore();
  if (link.auto.terms.when === 'quiet') disposables.add(watchFiles(link.path, tell));
  const head = disposables.add(new HeadWatch(link.path, () => tell({ type: 'moved' })));
  await head.follow();
  const onOpen = () => {
    void head.follow().then((isNew) => {
      if (isNew) tell({ type: 'recheck' });
    });
  };
  // Files are watched even if the editor's Git can't start.
  const opening = await onDidOpenRepository(onOpen).catch(() => undefined);
  if (opening) disposables.add(opening);
  return disposables;
}

class HeadWatch implements Disposable {
  private followed: Repository | undefined;
  private listening: Disposable | undefined;
  private isDisposed = false;

  constructor(
    private readonly folder: string,
    private readonly onMove: () => void,
  ) {}

  async follow(): Promise<boolean> {
    // Without Git there is nothing to follow, which each look finds out, too.
    const found = await findRepositoryOf(this.folder).catch(() => undefined);
    if (!found || this.isDisposed || found.repository === this.followed) return false;
    this.followed = found.repository;
    this.listening?.dispose();
    const { state } = found.repository;
    const headOf = () => JSON.stringify([state.HEAD?.name, state.HEAD?.commit]);
    let known = headOf();
    // It fires for each file that changes, too.
    this.listening = state.onDidChange(() => {
      if (headOf() === known) return;
      known = headOf();
      this.onMove();
    });
    return true;
  }

  dispose(): void {
    this.isDisposed = true;
    this.listening?.dispose();
  }
}

function watchFiles(folder: string, tell: (event: WatchEvent) => void): Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(toUri(folder), '**/*'));
  let changed = new Set<string>();
  const flush = () => {
    const paths = changed;
    changed = new Set();
    tell({ type: 'changed', paths });
  };
  const add = (uri: vscode.Uri) => {
    const path = toPath(uri);
    if (/(^|\/)\.git(\/|$)/.test(path.slice(folder.length))) return;
    // The editor tells of many files in one turn.
    if (changed.size === 0) queueMicrotask(flush);
    changed.add(path);
  };
  watcher.onDidCreate(add);
  watcher.onDidChange(add);
  watcher.onDidDelete(add);
  return watcher;
}
