import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HistoryEntry, HistoryPage, HistorySource } from './historySource.ts';

interface HistoryItem extends vscode.QuickPickItem {
  entry?: HistoryEntry;
  more?: () => void;
}

/** What was loaded of one source. */
interface Section {
  source: HistorySource;
  entries: HistoryEntry[];
  next: HistoryPage['next'];
  problem?: string;
}

/**
 * Lists conversations of all sources and opens the chosen one. Sources load beside each other, so a slow server
 * keeps nothing back; one that fails says why. Resolves with the id of what was opened.
 */
export async function showHistory(sources: readonly HistorySource[]): Promise<string | undefined> {
  const ending = new AbortController();
  const pick = vscode.window.createQuickPick<HistoryItem>();
  pick.title = l10n.t('History');
  pick.placeholder = l10n.t('Choose a conversation to go on with');
  pick.matchOnDescription = true;
  const sections: Section[] = sources.map((source) => ({ source, entries: [], next: undefined }));
  let loading = 0;

  const show = (): void => {
    const active = pick.activeItems[0]?.entry?.id;
    const items = sections.flatMap((section) => itemsOf(section, sections.length > 1));
    pick.items =
      items.length > 0 || loading > 0 ? items : [{ label: l10n.t('No conversation has been kept yet.') }];
    pick.busy = loading > 0;
    const again = pick.items.find(({ entry }) => entry !== undefined && entry.id === active);
    if (again) pick.activeItems = [again];
  };
  const load = async (
    section: Section,
    page: (signal: AbortSignal) => Promise<HistoryPage>,
  ): Promise<void> => {
    loading++;
    section.next = undefined;
    delete section.problem;
    show();
    try {
      const { entries, next } = await page(ending.signal);
      section.entries.push(...entries);
      section.next = next;
    } catch (error) {
      section.problem = error instanceof Error ? error.message : String(error);
    }
    loading--;
    if (!ending.signal.aborted) show();
  };
  const itemsOf = (section: Section, isNamed: boolean): HistoryItem[] => {
    const items: HistoryItem[] = section.entries.map(toItem);
    const { next, problem, source } = section;
    if (problem) items.push({ label: `$(error) ${problem}`, alwaysShow: true });
    if (next) {
      const more = () => void load(section, next);
      items.push({ label: l10n.t('$(chevron-down) Show older conversations'), alwaysShow: true, more });
    }
    if (items.length === 0 || !isNamed) return items;
    return [{ label: source.name, kind: vscode.QuickPickItemKind.Separator }, ...items];
  };

  for (const section of sections) void load(section, (signal) => section.source.load(signal));
  show();
  return new Promise((resolve) => {
    pick.onDidTriggerItemButton(async ({ item, button }) => {
      const { entry } = item;
      const section = sections.find(({ entries }) => entry && entries.includes(entry));
      if (!entry || !section) return;
      // The question takes the list's place for a moment.
      pick.ignoreFocusOut = true;
      if (button === renameButton) await rename(entry);
      else if (await confirmDelete(entry)) {
        await entry.delete().then(
          () => section.entries.splice(section.entries.indexOf(entry), 1),
          (error: unknown) => void vscode.window.showErrorMessage(String(error)),
        );
      }
      pick.ignoreFocusOut = false;
      show();
      pick.show();
    });
    pick.onDidAccept(() => {
      const item = pick.activeItems[0];
      if (item?.more) return item.more();
      if (!item?.entry) return;
      const { entry } = item;
      resolve(entry.open().then(() => entry.id));
      pick.hide();
    });
    pick.onDidHide(() => {
      if (pick.ignoreFocusOut) return;
      ending.abort();
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}

const renameButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: l10n.t('Rename'),
};
const deleteButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: l10n.t('Delete'),
};

function toItem(entry: HistoryEntry): HistoryItem {
  const { title, by, updatedAtMs, isOpen } = entry;
  const when =
    updatedAtMs === undefined ? undefined : new Date(updatedAtMs).toLocaleString(vscode.env.language);
  return {
    label: isOpen ? `$(check) ${title}` : title,
    description: [by, when].filter(Boolean).join(' · '),
    buttons: entry.rename ? [renameButton, deleteButton] : [deleteButton],
    entry,
  };
}

async function rename(entry: HistoryEntry): Promise<void> {
  const title = await vscode.window.showInputBox({
    title: l10n.t('Rename the Conversation'),
    value: entry.title,
  });
  if (!title?.trim()) return;
  await entry.rename?.(title.trim()).then(
    () => {
      entry.title = title.trim();
    },
    (error: unknown) => void vscode.window.showErrorMessage(String(error)),
  );
}

async function confirmDelete({ title }: HistoryEntry): Promise<boolean> {
  const remove = l10n.t('Delete');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Delete the conversation “{0}”? This cannot be undone.', title),
    { modal: true },
    remove,
  );
  return answer === remove;
}
