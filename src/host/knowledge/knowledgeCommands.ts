import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import type { SearchResult } from '../../knowledge/searchKnowledge.ts';
import type { NotIndexed } from '../../knowledge/indexingPoller.ts';
import { countReport, summariseNotIndexed } from '../../knowledge/view/reportText.ts';
import type { TreeNode } from '../../knowledge/view/treeNode.ts';
import type { Dataset } from '../../platform/records.ts';
import { knowledgeViewId, type KnowledgeCommand, type TreeCommand } from '../ids.ts';
import type { Memory } from '../../settings/memory.ts';
import { showInformation, showWarning } from '../notifications.ts';
import { tellError } from '../tellError.ts';
import type { Settings } from '../settings.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';
import { addToKnowledgeBase, chooseTargets, selectedLines } from './addToKnowledgeBase.ts';
import type { CommandDependencies } from './commandDependencies.ts';
import { connectPlatform, type ConnectPlatformDependencies } from './connectPlatform.ts';
import { createBase } from './createBase.ts';
import { type OpenedSource, openSource } from './openSource.ts';
import { offerInterrupted } from './resumeRuns.ts';
import { retryFailed } from './retryFailed.ts';
import { searchKnowledgeBase } from './searchKnowledgeBase.ts';
import { SourceDocuments } from './sourceDocuments.ts';
import { syncFolder } from './syncFolder.ts';
import { KnowledgeTree } from './tree/knowledgeTree.ts';
import { SegmentEditor } from './tree/segmentEditor.ts';
import { runTreeCommand } from './tree/treeActions.ts';
import { toTreeItem } from './tree/treeItems.ts';

export interface KnowledgeCommandsDependencies extends ConnectPlatformDependencies {
  platform: ConnectedPlatform;
  tools(): Promise<WorkspaceTools>;
  memory: Memory;
  settings: Settings;
  log: Log;
}

/** All that the user sees of knowledge bases, but for the panel. Loaded with the first look or command. */
export class KnowledgeCommands implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly treeChanges = this.disposables.add(new vscode.EventEmitter<TreeNode | undefined>());
  readonly sources = this.disposables.add(
    new SourceDocuments(async () => (await this.deps.platform.get())?.client),
  );
  private readonly segmentEditor = this.disposables.add(new SegmentEditor());
  /** Of the platform that is connected now. */
  private current: { context: CommandDependencies; tree: KnowledgeTree } | undefined;

  constructor(private readonly deps: KnowledgeCommandsDependencies) {
    this.disposables.add({ dispose: () => this.current?.tree.dispose() });
  }

  readonly tree = {
    onDidChangeTreeData: this.treeChanges.event,
    getTreeItem: toTreeItem,
    getParent: (node: TreeNode) => ('parent' in node ? node.parent : undefined),
    getChildren: async (node?: TreeNode): Promise<TreeNode[]> =>
      (await this.connected())?.tree.getChildren(node) ?? [],
  };

  /** What a command does; failures are told to the user. */
  async run(command: KnowledgeCommand, args: readonly unknown[]): Promise<unknown> {
    try {
      return await this.perform(command, args);
    } catch (error) {
      tellError(error, this.deps.log);
      return undefined;
    }
  }

  /** What a command of the tree does, for the node it was called on and those selected with it. */
  async runOnTree(command: TreeCommand, args: readonly unknown[]): Promise<unknown> {
    try {
      const parts = await this.connected();
      return parts && (await runTreeCommand(command, { ...parts, editor: this.segmentEditor }, args));
    } catch (error) {
      tellError(error, this.deps.log);
      return undefined;
    }
  }

  /** Opens what grounded an answer: the file at its lines, or a read-only document. */
  async openSource(source: SearchResult): Promise<OpenedSource> {
    const { dependencies } = await this.deps.tools();
    return openSource({ dependencies, sources: this.sources }, source);
  }

  /** Goes on with what an earlier window left: watches what is indexed, and asks about interrupted uploads. */
  async takeUp(): Promise<void> {
    await this.connected();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async perform(command: KnowledgeCommand, args: readonly unknown[]): Promise<unknown> {
    if (command === 'connectPlatform') return connectPlatform(this.deps);
    const context = (await this.connected())?.context ?? (await this.offerToConnect());
    if (!context) return undefined;
    switch (command) {
      case 'addToKnowledgeBase': {
        const targets = await chooseTargets(args);
        return targets.length > 0 ? addToKnowledgeBase(context, targets) : undefined;
      }
      case 'addSelectionToKnowledgeBase': {
        const targets = selectedLines();
        if (!('problem' in targets)) return addToKnowledgeBase(context, targets);
        void showInformation(targets.problem);
        return undefined;
      }
      case 'createKnowledgeBase': {
        await context.knowledge.bases.load(new AbortController().signal);
        const dataset = await createBase(context);
        if (dataset) void this.offerFiles(dataset);
        return dataset?.id;
      }
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

  /** An empty knowledge base is of no use yet. */
  private async offerFiles(dataset: Dataset): Promise<void> {
    const add = l10n.t('Add Files…');
    const answer = await showInformation(l10n.t('Created "{0}".', oneLine(dataset.name, 60)), add);
    if (answer === add) await this.runOnTree('addFiles', [{ type: 'base', dataset }]);
  }

  /** The parts for the platform that is connected, made again when another one is. */
  private async connected(): Promise<{ context: CommandDependencies; tree: KnowledgeTree } | undefined> {
    const { platform, tools, memory, settings, log } = this.deps;
    const parts = await platform.get();
    if (parts?.knowledge === this.current?.context.knowledge) return this.current;
    this.current?.tree.dispose();
    this.current = undefined;
    if (!parts) return undefined;
    const { dependencies } = await tools();
    // Another call may have been faster.
    if (this.current !== undefined) return this.connected();
    const context = { ...parts, memory, settings, log, dependencies, sources: this.sources };
    const tree = new KnowledgeTree(context);
    tree.onDidChangeTreeData((node) => this.treeChanges.fire(node));
    this.current = { context, tree };
    parts.knowledge.indexing.onDidFail((failed) => void tellNotIndexed(context, failed));
    parts.knowledge.indexing.start();
    void offerInterrupted(context).catch((error: unknown) => tellError(error, log));
    return this.current;
  }

  /** A stranger who right-clicks a file is led on, not refused. */
  private async offerToConnect(): Promise<CommandDependencies | undefined> {
    const connect = l10n.t('Connect Platform…');
    const answer = await showInformation(
      l10n.t('Knowledge bases are on a platform, and no platform is connected.'),
      connect,
    );
    if (answer !== connect || !(await connectPlatform(this.deps)).connected) return undefined;
    return (await this.connected())?.context;
  }
}

/** The upload itself went well, and its report is long gone. */
async function tellNotIndexed({ knowledge }: CommandDependencies, failed: NotIndexed): Promise<void> {
  const base = knowledge.bases.state.datasets.find(({ id }) => id === failed.datasetId);
  const show = l10n.t('Show Knowledge Bases');
  const text = summariseNotIndexed(base?.name ?? l10n.t('Knowledge base'), failed);
  if ((await showWarning(text, show)) === show)
    await vscode.commands.executeCommand(`${knowledgeViewId}.focus`);
}
