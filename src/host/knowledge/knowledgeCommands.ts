import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import type { SearchResult } from '../../knowledge/searchKnowledge.ts';
import type { NotIndexed } from '../../knowledge/indexing/indexingPoller.ts';
import { countReport, summariseNotIndexed } from '../../knowledge/view/reportText.ts';
import type { TreeNode } from '../../knowledge/view/treeNode.ts';
import type { Dataset } from '../../platform/records.ts';
import { knowledgeViewId, type KnowledgeCommand, type TreeCommand } from '../ids.ts';
import type { Memory } from '../../settings/memory.ts';
import { tellError } from '../ui/tellError.ts';
import type { Settings } from '../settings.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import { FoldersInStep } from './autoSync/foldersInStep.ts';
import { addKnowledgeBase, scopeReason } from './addKnowledgeBase.ts';
import { addToKnowledgeBase, chooseTargets, selectedLines } from './addToKnowledgeBase.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';
import { connectPlatform, type ConnectPlatformDependencies } from './connectPlatform.ts';
import { createBase } from './createBase.ts';
import { compareSource, type SourceContext } from './compareSource.ts';
import { type OpenedSource, openSource } from './openSource.ts';
import { offerInterrupted } from './resumeRuns.ts';
import { retryFailed } from './retryFailed.ts';
import { searchKnowledgeBase } from './searchKnowledgeBase.ts';
import { SourceDocuments } from './sourceDocuments.ts';
import { syncFolder } from './syncFolder.ts';
import { KnowledgeTree } from './tree/knowledgeTree.ts';
import { SegmentEditor } from './tree/segmentEditor.ts';
import { runTreeCommand } from './tree/knowledgeTreeActions.ts';
import { toTreeItem } from './tree/knowledgeTreeItem.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface KnowledgeCommandsDependencies extends ConnectPlatformDependencies {
  platform: ConnectedPlatform;
  folders: { manifests: string };
  tools(): Promise<WorkspaceTools>;
  memory: Memory;
  settings: Settings;
  log: Log;
  notifications: Notifications;
}

interface ConnectedCommands {
  context: KnowledgeCommandContext;
  tree: KnowledgeTree;
  folders: FoldersInStep;
}

/** Commands, tree and documents of knowledge bases. Loaded on first use. */
export class KnowledgeCommands implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly treeChanges = this.disposables.add(new vscode.EventEmitter<TreeNode | undefined>());
  readonly sources = this.disposables.add(
    new SourceDocuments(async () => (await this.deps.platform.get())?.client),
  );
  private readonly state = { askedRuns: new Set<string>(), goodReport: {} };
  private readonly segmentEditor: SegmentEditor;
  private current: ConnectedCommands | undefined;

  constructor(private readonly deps: KnowledgeCommandsDependencies) {
    this.segmentEditor = this.disposables.add(new SegmentEditor(deps.notifications));
    this.disposables.add({ dispose: () => this.endCurrent() });
  }

  readonly tree = {
    onDidChangeTreeData: this.treeChanges.event,
    getTreeItem: toTreeItem,
    getParent: (node: TreeNode) => ('parent' in node ? node.parent : undefined),
    getChildren: async (node?: TreeNode): Promise<TreeNode[]> =>
      (await this.connected())?.tree.getChildren(node) ?? [],
  };

  async run(command: KnowledgeCommand, args: readonly unknown[]): Promise<unknown> {
    try {
      return await this.perform(command, args);
    } catch (error) {
      tellError(this.deps.notifications, error);
      return undefined;
    }
  }

  async runOnTree(command: TreeCommand, args: readonly unknown[]): Promise<unknown> {
    try {
      const parts = await this.connected();
      return parts && (await runTreeCommand(command, { ...parts, editor: this.segmentEditor }, args));
    } catch (error) {
      tellError(this.deps.notifications, error);
      return undefined;
    }
  }

  async openSource(source: SearchResult): Promise<OpenedSource> {
    return openSource(await this.sourceContext(), source);
  }

  async compareSource(source: SearchResult): Promise<unknown> {
    return compareSource(await this.sourceContext(), source);
  }

  private async sourceContext(): Promise<SourceContext> {
    const { tools, log, notifications } = this.deps;
    return { dependencies: (await tools()).dependencies, sources: this.sources, log, notifications };
  }

  async takeUp(): Promise<void> {
    await this.connected();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async perform(command: KnowledgeCommand, args: readonly unknown[]): Promise<unknown> {
    if (command === 'connectPlatform') return this.connect();
    const context = (await this.connected())?.context ?? (await this.offerToConnect());
    if (!context) return undefined;
    switch (command) {
      case 'autoSync':
      case 'pauseSync':
      case 'resumeSync':
      case 'showSyncStatus': {
        const syncs = await this.current?.folders.get();
        const { runAutoSync } = await import('./autoSync/autoSyncCommands.ts');
        return syncs && runAutoSync(command, context, syncs, args);
      }
      case 'addToKnowledgeBase': {
        const targets = await chooseTargets(args);
        const [, , datasetId] = args;
        const known = typeof datasetId === 'string' ? context.knowledge.bases.find(datasetId) : undefined;
        return targets.length > 0 ? addToKnowledgeBase(context, targets, known) : undefined;
      }
      case 'addSelectionToKnowledgeBase': {
        const targets = selectedLines();
        if (!('problem' in targets)) return addToKnowledgeBase(context, targets);
        void this.deps.notifications.information(targets.problem);
        return undefined;
      }
      case 'createKnowledgeBase': {
        await context.knowledge.bases.load(new AbortController().signal);
        if (context.knowledge.bases.state.isScoped) {
          void this.deps.notifications.warning(scopeReason());
          return undefined;
        }
        const dataset = await createBase(context);
        if (dataset) void this.offerFiles(dataset);
        return dataset?.id;
      }
      case 'addKnowledgeBase':
        return addKnowledgeBase(context);
      case 'syncFolder': {
        const [folder] = args;
        return syncFolder(context, folder instanceof vscode.Uri ? { folder } : {});
      }
      case 'searchKnowledgeBase':
        return searchKnowledgeBase(context);
      case 'retryFailedUploads':
        return (await retryFailed(context)).map(countReport);
    }
  }

  private async connect(): Promise<unknown> {
    const result = await connectPlatform(this.deps);
    if (result.isScoped) {
      const context = (await this.connected())?.context;
      if (context && context.memory.addedBases(context.access.origin).length === 0) {
        await addKnowledgeBase(context);
      }
    }
    return result;
  }

  private async offerFiles(dataset: Dataset): Promise<void> {
    const add = l10n.t('Add Files…');
    const answer = await this.deps.notifications.information(
      l10n.t('Created "{0}".', oneLine(dataset.name, 60)),
      add,
    );
    if (answer === add) await this.runOnTree('addFiles', [{ type: 'base', dataset }]);
  }

  private async connected(): Promise<ConnectedCommands | undefined> {
    const { platform, tools, memory, settings, log, notifications } = this.deps;
    const parts = await platform.get();
    if (parts?.knowledge === this.current?.context.knowledge) return this.current;
    this.endCurrent();
    if (!parts) return undefined;
    const { dependencies } = await tools();
    if (this.current !== undefined) return this.connected();
    const context: KnowledgeCommandContext = {
      ...parts,
      ...this.state,
      memory,
      settings,
      log,
      notifications,
      dependencies,
      sources: this.sources,
      members: async (...of) =>
        (await import('../../connections/workspaceMembers.ts')).workspaceMembers(this.deps, ...of),
    };
    const folders = new FoldersInStep(context, this.deps.folders.manifests);
    const tree = new KnowledgeTree(context, folders);
    tree.onDidChangeTreeData((node) => this.treeChanges.fire(node));
    this.current = { context, tree, folders };
    parts.knowledge.indexing.onDidFail((failed) => void tellNotIndexed(context, failed));
    parts.knowledge.indexing.start();
    void offerInterrupted(context).catch((error: unknown) => tellError(notifications, error));
    void folders.begin();
    return this.current;
  }

  private endCurrent(): void {
    this.current?.tree.dispose();
    this.current?.folders.dispose();
    this.current = undefined;
  }

  private async offerToConnect(): Promise<KnowledgeCommandContext | undefined> {
    const connect = l10n.t('Connect Platform…');
    const answer = await this.deps.notifications.information(
      l10n.t('Connect a platform to use knowledge bases.'),
      connect,
    );
    if (answer !== connect || !(await connectPlatform(this.deps)).connected) return undefined;
    return (await this.connected())?.context;
  }
}

async function tellNotIndexed(
  { notifications, knowledge }: KnowledgeCommandContext,
  failed: NotIndexed,
): Promise<void> {
  const base = knowledge.bases.state.datasets.find(({ id }) => id === failed.datasetId);
  const show = l10n.t('Show Knowledge Bases');
  const text = summariseNotIndexed(base?.name ?? l10n.t('Knowledge base'), failed);
  if ((await notifications.warning(text, show)) === show)
    await vscode.commands.executeCommand(`${knowledgeViewId}.focus`);
}
