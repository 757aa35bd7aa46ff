import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppConversation, AppRun } from '../../../apps/app.ts';
import { hasConversations } from '../../../apps/appKinds.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import type { AppService } from '../../../apps/appService.ts';
import type { AppClient } from '../../../apps/client/appClient.ts';
import { lazy } from '../../../base/async/lazy.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { PagedList } from '../../../platform/pagedList.ts';
import { toAppTreeItem } from './appTreeItem.ts';
import type { Flows } from '../../flows/flowFiles.ts';
import type { AppLine, AppTreeNode } from '../../../apps/appTreeNode.ts';

type Child = { conversation: AppConversation } | { run: AppRun };

export class AppTree implements vscode.TreeDataProvider<AppTreeNode>, Disposable {
  private readonly changes = new vscode.EventEmitter<AppTreeNode | undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly lines = new Map<string, AppLine>();
  private readonly children = new Map<string, PagedList<Child>>();
  private readonly ending = new AbortController();

  private readonly disposables = new DisposableStore();
  private readonly flowStates = lazy(async () => {
    const [{ appStates }, files] = await Promise.all([
      import('../../flows/flowDecorations.ts'),
      this.flows.files(),
      this.flows.decorate(),
    ]);
    this.disposables.add(files.onDidChangeState(() => this.changes.fire(undefined)));
    return () => appStates(files);
  });

  constructor(
    private readonly apps: Pick<AppService, 'listed' | 'twinOf' | 'hasKey' | 'client' | 'pictureFile'>,
    private readonly flows: Pick<Flows, 'files' | 'decorate'>,
  ) {}

  getTreeItem(node: AppTreeNode): vscode.TreeItem {
    return toAppTreeItem(node, node.type === 'app' ? this.apps.pictureFile(node.app) : undefined);
  }

  getParent(node: AppTreeNode): AppLine | undefined {
    return 'parent' in node ? node.parent : undefined;
  }

  async getChildren(node?: AppTreeNode): Promise<AppTreeNode[]> {
    if (!node) {
      const { listed } = this.apps;
      if (listed.length === 0) return [{ type: 'none' }];
      return this.withFlowStates(await Promise.all(listed.map((app) => this.lineOf(app))));
    }
    return node.type === 'app' ? this.childrenOf(node) : [];
  }

  private async withFlowStates(lines: readonly AppLine[]): Promise<AppLine[]> {
    const signedIn = (line: AppLine) => line.twin ?? line.app;
    const isSignedIn = lines.some((line) => signedIn(line).account);
    const states = isSignedIn ? await (await this.flowStates())() : undefined;
    return lines.map((line) => {
      const { account, origin } = signedIn(line);
      return Object.assign(line, { flow: account && states?.get(`${origin} ${account.appId}`) });
    });
  }

  refresh(line?: AppLine): void {
    if (line) this.children.delete(line.app.id);
    else this.children.clear();
    this.changes.fire(line);
  }

  ran({ id, kind }: AppRecord): void {
    const line = this.lines.get(id);
    if (line && kind === 'workflow') this.refresh(line);
  }

  async loadMore(line: AppLine): Promise<void> {
    await this.listOf(line).loadNext();
    this.changes.fire(line);
  }

  dispose(): void {
    this.ending.abort();
    this.disposables.dispose();
    this.changes.dispose();
  }

  private async lineOf(app: AppRecord): Promise<AppLine> {
    const hasKey = await this.apps.hasKey(app);
    const known = this.lines.get(app.id);
    const twin = this.apps.twinOf(app.id);
    if (known) return Object.assign(known, { app, hasKey, twin });
    const line: AppLine = { type: 'app', app, hasKey, twin };
    this.lines.set(app.id, line);
    return line;
  }

  private async childrenOf(line: AppLine): Promise<AppTreeNode[]> {
    const list = this.listOf(line);
    await list.ensure();
    const nodes = list.items.map((child): AppTreeNode =>
      'run' in child
        ? { type: 'run', parent: line, run: child.run }
        : { type: 'conversation', parent: line, conversation: child.conversation },
    );
    if (list.error) nodes.push({ type: 'failure', parent: line, error: list.error });
    else if (list.hasMore) nodes.push({ type: 'more', parent: line, shown: nodes.length });
    else if (nodes.length === 0) nodes.push({ type: 'note', parent: line, text: nothingYet(line.app) });
    return nodes;
  }

  private listOf({ app }: AppLine): PagedList<Child> {
    const kept = this.children.get(app.id);
    if (kept) return kept;
    const { signal } = this.ending;
    const client = () => this.apps.client(app.id);
    const list = hasConversations(app) ? conversationList(client, signal) : runList(client, signal);
    this.children.set(app.id, list);
    return list;
  }
}

function conversationList(client: () => Promise<AppClient>, signal: AbortSignal): PagedList<Child> {
  let last: string | undefined;
  const load = async () => {
    const { conversations, hasMore } = await (await client()).conversations(last, signal);
    last = conversations.at(-1)?.id;
    return { items: conversations.map((conversation) => ({ conversation })), hasMore };
  };
  return new PagedList<Child>(load, idOf);
}

function runList(client: () => Promise<AppClient>, signal: AbortSignal): PagedList<Child> {
  const load = async (page: number) => {
    const { runs, hasMore } = await (await client()).workflowLogs(page, signal);
    return { items: runs.map((run) => ({ run })), hasMore };
  };
  return new PagedList<Child>(load, idOf);
}

function idOf(child: Child): string {
  return 'run' in child ? (child.run.id ?? JSON.stringify(child.run)) : child.conversation.id;
}

function nothingYet(app: AppRecord): string {
  return hasConversations(app) ? l10n.t('No conversations yet.') : l10n.t('No runs yet.');
}
