import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import {
  appCommandId,
  appCommands,
  appScheme,
  appsViewId,
  appTreeCommandId,
  appTreeCommands,
  contextKeys,
} from '../ids.ts';
import type { AppCommandsDependencies } from './appCommandContext.ts';
import type { AppCommands } from './appCommands.ts';
import type { AppTreeNode } from '../../apps/appTreeNode.ts';

/** The commands, the tree and the read-only documents of apps. What they do is loaded with the first use. */
export function registerApps(deps: AppCommandsDependencies): Disposable {
  const { apps } = deps;
  const disposables = new DisposableStore();
  const changes = disposables.add(new vscode.EventEmitter<AppTreeNode | undefined>());
  let loaded: AppCommands | undefined;
  const commands = lazy(async () => {
    const { AppCommands } = await import('./appCommands.ts');
    loaded = disposables.add(new AppCommands(deps));
    loaded.tree.onDidChangeTreeData((node) => changes.fire(node));
    return loaded;
  });

  for (const name of appCommands) {
    const run = async (...args: unknown[]) => (await commands()).run(name, args);
    disposables.add(vscode.commands.registerCommand(appCommandId(name), run));
  }
  for (const name of appTreeCommands) {
    const run = async (...args: unknown[]) => (await commands()).runOnTree(name, args);
    disposables.add(vscode.commands.registerCommand(appTreeCommandId(name), run));
  }
  disposables.add(
    vscode.window.createTreeView<AppTreeNode>(appsViewId, {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getTreeItem: async (node) => (await commands()).tree.getTreeItem(node),
        getParent: (node) => loaded?.tree.getParent(node),
        // Without an app the view's welcome says what to do, and nothing needs to be loaded.
        async getChildren(node) {
          await apps.ready;
          return apps.apps.length > 0 ? (await commands()).tree.getChildren(node) : [];
        },
      },
    }),
  );
  disposables.add(
    vscode.workspace.registerTextDocumentContentProvider(appScheme, {
      provideTextDocumentContent: async (uri) => (await commands()).documents.provideTextDocumentContent(uri),
    }),
  );
  disposables.add(
    apps.onDidChange(() => {
      const has = (...kinds: string[]) => apps.apps.some(({ kind }) => kinds.includes(kind));
      const set = (key: string, value: boolean) =>
        void vscode.commands.executeCommand('setContext', key, value);
      set(contextKeys.hasApps, apps.apps.length > 0);
      set(contextKeys.hasWorkflows, has('workflow', 'unknown'));
      set(contextKeys.hasCompletions, has('completion', 'unknown'));
      changes.fire(undefined);
    }),
  );
  return disposables;
}
