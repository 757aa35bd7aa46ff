import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../base/text/format.ts';
import { lazy } from '../../base/async/lazy.ts';
import { fromJson, toJson, toMarkdown } from '../../history/exportedChat.ts';
import { groupLabel, type HistoryFilter } from '../../history/groupConversations.ts';
import type { HistoryEntry } from '../../history/historySource.ts';
import type { HistoryCommand, HistoryTreeCommand } from '../ids.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { FileChatStore } from '../../chat/store/fileChatStore.ts';
import { hasType } from '../../base/json.ts';
import { tellError } from '../ui/tellError.ts';
import { deleteWithUndo } from './deleteWithUndo.ts';
import { type BranchLine, type ConversationLine, HistoryTree } from './historyTree.ts';
import { type HistoryDependencies, nameIn, savedSource } from './historySources.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface HistoryCommandsDependencies extends Omit<HistoryDependencies, 'chat' | 'store'> {
  chat: ChatController;
  store: FileChatStore;
  notifications: Notifications;
}

const ages = ['today', 'yesterday', 'week', 'month'] as const;

const filters = () => ({ Markdown: ['md'], JSON: ['json'] });

export class HistoryCommands {
  private readonly source = lazy(() => savedSource(this.deps));
  readonly tree = new HistoryTree(this.source);

  constructor(private readonly deps: HistoryCommandsDependencies) {}

  run(command: HistoryCommand, args: readonly unknown[]): Promise<unknown> {
    return this.showingErrors(() => {
      switch (command) {
        case 'exportChat':
          return this.export(this.deps.chat.shown.conversation.id, args[0]);
        case 'importChat':
          return this.import(args[0]);
      }
    });
  }

  runOnTree(command: HistoryTreeCommand, [argument]: readonly unknown[]): Promise<unknown> {
    const node = hasType<ConversationLine>(argument, ['conversation']) ? argument : undefined;
    const branch = hasType<BranchLine>(argument, ['branch']) ? argument : undefined;
    return this.showingErrors(async () => {
      switch (command) {
        case 'refresh':
          this.tree.refresh();
          return true;
        case 'filter':
          return this.chooseFilter(argument);
        case 'clearFilter':
          this.tree.setFilter(undefined);
          return true;
        case 'markAllRead':
          this.deps.unseen.forget(() => true);
          return true;
        case 'open':
          if (branch) return branch.entry.goTo?.(branch.branch.id);
          return node && this.change(command, node.entry);
        default:
          return node ? this.change(command, node.entry) : undefined;
      }
    });
  }

  dispose(): void {
    this.tree.dispose();
  }

  private async change(
    command: 'open' | 'rename' | 'pin' | 'unpin' | 'export' | 'delete',
    entry: HistoryEntry,
  ): Promise<unknown> {
    switch (command) {
      case 'open':
        if (await entry.open()) return entry.id;
        this.tree.refresh();
        void this.deps.notifications.warning(
          l10n.t(
            'The conversation "{0}" no longer exists. It may have been deleted in another window.',
            entry.title,
          ),
        );
        return undefined;
      case 'rename': {
        if (!entry.rename) return undefined;
        const typed = await vscode.window.showInputBox({
          title: l10n.t('Rename Conversation'),
          value: entry.title,
          prompt: l10n.t('Leave empty to use its first line.'),
        });
        if (typed === undefined) return undefined;
        await entry.rename(typed.trim());
        break;
      }
      case 'pin':
      case 'unpin':
        await entry.pin?.(command === 'pin');
        break;
      case 'export':
        return this.export(entry.id, undefined);
      case 'delete':
        return deleteWithUndo(this.deps.notifications, entry, () => this.tree.refresh());
    }
    this.tree.refresh();
    return true;
  }

  private async chooseFilter(given: unknown): Promise<HistoryFilter | undefined> {
    const { entries } = await (await this.source()).load(new AbortController().signal);
    const filter = isFilter(given) ? given : await chooseFilter(entries);
    if (filter) this.tree.setFilter(filter);
    return filter;
  }

  private async export(chatId: string, given: unknown): Promise<unknown> {
    const source = await this.source();
    const { entries } = await source.load(new AbortController().signal);
    const title = entries.find(({ id }) => id === chatId)?.title;
    if (title === undefined) {
      void this.deps.notifications.information(l10n.t('This conversation is empty.'));
      return undefined;
    }
    return exportChat(this.deps, { chatId, title, ...toOptions(given) });
  }

  private async import(given: unknown): Promise<unknown> {
    const { store, chat, view } = this.deps;
    const imported = await importChat(given instanceof vscode.Uri ? given : undefined);
    if (!imported) return undefined;
    const { title, events, skipped } = imported;
    const chatId = crypto.randomUUID();
    for (const event of events) store.append(chatId, event);
    if (title) await (await this.source()).details.change(chatId, { title });
    await chat.openChat(chatId);
    await view.show();
    if (skipped > 0) {
      const count = formatNumber(skipped);
      void this.deps.notifications.warning(
        plural(
          skipped,
          l10n.t("{0} entry of the file couldn't be read.", count),
          l10n.t("{0} entries of the file couldn't be read.", count),
        ),
      );
    }
    return chatId;
  }

  private async showingErrors(act: () => Promise<unknown>): Promise<unknown> {
    try {
      return await act();
    } catch (error) {
      tellError(this.deps.notifications, error);
      return undefined;
    }
  }
}

function toOptions(given: unknown): ExportOptions {
  return given instanceof vscode.Uri ? { target: given } : {};
}

function isFilter(given: unknown): given is HistoryFilter {
  return (
    typeof given === 'object' && given !== null && ('by' in given || 'folder' in given || 'since' in given)
  );
}

interface FilterItem extends vscode.QuickPickItem {
  by?: string;
  folder?: string;
  since?: NonNullable<HistoryFilter['since']>;
}

async function chooseFilter(entries: readonly HistoryEntry[]): Promise<HistoryFilter | undefined> {
  const items: FilterItem[] = [
    separator(l10n.t('Changed')),
    ...ages.map((since) => ({ label: groupLabel(since), since })),
    ...section(
      l10n.t('Models'),
      entries.filter(({ isByApp }) => !isByApp),
      'by',
    ),
    ...section(
      l10n.t('Apps'),
      entries.filter(({ isByApp }) => isByApp),
      'by',
    ),
    ...section(l10n.t('Folders'), entries, 'folder'),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Filter Conversations'),
    canPickMany: true,
  });
  if (!chosen || chosen.length === 0) return undefined;
  const by = chosen.flatMap((item) => item.by ?? []);
  const folder = chosen.flatMap((item) => item.folder ?? []);
  const since = ages.findLast((age) => chosen.some((item) => item.since === age));
  return { ...(by.length > 0 && { by }), ...(folder.length > 0 && { folder }), ...(since && { since }) };
}

function section(label: string, entries: readonly HistoryEntry[], field: 'by' | 'folder'): FilterItem[] {
  const counts = new Map<string, number>();
  for (const { [field]: name } of entries) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === 0) return [];
  const names = [...counts].toSorted(([, a], [, b]) => b - a);
  return [
    separator(label),
    ...names.map(([name, count]) => ({ label: name, description: formatNumber(count), [field]: name })),
  ];
}

function separator(label: string): FilterItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

interface ExportOptions {
  target?: vscode.Uri;
}

async function exportChat(
  deps: Pick<HistoryDependencies, 'apps' | 'models'> & { store: Pick<FileChatStore, 'load'> },
  { chatId, title, target }: ExportOptions & { chatId: string; title: string },
): Promise<string | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = `${
    title
      .replaceAll(/[^\p{L}\p{N} _-]+/gu, '')
      .trim()
      .slice(0, 60) || 'conversation'
  }.md`;
  const uri =
    target ??
    (await vscode.window.showSaveDialog({
      title: l10n.t('Export Conversation'),
      filters: filters(),
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
    }));
  if (!uri) return undefined;
  const events = (await deps.store.load(chatId)) ?? [];
  const text = uri.path.endsWith('.json')
    ? toJson({ title, events })
    : toMarkdown({ title, events }, (modelId) => nameIn(deps, modelId));
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  return uri.toString();
}

async function importChat(given?: vscode.Uri): Promise<ReturnType<typeof fromJson> | undefined> {
  const [uri] = given
    ? [given]
    : ((await vscode.window.showOpenDialog({
        title: l10n.t('Import Conversation'),
        filters: { JSON: ['json'] },
      })) ?? []);
  return uri && fromJson(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString());
}
