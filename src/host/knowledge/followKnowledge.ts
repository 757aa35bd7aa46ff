import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { PlatformConnections } from '../../connections/platformConnections.ts';
import { contextKeys } from '../ids.ts';
import type { KnowledgeBasesTree } from './registerKnowledge.ts';

export interface FollowKnowledgeDependencies {
  platforms: PlatformConnections;
  /** `manifests` is looked at once, for what an earlier window left. */
  folders: { manifests: string };
  log: Log;
}

/** Keeps the tree of knowledge bases equal to what is connected, and takes up the uploads of earlier windows. */
export function followKnowledge(
  { platforms, folders, log }: FollowKnowledgeDependencies,
  tree: KnowledgeBasesTree,
): Disposable {
  const takeUp = async () => {
    await platforms.ready;
    // There is nothing to take up where nothing was ever sent.
    if (platforms.current && existsSync(folders.manifests)) await (await tree.loaded()).takeUp();
  };
  takeUp().catch((error: unknown) => log.error(`Uploads of earlier windows: ${messageOf(error)}`));
  return platforms.onDidChange(() => {
    const isConnected = platforms.current !== undefined;
    void vscode.commands.executeCommand('setContext', contextKeys.platformConnected, isConnected);
    tree.refresh();
  });
}
