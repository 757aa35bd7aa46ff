import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { join } from 'node:path';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/errors/errors.ts';
import { systemClock } from '../../../base/clock.ts';
import { megabyte } from '../../../base/text/formatSize.ts';
import { takeLock } from '../../../chat/session/turnLock.ts';
import { SyncedFolder } from '../../../knowledge/autoSync/syncedFolder.ts';
import { createFolderRepository } from '../../../knowledge/autoSync/folderRepository.ts';
import type { SyncLimits } from '../../../knowledge/autoSync/syncTerms.ts';
import type { FolderLink } from '../../../knowledge/files/folderLinks.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import type { BaseNode } from '../../../knowledge/view/treeNode.ts';
import { describeSync } from '../../../knowledge/view/describeSync.ts';
import { commandId, contextKey } from '../../ids.ts';
import { readKnowledgeOptions, type Settings } from '../../settings.ts';
import { StatusItem } from '../../ui/statusItem.ts';
import { findRepositoryOf } from '../../workspace/workspaceGit.ts';
import { isVirtualPath } from '../../workspace/workspacePlaces.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { withChosenRule } from '../runUpload.ts';
import { type AutoLink, watchFolder } from './watchFolder.ts';
import { sha256 } from '../../../base/sha256.ts';

interface Running extends Disposable {
  folder: SyncedFolder;
  terms: string;
}

export class AutoSyncs implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly running = new Map<string, Running>();
  private readonly statusBar = this.disposables.add(new SyncStatusBar());
  private refreshing = Promise.resolve();
  private isDisposed = false;
  private readonly changes = this.disposables.add(new vscode.EventEmitter<string>());
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly context: KnowledgeCommandContext,
    private readonly lockFolder: string,
  ) {
    const { knowledge } = context;
    this.disposables.add(knowledge.links.onDidChange(() => void this.refresh()));
    this.disposables.add(
      knowledge.onDidUpload((datasetId) => {
        for (const folder of this.of(datasetId)) folder.tell({ type: 'recheck' });
      }),
    );
    this.disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refresh()));
    this.disposables.add({
      dispose: () => {
        for (const running of this.running.values()) running.dispose();
      },
    });
  }

  of(datasetId?: string): SyncedFolder[] {
    return [...this.running.values()]
      .map(({ folder }) => folder)
      .filter(({ of }) => datasetId === undefined || of.datasetId === datasetId);
  }

  describe(links: readonly FolderLink[]): BaseNode['sync'] {
    const automatic = links.filter(isAutomatic);
    if (automatic.length === 0) return undefined;
    const folders = automatic.flatMap((link) => this.running.get(keyOf(link))?.folder ?? []);
    const texts = automatic.map((link) => {
      const folder = this.running.get(keyOf(link))?.folder;
      return folder ? describeSync(folder.state) : (notPossible(link) ?? l10n.t('checking…'));
    });
    return {
      text: [...new Set(texts)].join(', '),
      isPaused: folders.length > 0 && folders.every(({ state }) => state.pause?.reason === 'user'),
      isOn: folders.length > 0,
    };
  }

  refresh(): Promise<void> {
    this.refreshing = this.refreshing.then(async () => {
      try {
        await this.followLinks();
      } catch (error) {
        this.warn(error);
      }
    });
    return this.refreshing;
  }

  dispose(): void {
    this.isDisposed = true;
    this.disposables.dispose();
    this.running.clear();
    this.show();
  }

  private async followLinks(): Promise<void> {
    const links = (await this.context.knowledge.links.all()).filter(isAutomatic).filter(isPossible);
    if (this.isDisposed) return;
    const wanted = new Map(links.map((link) => [keyOf(link), link]));
    for (const [key, running] of this.running) {
      const link = wanted.get(key);
      if (link && JSON.stringify(link.auto.terms) === running.terms) wanted.delete(key);
      else {
        this.running.delete(key);
        running.dispose();
        this.changes.fire(running.folder.of.datasetId);
      }
    }
    for (const [key, link] of wanted) {
      // One folder that can't be watched doesn't keep the others from being synced.
      const running = await this.begin(link).catch((error: unknown) => this.warn(error));
      if (!running) continue;
      // The platform may have been disconnected meanwhile.
      if (this.isDisposed) running.dispose();
      else {
        this.running.set(key, running);
        running.folder.start();
      }
    }
    this.show();
  }

  private async begin(link: AutoLink): Promise<Running> {
    const { knowledge, dependencies, settings, log } = this.context;
    const folder = new SyncedFolder(
      {
        ...{ links: knowledge.links, uploads: knowledge.uploads, log },
        files: createLocalFiles(dependencies),
        repository: createFolderRepository(link.path, () => findRepositoryOf(link.path)),
        limits: () => readSyncLimits(settings),
        prepare: (plan) => withChosenRule(this.context, plan),
        clock: { now: Date.now, after: systemClock.after },
        lock: () => takeLock(join(this.lockFolder, lockName(link))),
      },
      link,
    );
    const listening = folder.onDidChange(() => {
      this.show();
      this.changes.fire(link.datasetId);
    });
    const watch = await watchFolder(link, (event) => folder.tell(event));
    return {
      folder,
      terms: JSON.stringify(link.auto.terms),
      dispose: () => {
        for (const each of [watch, listening, folder]) each.dispose();
      },
    };
  }

  private warn(error: unknown): undefined {
    this.context.log.warn(`Folders in step: ${messageOf(error)}`);
  }

  private show(): void {
    const folders = this.of();
    this.statusBar.show(folders);
    void vscode.commands.executeCommand('setContext', contextKey('keepsInSync'), folders.length > 0);
  }
}

export function notPossible({ path }: Pick<FolderLink, 'path'>): string | undefined {
  if (isVirtualPath(path)) return l10n.t('no automatic sync in a virtual workspace');
  return vscode.workspace.isTrusted ? undefined : l10n.t('no automatic sync in an untrusted workspace');
}

function isPossible(link: FolderLink): boolean {
  return notPossible(link) === undefined;
}

export function isAutomatic(link: FolderLink): link is AutoLink {
  return link.auto !== undefined;
}

function keyOf({ path, datasetId }: FolderLink): string {
  return JSON.stringify([path, datasetId]);
}

function lockName(link: FolderLink): string {
  return `sync-${sha256(keyOf(link)).slice(0, 12)}.lock`;
}

export function readSyncLimits(settings: Settings): SyncLimits {
  const { maxFiles = 100, maxMegabytes = 20 } = settings.get('knowledge.autoSync');
  const { maxFileSizeBytes, exclude } = readKnowledgeOptions(settings);
  return { maxFiles, maxBytes: maxMegabytes * megabyte, maxFileSizeBytes, exclude: [...exclude] };
}

class SyncStatusBar implements Disposable {
  private readonly item = new StatusItem('switchboard.autoSync', 99);

  show(folders: readonly SyncedFolder[]): void {
    const [first] = folders.toSorted((a, b) => urgency(b) - urgency(a));
    if (!first) {
      this.dispose();
      return;
    }
    const text = textOf(first);
    this.item.show({
      ...{ name: l10n.t('Switchboard: Folders in Sync'), icon: iconOf(first), text, label: text },
      tooltip: folders.map(textOf).join('\n'),
      command: commandId('showSyncStatus'),
    });
  }

  dispose(): void {
    this.item.dispose();
  }
}

function textOf({ of, state }: SyncedFolder): string {
  return l10n.t('{0}: {1}', of.datasetName, describeSync(state));
}

function iconOf({ state: { pause, activity } }: SyncedFolder): string {
  if (pause) return 'debug-pause';
  return activity === 'working' ? 'sync~spin' : 'sync';
}

/** Paused ones come first, then those with files that wait. */
function urgency({ state: { pause, waiting } }: SyncedFolder): number {
  return pause ? 2 : waiting.length > 0 ? 1 : 0;
}
