import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber } from '../../base/text/format.ts';
import { formatTime } from '../../base/text/formatTime.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import type { SwitchboardError } from '../../base/errors/errors.ts';
import {
  filterConversations,
  groupConversations,
  type ConversationGroup,
  type HistoryFilter,
} from '../../history/groupConversations.ts';
import type { Branch } from '../../history/branchesOf.ts';
import { relativeTime } from '../../history/relativeTime.ts';
import {
  type HistoryEntry,
  type HistorySource,
  activityIcons,
  activityInWords,
} from '../../history/historySource.ts';
import { commandId, contextKey, historyTreeCommandId } from '../ids.ts';
import { failureItem, withIcon } from '../tree/treeLines.ts';

export interface ConversationLine {
  type: 'conversation';
  parent: GroupLine;
  entry: HistoryEntry;
}

export interface BranchLine {
  type: 'branch';
  parent: ConversationLine | BranchLine;
  entry: HistoryEntry;
  branch: Branch;
}

interface GroupLine {
  type: 'group';
  group: ConversationGroup;
}

export type HistoryNode =
  | GroupLine
  | ConversationLine
  | BranchLine
  | { type: 'failure'; error: SwitchboardError }
  | { type: 'filtered'; text: string }
  | { type: 'none' };

/** Shown ages are exact to a minute. */
const agesLastMs = 60_000;

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export class HistoryTree {
  private readonly changes = new vscode.EventEmitter<HistoryNode | undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  private filter: HistoryFilter | undefined;
  private listed: readonly HistoryEntry[] = [];
  private listedAtMs = 0;
  private readonly ending = new AbortController();
  private readonly focusing = vscode.window.onDidChangeWindowState(
    ({ focused }) => focused && this.onShown(),
  );

  constructor(private readonly source: () => Promise<HistorySource>) {}

  get entries(): readonly HistoryEntry[] {
    return this.listed;
  }

  setFilter(filter: HistoryFilter | undefined): void {
    this.filter = filter;
    void vscode.commands.executeCommand('setContext', contextKey('historyFiltered'), filter !== undefined);
    this.refresh();
  }

  refresh(): void {
    this.changes.fire(undefined);
  }

  onShown(): void {
    if (Date.now() - this.listedAtMs > agesLastMs) this.refresh();
  }

  getParent(node: HistoryNode): HistoryNode | undefined {
    return node.type === 'conversation' || node.type === 'branch' ? node.parent : undefined;
  }

  async getChildren(node?: HistoryNode): Promise<HistoryNode[]> {
    if (node?.type === 'group') {
      return node.group.entries.map((entry) => ({ type: 'conversation', parent: node, entry }));
    }
    if (node?.type === 'conversation' || node?.type === 'branch') {
      const { entry } = node;
      const branches = entry.branches?.(node.type === 'branch' ? node.branch.id : undefined) ?? [];
      return branches.map((branch) => ({ type: 'branch', parent: node, entry, branch }));
    }
    if (node) return [];
    try {
      const { entries } = await (await this.source()).load(this.ending.signal);
      this.listed = entries;
    } catch (error) {
      return [{ type: 'failure', error: toSwitchboardError(error) }];
    }
    // An empty tree would show the editor's welcome view, which takes the focus with it.
    if (this.listed.length === 0) return [{ type: 'none' }];
    const now = Date.now();
    this.listedAtMs = now;
    const shown = this.filter ? filterConversations(this.listed, this.filter, now) : this.listed;
    const groups = groupConversations(shown, now).map((group): HistoryNode => ({ type: 'group', group }));
    if (!this.filter) return groups;
    const text = l10n.t('Filtered: {0} of {1}', formatNumber(shown.length), formatNumber(this.listed.length));
    return [{ type: 'filtered', text }, ...groups];
  }

  getTreeItem(node: HistoryNode): vscode.TreeItem {
    switch (node.type) {
      case 'group':
        return groupItem(node);
      case 'conversation':
        return conversationItem(node);
      case 'branch':
        return branchItem(node);
      case 'failure':
        return failureItem(node.error, historyTreeCommandId('refresh'), node);
      case 'filtered': {
        const item = withIcon(new vscode.TreeItem(node.text, None), 'filter');
        item.command = { command: historyTreeCommandId('clearFilter'), title: l10n.t('Clear Filter') };
        item.tooltip = l10n.t('Clear Filter');
        return item;
      }
      case 'none': {
        const item = withIcon(new vscode.TreeItem(l10n.t('No conversations yet.'), None), 'comment');
        item.description = l10n.t('New Chat');
        item.command = { command: commandId('newChat'), title: l10n.t('New Chat') };
        return item;
      }
    }
  }

  dispose(): void {
    this.ending.abort();
    this.focusing.dispose();
    this.changes.dispose();
  }
}

function groupItem({ group }: GroupLine): vscode.TreeItem {
  const isOld = group.id === 'older' || group.id === 'month';
  const item = new vscode.TreeItem(group.label, isOld ? Collapsed : Expanded);
  item.id = `group ${group.id}`;
  item.description = formatNumber(group.entries.length);
  item.contextValue = 'group';
  return item;
}

function conversationItem(node: ConversationLine): vscode.TreeItem {
  const { entry } = node;
  const { activity, by, folder, isOpen, isPinned, title, updatedAtMs } = entry;
  const isSplit = (entry.branches?.() ?? []).length > 0;
  const item = new vscode.TreeItem(title, isSplit ? Collapsed : None);
  item.id = `conversation ${entry.id}`;
  const icon = activity
    ? activityIcons[activity]
    : isPinned
      ? 'pinned'
      : isOpen
        ? 'comment-discussion'
        : 'comment';
  withIcon(item, icon);
  const facts = (format: (atMs: number) => string) =>
    [activity && activityInWords(activity), by, updatedAtMs !== undefined && format(updatedAtMs)]
      .filter(Boolean)
      .join(' · ');
  item.description = facts((atMs) => relativeTime(atMs, Date.now()));
  item.tooltip = [title, facts(formatTime), folder].filter(Boolean).join('\n');
  item.accessibilityInformation = {
    label: [title, isPinned && l10n.t('Pinned'), isOpen && l10n.t('Open'), item.description]
      .filter(Boolean)
      .join(', '),
  };
  item.contextValue = [
    'conversation',
    entry.pin && (isPinned ? 'pinned' : 'pinnable'),
    entry.rename && 'renamable',
  ]
    .filter(Boolean)
    .join(' ');
  item.command = { command: historyTreeCommandId('open'), title: l10n.t('Open'), arguments: [node] };
  return item;
}

function branchItem(node: BranchLine): vscode.TreeItem {
  const { entry, branch } = node;
  const { id, label, by, isShown, isSplit } = branch;
  const item = new vscode.TreeItem(label, isSplit ? Expanded : None);
  item.id = `branch ${entry.id} ${id}`;
  withIcon(item, isShown ? 'check' : 'git-branch');
  item.description = by ?? '';
  item.tooltip = [label, by].filter(Boolean).join('\n');
  item.accessibilityInformation = {
    label: [label, by, isShown && l10n.t('Shown')].filter(Boolean).join(', '),
  };
  item.command = { command: historyTreeCommandId('open'), title: l10n.t('Open'), arguments: [node] };
  return item;
}
