import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { knowledgeTestFiles } from '../ids.ts';
import type { KnowledgeTestParts } from './testFileItems.ts';

/** Shows knowledge tests in the Test Explorer once the workspace has a file of them. Their code is loaded then. */
export function registerKnowledgeTests(parts: () => Promise<KnowledgeTestParts>): Disposable {
  const owned = new DisposableStore();
  const { pattern, exclude } = knowledgeTestFiles;
  const load = lazy(async () => owned.add(new (await import('./knowledgeTests.ts')).KnowledgeTests(parts)));
  const loadIfNeeded = async () => {
    const [file] = await vscode.workspace.findFiles(pattern, exclude, 1);
    if (file) await load();
  };
  const watcher = owned.add(vscode.workspace.createFileSystemWatcher(pattern, false, true, true));
  owned.add(watcher.onDidCreate(load));
  owned.add(vscode.workspace.onDidChangeWorkspaceFolders(loadIfNeeded));
  void loadIfNeeded();
  return owned;
}
