import * as vscode from 'vscode';
import type { AppService } from '../../apps/appService.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { RelayModels } from '../../chat/relayModels.ts';
import type { RelayConnections } from '../../connections/relayConnections.ts';
import type { Memory } from '../../settings/memory.ts';
import { contextKeys } from '../ids.ts';
import type { RegisteredLanguageModels } from './registerLanguageModels.ts';

export interface FollowLanguageModelsDependencies {
  relays: RelayConnections;
  models: Pick<RelayModels, 'catalog'>;
  apps: AppService;
  memory: Pick<Memory, 'offeredApps'>;
}

/** Tells the editor of other models, and whether there are workflows that it may run. */
export function followLanguageModels(
  { relays, models: { catalog }, apps, memory }: FollowLanguageModelsDependencies,
  registered: RegisteredLanguageModels,
): Disposable {
  const parts = new DisposableStore();
  parts.add(relays.onDidChange(() => registered.changed()));
  parts.add(catalog.onDidChange(() => catalog.state.state !== 'loading' && registered.changed()));
  parts.add(
    apps.onDidChange(() => {
      registered.changed();
      followOffered({ apps, memory });
    }),
  );
  return parts;
}

/** Sets the key that our tool for workflows asks for. */
export function followOffered({
  apps,
  memory,
}: Pick<FollowLanguageModelsDependencies, 'apps' | 'memory'>): void {
  const isOffered = apps.apps.some(({ id }) => memory.offeredApps.includes(id));
  void vscode.commands.executeCommand('setContext', contextKeys.offersWorkflows, isOffered);
}
