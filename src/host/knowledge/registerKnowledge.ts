import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
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
import type { KnowledgeCommandsDependencies } from './knowledgeCommands.ts';
import { registerTree } from '../tree/registerTree.ts';
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
  const tree = disposables.add(
    registerTree({
      ...{ viewId: knowledgeViewId, commands: knowledgeCommands, nodeCommands: treeCommands },
      canSelectMany: true,
      idOf: { command: knowledgeCommandId, nodeCommand: treeCommandId },
      async hasContent() {
        await deps.platforms.ready;
        return deps.platforms.current !== undefined;
      },
      load: async () => new (await import('./knowledgeCommands.ts')).KnowledgeCommands(deps),
    }),
  );
  disposables.add(
    vscode.workspace.registerTextDocumentContentProvider(sourceScheme, {
      provideTextDocumentContent: async (uri, token) =>
        (await tree.loaded()).sources.provideTextDocumentContent(uri, token),
    }),
  );
  disposables.add(
    deps.platforms.onDidChange(() => {
      const isConnected = deps.platforms.current !== undefined;
      void vscode.commands.executeCommand('setContext', contextKeys.platformConnected, isConnected);
      tree.refresh();
    }),
  );
  const takeUp = async () => {
    await deps.platforms.ready;
    // There is nothing to take up where nothing was ever sent.
    if (deps.platforms.current && existsSync(manifestFolder)) await (await tree.loaded()).takeUp();
  };
  takeUp().catch((error: unknown) => deps.log.error(`Uploads of earlier windows: ${messageOf(error)}`));
  return {
    openSource: async (source) => (await tree.loaded()).openSource(source),
    dispose: () => disposables.dispose(),
  };
}
