import * as vscode from 'vscode';
import type { AppService } from '../../apps/appService.ts';
import type { Disposable } from '../../base/disposable.ts';
import { contextKey } from '../ids.ts';
import type { AppsTree } from './registerApps.ts';

export function refreshApps(apps: AppService, tree: AppsTree): Disposable {
  const refresh = () => {
    const all = apps.apps;
    const has = (...kinds: string[]) => all.some(({ kind }) => kinds.includes(kind));
    const facts = {
      hasApps: all.length > 0,
      signedIn: all.some(({ account }) => account),
      hasWorkflows: has('workflow', 'unknown'),
      hasCompletions: has('completion', 'unknown'),
      hasPinnedApps: all.some(({ pin }) => pin),
    };
    for (const [key, value] of Object.entries(facts)) {
      void vscode.commands.executeCommand('setContext', contextKey(key as keyof typeof facts), value);
    }
    tree.refresh();
  };
  refresh();
  return apps.onDidChange(refresh);
}
