import * as vscode from 'vscode';
import { appCommands, appScheme, appsViewId, appTreeCommandId, appTreeCommands, contextKey } from '../ids.ts';
import { registerTree, type RegisteredTree } from '../tree/registerTree.ts';
import type { AppCommandsDependencies } from './appCommandContext.ts';
import type { AppCommands } from './appCommands.ts';

export type AppsTree = RegisteredTree<AppCommands>;

export function registerApps(parts: () => Promise<AppCommandsDependencies>): AppsTree {
  let hadApps = false;
  const tree = registerTree({
    viewId: appsViewId,
    commands: appCommands,
    nodeCommands: appTreeCommands,
    nodeIdOf: appTreeCommandId,
    async hasContent() {
      const { apps } = await parts();
      await apps.ready;
      // A welcome view takes the focus: show it only once it is certain, and not after removing the last app.
      hadApps ||= apps.apps.length > 0;
      void vscode.commands.executeCommand('setContext', contextKey('noApps'), !hadApps);
      return hadApps;
    },
    load: async () => new (await import('./appCommands.ts')).AppCommands(await parts()),
  });
  const documents = vscode.workspace.registerTextDocumentContentProvider(appScheme, {
    provideTextDocumentContent: async (uri) =>
      (await tree.loaded()).documents.provideTextDocumentContent(uri),
  });
  return { ...tree, dispose: () => vscode.Disposable.from(tree, documents).dispose() };
}
