import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../base/text/format.ts';
import { lazy } from '../../base/async/lazy.ts';
import type { HistoryFilter } from '../../history/groupConversations.ts';
import type { HistoryEntry } from '../../history/historySource.ts';
import type { HistoryCommand, HistoryTreeCommand } from '../ids.ts';
import { showInformation, showWarning } from '../ui/notifications.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { FileChatStore } from '../../chat/store/fileChatStore.ts';
import { hasType } from '../../base/json.ts';
import { tellError } from '../ui/tellError.ts';
import { exportChat, importChat, type ExportOptions } from './exportChat.ts';
import { deleteWithUndo } from './deleteWithUndo.ts';
import { chooseFilter } from './chooseFilter.ts';
import { HistoryTree, type BranchLine, type ConversationLine } from './historyTree.ts';
import { type HistoryDependencies, savedSource } from './historySources.ts';

export interface HistoryCommandsDependencies extends Omit<HistoryDependencies, 'chat' | 'store'> {
  chat: ChatController;
  store: FileChatStore;
}

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
        void showWarning(
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
        return deleteWithUndo(entry, () => this.tree.refresh());
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
      void showInformation(l10n.t('This conversation is empty.'));
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
    await store.flush();
    if (title) await (await this.source()).details.change(chatId, { title });
    await chat.openChat(chatId);
    await view.show();
    if (skipped > 0) {
      const count = formatNumber(skipped);
      void showWarning(
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
      tellError(error, this.deps.log);
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
