import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import {
  appCommandId,
  appCommands,
  appScheme,
  appsViewId,
  appTreeCommandId,
  appTreeCommands,
  contextKeys,
} from '../ids.ts';
import type { AppHost } from '../../panel/appController.ts';
import type { AppCommandsDependencies } from './appCommandContext.ts';
import { registerTree } from '../tree/registerTree.ts';

/** The apps' part of the editor. */
export interface RegisteredApps extends Disposable, Pick<AppHost, 'fillRunForm'> {}

/** The commands, the tree and the read-only documents of apps. What they do is loaded with the first use. */
export function registerApps(deps: AppCommandsDependencies): RegisteredApps {
  const { apps } = deps;
  const set = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
  const disposables = new DisposableStore();
  const tree = disposables.add(
    registerTree({
      ...{ viewId: appsViewId, commands: appCommands, nodeCommands: appTreeCommands },
      idOf: { command: appCommandId, nodeCommand: appTreeCommandId },
      async hasContent() {
        await apps.ready;
        // Only then: a welcome that comes and goes takes the focus with it.
        set(contextKeys.noApps, apps.apps.length === 0);
        return apps.apps.length > 0;
      },
      load: async () => new (await import('./appCommands.ts')).AppCommands(deps),
    }),
  );
  disposables.add(
    vscode.workspace.registerTextDocumentContentProvider(appScheme, {
      provideTextDocumentContent: async (uri) =>
        (await tree.loaded()).documents.provideTextDocumentContent(uri),
    }),
  );
  disposables.add(
    apps.onDidChange(() => {
      const has = (...kinds: string[]) => apps.apps.some(({ kind }) => kinds.includes(kind));
      set(contextKeys.hasApps, apps.apps.length > 0);
      set(contextKeys.hasWorkflows, has('workflow', 'unknown'));
      set(contextKeys.hasCompletions, has('completion', 'unknown'));
      tree.refresh();
    }),
  );
  return {
    fillRunForm: async (...asked) => (await tree.loaded()).fillRunForm(...asked),
    dispose: () => disposables.dispose(),
  };
}
