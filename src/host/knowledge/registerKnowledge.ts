import * as vscode from 'vscode';
import { knowledgeCommands, knowledgeViewId, sourceScheme, treeCommandId, treeCommands } from '../ids.ts';
import { registerTree, type RegisteredTree } from '../tree/registerTree.ts';
import type { KnowledgeCommands, KnowledgeCommandsDependencies } from './knowledgeCommands.ts';

export type KnowledgeBasesTree = RegisteredTree<KnowledgeCommands>;

export function registerKnowledge(parts: () => Promise<KnowledgeCommandsDependencies>): KnowledgeBasesTree {
  const tree = registerTree({
    viewId: knowledgeViewId,
    commands: knowledgeCommands,
    nodeCommands: treeCommands,
    canSelectMany: true,
    nodeIdOf: treeCommandId,
    async hasContent() {
      const { platforms } = await parts();
      await platforms.ready;
      return platforms.current !== undefined;
    },
    load: async () => new (await import('./knowledgeCommands.ts')).KnowledgeCommands(await parts()),
  });
  const documents = vscode.workspace.registerTextDocumentContentProvider(sourceScheme, {
    provideTextDocumentContent: async (uri, token) =>
      (await tree.loaded()).sources.provideTextDocumentContent(uri, token),
  });
  return { ...tree, dispose: () => vscode.Disposable.from(tree, documents).dispose() };
}
