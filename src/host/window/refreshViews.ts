import { messageOf } from '../../base/errors/errors.ts';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { AppService } from '../../apps/appService.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import type { PlatformConnections } from '../../connections/serverConnections.ts';
import type { RelayConnections } from '../../connections/relayConnections.ts';
import type { Memory } from '../../settings/memory.ts';
import { contextKey } from '../ids.ts';
import type { KnowledgeBasesTree } from '../knowledge/registerKnowledge.ts';

export function refreshKnowledge(
  { platforms, folders, log }: { platforms: PlatformConnections; folders: { manifests: string }; log: Log },
  tree: KnowledgeBasesTree,
): Disposable {
  const takeUp = async () => {
    await platforms.ready;
    // Without manifests nothing was ever uploaded.
    if (platforms.current && existsSync(folders.manifests)) await (await tree.loaded()).takeUp();
  };
  takeUp().catch((error: unknown) => log.error(`Uploads of earlier windows: ${messageOf(error)}`));
  return platforms.onDidChange(() => {
    set(contextKey('platformConnected'), platforms.current !== undefined);
    tree.refresh();
  });
}

export function refreshLanguageModels(
  {
    relays,
    models: { catalog },
    apps,
    memory,
  }: OfferedWorkflows & { relays: RelayConnections; models: Pick<RelayModels, 'catalog'> },
  changed: () => void,
): Disposable {
  const parts = new DisposableStore();
  parts.add(relays.onDidChange(changed));
  parts.add(catalog.onDidChange(() => catalog.state.state !== 'loading' && changed()));
  parts.add(
    apps.onDidChange(() => {
      changed();
      refreshOffered({ apps, memory });
    }),
  );
  return parts;
}

interface OfferedWorkflows {
  apps: AppService;
  memory: Pick<Memory, 'offeredApps'>;
}

export function refreshOffered({ apps, memory }: OfferedWorkflows): void {
  set(
    contextKey('offersWorkflows'),
    apps.apps.some(({ id }) => memory.offeredApps.includes(id)),
  );
}

export function refreshChatKeys({
  relays,
  models: { catalog },
  chat,
}: {
  relays: RelayConnections;
  models: Pick<RelayModels, 'catalog'>;
  chat: ChatController;
}): Disposable {
  let isModelChosen: boolean | undefined;
  const refreshModel = () => {
    if (isModelChosen === (chat.shown.choices.model !== undefined)) return;
    isModelChosen = chat.shown.choices.model !== undefined;
    set(contextKey('modelChosen'), isModelChosen);
  };
  const disposables = new DisposableStore();
  disposables.add(relays.onDidChange(() => set(contextKey('connected'), relays.all.length > 0)));
  disposables.add(catalog.onDidChange(refreshModel));
  disposables.add(chat.onDidChange(({ type }) => type === 'modelSelected' && refreshModel()));
  return disposables;
}

function set(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
