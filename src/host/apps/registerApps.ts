import * as vscode from 'vscode';
import {
  appCommandId,
  appCommands,
  appScheme,
  appsViewId,
  appTreeCommandId,
  appTreeCommands,
  contextKeys,
} from '../ids.ts';
import { registerTree, type RegisteredTree } from '../tree/registerTree.ts';
import type { WindowParts } from '../windowParts.ts';
import type { AppCommands } from './appCommands.ts';

export type AppsTree = RegisteredTree<AppCommands>;

/** The commands, the tree and the read-only documents of apps. What they do is loaded with the first use. */
export function registerApps(parts: () => Promise<WindowParts>): AppsTree {
  let hadApps = false;
  const tree = registerTree({
    ...{ viewId: appsViewId, commands: appCommands, nodeCommands: appTreeCommands },
    idOf: { command: appCommandId, nodeCommand: appTreeCommandId },
    async hasContent() {
      const { apps } = await parts();
      await apps.ready;
      // A welcome that comes and goes takes the focus with it: only when that is known, and not when the last app goes.
      hadApps ||= apps.apps.length > 0;
      void vscode.commands.executeCommand('setContext', contextKeys.noApps, !hadApps);
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
