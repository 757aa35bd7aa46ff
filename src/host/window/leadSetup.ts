import * as vscode from 'vscode';
import type { AppService } from '../../apps/appService.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import type { RelayConnections } from '../../connections/relayConnections.ts';
import type { Memory } from '../../settings/memory.ts';
import { contextKey, setupViewId } from '../ids.ts';

export interface SetupDependencies {
  relays: Pick<RelayConnections, 'ready' | 'all' | 'onDidChange'>;
  apps: Pick<AppService, 'ready' | 'apps' | 'onDidChange'>;
  memory: Pick<Memory, 'isSetupSkipped'>;
  log: Log;
}

/** Shows the setup view until relay, platform and apps are there or skipped. package.json has its steps. */
export function leadSetup({ relays, apps, memory, log }: SetupDependencies): Disposable {
  const parts = new DisposableStore();
  const update = () => {
    const isComplete = relays.all.length > 0 && apps.apps.length > 0;
    setSettingUp(!isComplete && !memory.isSetupSkipped);
  };
  // A view without a provider would say that it has none.
  parts.add(
    vscode.window.registerTreeDataProvider<never>(setupViewId, {
      getChildren: () => [],
      getTreeItem: (node) => node,
    }),
  );
  const follow = async () => {
    await Promise.all([relays.ready, apps.ready]);
    parts.add(relays.onDidChange(update));
    parts.add(apps.onDidChange(update));
    update();
  };
  follow().catch((error: unknown) => log.error(`The setup: ${messageOf(error)}`));
  return parts;
}

export function skipSetup(memory: SetupDependencies['memory']): boolean {
  memory.isSetupSkipped = true;
  setSettingUp(false);
  return true;
}

function setSettingUp(isSettingUp: boolean): void {
  void vscode.commands.executeCommand('setContext', contextKey('settingUp'), isSettingUp);
}
