import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { SearchResult } from '../../knowledge/searchKnowledge.ts';
import {
  contextKeys,
  knowledgeCommandId,
  knowledgeCommands,
  knowledgeViewId,
  sourceScheme,
  treeCommandId,
  treeCommands,
} from '../ids.ts';
import type { KnowledgeScreens, KnowledgeScreensDependencies } from './knowledgeScreens.ts';
import type { OpenedSource } from './openSource.ts';
import type { TreeNode } from './tree/treeNode.ts';

export interface KnowledgeRegistration extends Disposable {
  openSource(source: SearchResult): Promise<OpenedSource>;
}

/**
 * The commands, the tree and the read-only documents of knowledge bases. What they do is loaded with the first use.
 * @param manifestFolder is looked at once, for what an earlier window left
 */
export function registerKnowledge(
  deps: KnowledgeScreensDependencies,
  manifestFolder: string,
): KnowledgeRegistration {
  const disposables = new DisposableStore();
  const changes = disposables.add(new vscode.EventEmitter<TreeNode | undefined>());
  let loaded: KnowledgeScreens | undefined;
  const screens = lazy(async () => {
    const { KnowledgeScreens } = await import('./knowledgeScreens.ts');
    loaded = disposables.add(new KnowledgeScreens(deps));
    loaded.onDidChangeTree((node) => changes.fire(node));
    return loaded;
  });

  for (const name of knowledgeCommands) {
    const run = async (...args: unknown[]) => (await screens()).run(name, args);
    disposables.add(vscode.commands.registerCommand(knowledgeCommandId(name), run));
  }
  for (const name of treeCommands) {
    const run = async (...args: unknown[]) => (await screens()).runOnTree(name, args);
    disposables.add(vscode.commands.registerCommand(treeCommandId(name), run));
  }
  disposables.add(
    vscode.window.createTreeView<TreeNode>(knowledgeViewId, {
      canSelectMany: true,
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getTreeItem: async (node) => (await screens()).tree.getTreeItem(node),
        getParent: (node) => loaded?.tree.getParent(node),
        // Not connected: the view's welcome says so, and nothing needs to be loaded.
        async getChildren(node) {
          await deps.platforms.ready;
          return deps.platforms.current ? (await screens()).tree.getChildren(node) : [];
        },
      },
    }),
  );
  disposables.add(
    vscode.workspace.registerTextDocumentContentProvider(sourceScheme, {
      provideTextDocumentContent: async (uri, token) =>
        (await screens()).sources.provideTextDocumentContent(uri, token),
    }),
  );
  disposables.add(
    deps.platforms.onDidChange(() => {
      const isConnected = deps.platforms.current !== undefined;
      void vscode.commands.executeCommand('setContext', contextKeys.platformConnected, isConnected);
      changes.fire(undefined);
    }),
  );
  const takeUp = async () => {
    // There is nothing to take up where nothing was ever sent.
    if (!existsSync(manifestFolder)) return;
    await deps.platforms.ready;
    if (deps.platforms.current) await (await screens()).takeUp();
  };
  takeUp().catch((error: unknown) => deps.log.error(`Uploads of earlier windows: ${messageOf(error)}`));
  return {
    openSource: async (source) => (await screens()).openSource(source),
    dispose: () => disposables.dispose(),
  };
}
