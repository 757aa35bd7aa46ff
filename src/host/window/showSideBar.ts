import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppService } from '../../apps/appService.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { AppsTree } from '../apps/registerApps.ts';
import { refreshHistory } from '../history/refreshHistory.ts';
import type { ConversationsTree } from '../history/registerHistory.ts';
import { commandId, contextKey } from '../ids.ts';
import { closeStaleTabs } from '../ui/tabs.ts';
import { leadSetup, type SetupDependencies } from './leadSetup.ts';

type SideBarDependencies = Parameters<typeof refreshHistory>[0] & SetupDependencies & { apps: AppService };

export function showSideBar(
  deps: SideBarDependencies,
  { appsTree, historyTree }: { appsTree: AppsTree; historyTree: ConversationsTree },
): Disposable {
  const parts = new DisposableStore();
  parts.add(refreshApps(deps.apps, appsTree));
  parts.add(refreshHistory(deps, historyTree));
  historyTree.refresh();
  closeStaleTabs();
  parts.add(offerPinnedApps(deps.apps));
  parts.add(leadSetup(deps));
  return parts;
}

function offerPinnedApps(apps: AppService): vscode.Disposable {
  const kind = vscode.CodeActionKind.RefactorRewrite;
  return vscode.languages.registerCodeActionsProvider(
    '*',
    {
      provideCodeActions(_document, range) {
        const pinned = range.isEmpty ? [] : apps.listed.filter(({ pin }) => pin);
        return pinned.map(({ id, name }) => {
          const title = l10n.t('{0} (Switchboard)', oneLine(name, 60));
          const action = new vscode.CodeAction(title, kind);
          action.command = { title, command: commandId('runOnSelection'), arguments: [id] };
          return action;
        });
      },
    },
    { providedCodeActionKinds: [kind] },
  );
}

function refreshApps(apps: AppService, tree: AppsTree): Disposable {
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
