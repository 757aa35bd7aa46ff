import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { commandId, knowledgeTestCommands, knowledgeTestFiles, notTestFiles } from '../ids.ts';
import { registerCommands } from '../registerCommands.ts';
import type { KnowledgeTestParts } from './testFileItems.ts';

export function registerKnowledgeTests(parts: () => Promise<KnowledgeTestParts>): DisposableStore {
  const owned = new DisposableStore();
  const load = lazy(async () => owned.add(new (await import('./knowledgeTests.ts')).KnowledgeTests(parts)));
  const reports = lazy(async () => {
    const { ComparisonReports } = await import('./comparisonReport.ts');
    return owned.add(new ComparisonReports());
  });
  const find = async () => {
    if ((await vscode.workspace.findFiles(knowledgeTestFiles, notTestFiles, 1))[0]) await load();
  };
  // Watching and looking for files takes a tenth of the activation, which needs neither.
  queueMicrotask(() => {
    owned
      .add(vscode.workspace.createFileSystemWatcher(knowledgeTestFiles, false, true, true))
      .onDidCreate(load);
    owned.add(vscode.workspace.onDidChangeWorkspaceFolders(find));
    void find();
  });
  owned.add(
    registerCommands(knowledgeTestCommands, commandId, async (name, args) => {
      const { runTestCommand } = await import('./knowledgeTestCommands.ts');
      return runTestCommand(name, await parts(), await reports(), args);
    }),
  );
  return owned;
}
