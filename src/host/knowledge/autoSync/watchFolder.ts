import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { SyncEvent } from '../../../knowledge/autoSync/syncState.ts';
import { findRepositoryOf } from '../../workspace/workspaceGit.ts';
import { toPath, toUri } from '../../workspace/workspacePlaces.ts';
import type { AutoLink } from './autoSyncs.ts';

type WatchEvent = Extract<SyncEvent, { type: 'changed' | 'moved' }>;

/**
 * Tells about changed files, if the folder waits for them, and about commits and checkouts, which the editor's Git sees.
 * Files are watched by one watcher; commits need none of ours.
 */
export async function watchFolder(link: AutoLink, tell: (event: WatchEvent) => void): Promise<Disposable> {
  const disposables = new DisposableStore();
  if (link.auto.terms.when === 'quiet') disposables.add(watchFiles(link.path, tell));
  const found = await findRepositoryOf(link.path);
  if (!found) return disposables;
  const { state } = found.repository;
  const headOf = () => JSON.stringify([state.HEAD?.name, state.HEAD?.commit]);
  let known = headOf();
  disposables.add(
    // It fires for each file that changes, too.
    state.onDidChange(() => {
      if (headOf() === known) return;
      known = headOf();
      tell({ type: 'moved' });
    }),
  );
  return disposables;
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
