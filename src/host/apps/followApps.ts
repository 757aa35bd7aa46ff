import * as vscode from 'vscode';
import type { AppService } from '../../apps/appService.ts';
import type { Disposable } from '../../base/disposable.ts';
import { contextKeys } from '../ids.ts';
import { recordingTabs } from './recordingTabs.ts';
import type { AppsTree } from './registerApps.ts';

/** Keeps the tree of apps, and the keys that `when` clauses ask for, equal to what apps there are. */
export function followApps({ apps }: { apps: AppService }, tree: AppsTree): Disposable {
  // A reload brings the players back without what they played.
  void vscode.window.tabGroups.close(recordingTabs());
  const set = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
  return apps.onDidChange(() => {
    const has = (...kinds: string[]) => apps.apps.some(({ kind }) => kinds.includes(kind));
    set(contextKeys.hasApps, apps.apps.length > 0);
    set(contextKeys.hasWorkflows, has('workflow', 'unknown'));
    set(contextKeys.hasCompletions, has('completion', 'unknown'));
    tree.refresh();
  });
}
