import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { SearchResult } from '../../knowledge/searchKnowledge.ts';
import type { TreeNode } from '../../knowledge/view/treeNode.ts';
import {
  contextKeys,
  knowledgeCommandId,
  knowledgeCommands,
  knowledgeViewId,
  sourceScheme,
  treeCommandId,
  treeCommands,
} from '../ids.ts';
import type { KnowledgeCommands, KnowledgeCommandsDependencies } from './knowledgeCommands.ts';
import type { OpenedSource } from './openSource.ts';

export interface KnowledgeRegistration extends Disposable {
  openSource(source: SearchResult): Promise<OpenedSource>;
}

/**
 * The commands, the tree and the read-only documents of knowledge bases. What they do is loaded with the first use.
 * @param manifestFolder is looked at once, for what an earlier window left
 */
export function registerKnowledge(
  deps: KnowledgeCommandsDependencies,
  manifestFolder: string,
): KnowledgeRegistration {
  const disposables = new DisposableStore();
  const changes = disposables.add(new vscode.EventEmitter<TreeNode | undefined>());
  let loaded: KnowledgeCommands | undefined;
  const commands = lazy(async () => {
    const { KnowledgeCommands } = await import('./knowledgeCommands.ts');
    loaded = disposables.add(new KnowledgeCommands(deps));
    loaded.onDidChangeTree((node) => changes.fire(node));
    return loaded;
  });

  for (const name of knowledgeCommands) {
    const run = async (...args: unknown[]) => (await commands()).run(name, args);
    disposables.add(vscode.commands.registerCommand(knowledgeCommandId(name), run));
  }
  for (const name of treeCommands) {
    const run = async (...args: unknown[]) => (await commands()).runOnTree(name, args);
    disposables.add(vscode.commands.registerCommand(treeCommandId(name), run));
  }
  disposables.add(
    vscode.window.createTreeView<TreeNode>(knowledgeViewId, {
      canSelectMany: true,
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getTreeItem: async (node) => (await commands()).tree.getTreeItem(node),
        getParent: (node) => loaded?.tree.getParent(node),
        // Not connected: the view's welcome says so, and nothing needs to be loaded.
        async getChildren(node) {
          await deps.platforms.ready;
          return deps.platforms.current ? (await commands()).tree.getChildren(node) : [];
        },
      },
    }),
  );
  disposables.add(
    vscode.workspace.registerTextDocumentContentProvider(sourceScheme, {
      provideTextDocumentContent: async (uri, token) =>
        (await commands()).sources.provideTextDocumentContent(uri, token),
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
    if (deps.platforms.current) await (await commands()).takeUp();
  };
  takeUp().catch((error: unknown) => deps.log.error(`Uploads of earlier windows: ${messageOf(error)}`));
  return {
    openSource: async (source) => (await commands()).openSource(source),
    dispose: () => disposables.dispose(),
  };
}
