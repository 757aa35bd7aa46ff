import * as vscode from 'vscode';
import { lazy } from '../../../base/async/lazy.ts';
import { messageOf } from '../../../base/errors/errors.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { FolderLink } from '../../../knowledge/files/folderLinks.ts';
import type { BaseNode } from '../../../knowledge/view/treeNode.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';

export class FoldersInStep implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes = this.disposables.add(new vscode.EventEmitter<string>());
  readonly onDidChange = this.changes.event;
  private describe: ((links: readonly FolderLink[]) => BaseNode['sync']) | undefined;
  readonly get = lazy(() => this.load());

  constructor(
    private readonly context: KnowledgeCommandContext,
    private readonly lockFolder: string,
  ) {}

  async begin(): Promise<void> {
    const { knowledge, log } = this.context;
    try {
      const links = await knowledge.links.all();
      if (links.some(({ auto }) => auto)) await this.get();
    } catch (error) {
      log.warn(`Folders in step: ${messageOf(error)}`);
    }
  }

  statusOf(links: readonly FolderLink[]): BaseNode['sync'] {
    return this.describe?.(links);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async load() {
    const { AutoSyncs } = await import('./autoSyncs.ts');
    const syncs = this.disposables.add(new AutoSyncs(this.context, this.lockFolder));
    this.describe = (links) => syncs.describe(links);
    this.disposables.add(syncs.onDidChange((datasetId) => this.changes.fire(datasetId)));
    await syncs.refresh();
    return syncs;
  }
}
