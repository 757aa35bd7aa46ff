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
import type { AppScreensDependencies } from './appScreenContext.ts';
import type { AppScreens } from './appScreens.ts';
import type { AppTreeNode } from './tree/appTreeNode.ts';

/** The commands, the tree and the read-only documents of apps. What they do is loaded with the first use. */
export function registerApps(deps: AppScreensDependencies): Disposable {
  const { apps } = deps;
  const disposables = new DisposableStore();
  const changes = disposables.add(new vscode.EventEmitter<AppTreeNode | undefined>());
  let loaded: AppScreens | undefined;
  const screens = lazy(async () => {
    const { AppScreens } = await import('./appScreens.ts');
    loaded = disposables.add(new AppScreens(deps));
    loaded.tree.onDidChangeTreeData((node) => changes.fire(node));
    return loaded;
  });

  for (const name of appCommands) {
    const run = async (...args: unknown[]) => (await screens()).run(name, args);
    disposables.add(vscode.commands.registerCommand(appCommandId(name), run));
  }
  for (const name of appTreeCommands) {
    const run = async (...args: unknown[]) => (await screens()).runOnTree(name, args);
    disposables.add(vscode.commands.registerCommand(appTreeCommandId(name), run));
  }
  disposables.add(
    vscode.window.createTreeView<AppTreeNode>(appsViewId, {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getTreeItem: async (node) => (await screens()).tree.getTreeItem(node),
        getParent: (node) => loaded?.tree.getParent(node),
        // Without an app the view's welcome says what to do, and nothing needs to be loaded.
        async getChildren(node) {
          await apps.ready;
          return apps.apps.length > 0 ? (await screens()).tree.getChildren(node) : [];
        },
      },
    }),
  );
  disposables.add(
    vscode.workspace.registerTextDocumentContentProvider(appScheme, {
      provideTextDocumentContent: async (uri) => (await screens()).documents.provideTextDocumentContent(uri),
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
