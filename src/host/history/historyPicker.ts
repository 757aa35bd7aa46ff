import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { chosenItem } from '../ui/quickPicks.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors/errors.ts';
import { deleteWithUndo } from './deleteWithUndo.ts';
import { tellError } from '../ui/tellError.ts';
import {
  type FoundText,
  type HistoryEntry,
  type HistoryPage,
  type HistorySource,
  activityIcons,
  activityInWords,
} from '../../history/historySource.ts';
import type { FoundChat } from '../../history/searchChats.ts';
import { relativeTime } from '../../history/relativeTime.ts';
import { deleteListing, type Listing, listOnce, openListing, titleOf } from '../../history/listOnce.ts';
import type { Notifications } from '../ui/notifications.ts';

interface HistoryItem extends vscode.QuickPickItem {
  listing?: Listing;
  load?: () => void;
}

type LoadPage = (signal: AbortSignal) => Promise<HistoryPage>;

interface Section {
  source: HistorySource;
  entries: HistoryEntry[];
  next?: LoadPage | undefined;
  failure?: { message: string; again: LoadPage } | undefined;
  isPending?: boolean;
  isAsked?: boolean;
}

export async function showHistory(
  notifications: Notifications,
  sources: readonly HistorySource[],
): Promise<string | undefined> {
  const list = new HistoryList(sources, notifications);
  try {
    for (;;) {
      const chosen = await list.choose();
      if (!chosen || (await openListing(chosen, list.foundIn(chosen)))) return chosen?.entry.id;
      list.drop(chosen);
      void notifications.warning(
        l10n.t(
          'The conversation "{0}" no longer exists. It may have been deleted in another window.',
          titleOf(chosen),
        ),
      );
    }
  } finally {
    list.dispose();
  }
}

/** Shorter texts would match every conversation. */
const leastToSearch = 2;
const betweenShowsMs = 100;

class HistoryList {
  private readonly parts = new DisposableStore();
  private readonly pick = this.parts.add(vscode.window.createQuickPick<HistoryItem>());
  private readonly ending = new AbortController();
  private readonly sections: readonly Section[];
  private loading = 0;
  /** Input boxes hide the list, which must not count as dismissing it. */
  private isAsking = false;
  private searching: AbortController | undefined;
  private readonly found = new Map<string, FoundChat & FoundText>();
  private settle: (chosen: Listing | undefined) => void = () => {};

  constructor(
    sources: readonly HistorySource[],
    private readonly notifications: Notifications,
  ) {
    this.sections = sources.map((source) => ({ source, entries: [] }));
    this.pick.title = l10n.t('History');
    this.pick.placeholder = l10n.t('Search titles and texts of conversations');
    this.pick.matchOnDescription = true;
    this.pick.keepScrollPosition = true;
    if (sources.some(({ cached }) => cached)) this.pick.buttons = [refreshButton];
    this.pick.onDidTriggerButton(() => {
      for (const section of this.sections) if (section.source.cached) void this.reload(section);
    });
    this.pick.onDidTriggerItemButton(({ item, button }) => void this.change(item.listing, button));
    this.pick.onDidChangeValue((value) => void this.search(value));
    this.pick.onDidAccept(() => {
      const item = chosenItem(this.pick);
      if (item?.load) item.load();
      else if (item?.listing) this.settle(item.listing);
    });
    this.pick.onDidHide(() => {
      if (!this.isAsking) this.settle(undefined);
    });
    for (const section of this.sections) {
      void this.open(section);
      const listening = section.source.onDidChange?.(() => this.show());
      if (listening) this.parts.add(listening);
    }
  }

  choose(): Promise<Listing | undefined> {
    return new Promise((resolve) => {
      this.settle = resolve;
      this.pick.show();
    });
  }

  foundIn({ entry }: Listing): FoundText | undefined {
    return this.found.get(entry.id);
  }

  drop({ entry, twins }: Listing): void {
    const gone = [entry, ...twins];
    for (const section of this.sections) {
      section.entries = section.entries.filter((each) => !gone.includes(each));
    }
    this.show();
  }

  dispose(): void {
    this.ending.abort();
    this.searching?.abort();
    this.parts.dispose();
  }

  private async open(section: Section): Promise<void> {
    const { source } = section;
    if (!source.cached) return this.load(section, (signal) => source.load(signal));
    const known = await source.cached();
    section.isPending = known === undefined;
    section.entries.push(...(known?.entries ?? []));
    section.next = known?.next;
    this.show();
  }

  private async reload(section: Section): Promise<void> {
    section.isPending = false;
    section.isAsked = true;
    section.entries = [];
    await this.load(section, (signal) => section.source.load(signal));
  }

  private async loadAndGo(section: Section): Promise<void> {
    await this.reload(section);
    const first = this.pick.items.find(({ listing }) => listing?.entry === section.entries[0]);
    if (first?.listing) this.pick.activeItems = [first];
  }

  private async load(section: Section, page: LoadPage): Promise<void> {
    this.loading++;
    section.next = undefined;
    section.failure = undefined;
    this.show();
    try {
      const { entries, next } = await page(this.ending.signal);
      section.entries.push(...entries);
      section.next = next;
    } catch (error) {
      const message = messageOf(error);
      section.failure = { message, again: page };
    }
    this.loading--;
    this.show();
  }

  private async change(listing: Listing | undefined, button: vscode.QuickInputButton): Promise<void> {
    if (!listing) return;
    this.isAsking = true;
    try {
      if (button === renameButton) await rename(listing);
      else await this.delete(listing);
    } catch (error) {
      tellError(this.notifications, error);
    }
    this.isAsking = false;
    this.show();
    this.pick.show();
  }

  /** Only local conversations can be restored. */
  private delete(listing: Listing): Promise<boolean> {
    const { entry, twins } = listing;
    const restore = twins.length === 0 ? entry.restore : undefined;
    const afterDeleting =
      twins.length > 0 ? l10n.t('It will be deleted here and on the platform.') : entry.afterDeleting;
    const section = this.sections.find(({ entries }) => entries.includes(entry));
    const deleted = {
      title: titleOf(listing),
      delete: () => deleteListing(listing),
      ...(restore && { restore }),
      ...(afterDeleting !== undefined && { afterDeleting }),
    };
    let isGone = false;
    return deleteWithUndo(this.notifications, deleted, () => {
      isGone = !isGone;
      if (isGone) this.drop(listing);
      else if (section) section.entries = [entry, ...section.entries];
      this.show();
    });
  }

  private async search(text: string): Promise<void> {
    this.searching?.abort();
    this.found.clear();
    const searching = new AbortController();
    this.searching = searching;
    if (text.trim().length < leastToSearch) return this.show();
    this.loading++;
    this.show();
    let shownAt = 0;
    for (const { source } of this.sections) {
      for await (const found of source.search?.(text, searching.signal) ?? []) {
        if (searching.signal.aborted) break;
        this.found.set(found.id, { ...found, text: text.trim() });
        if (performance.now() - shownAt < betweenShowsMs) continue;
        this.show();
        shownAt = performance.now();
      }
    }
    this.loading--;
    this.show();
  }

  private show(): void {
    if (this.ending.signal.aborted) return;
    const active = this.pick.activeItems[0]?.listing?.entry;
    const listed = listOnce(this.sections.map(({ entries }) => entries));
    const loaded = this.sections.flatMap((section, index) => this.itemsOf(section, listed[index] ?? []));
    const items = [...loaded, ...this.pendingItems()];
    const isEmpty = items.length === 0 && this.loading === 0 && this.pick.value === '';
    this.pick.items = isEmpty ? [{ label: l10n.t('No conversations yet.') }] : items;
    this.pick.busy = this.loading > 0;
    const again = active && this.pick.items.find(({ listing }) => listing?.entry === active);
    if (again) this.pick.activeItems = [again];
  }

  private itemsOf(section: Section, listings: readonly Listing[]): HistoryItem[] {
    const { source, next, failure, isAsked } = section;
    const typed = this.pick.value.trim().toLowerCase();
    const items = listings.flatMap((listing): HistoryItem[] => {
      const excerpt = this.found.get(listing.entry.id)?.excerpt;
      const item = toItem(listing);
      if (excerpt !== undefined) return [{ ...item, detail: excerpt, alwaysShow: true }];
      // The editor would filter the rest, but only after receiving thousands of items for each match.
      const isNamed = `${item.label}\n${item.description}`.toLowerCase().includes(typed);
      return isNamed ? [item] : [];
    });
    if (failure) {
      items.push({
        label: `$(error) ${failure.message}`,
        detail: l10n.t('Select to try again'),
        alwaysShow: true,
        load: () => void this.load(section, failure.again),
      });
    }
    if (next) {
      items.push({
        label: l10n.t('$(chevron-down) Show Older Conversations'),
        alwaysShow: true,
        load: () => void this.load(section, next),
      });
    }
    if (listings.length === 0 && items.length === 0 && isAsked && this.loading === 0) {
      items.push({ label: l10n.t('No other conversations on the platform') });
    }
    if (items.length === 0 || this.sections.length === 1) return items;
    return [separator(source.name), ...items];
  }

  private pendingItems(): HistoryItem[] {
    const items = this.sections
      .filter(({ isPending }) => isPending)
      .map((section): HistoryItem => ({
        label: `$(cloud-download) ${section.source.name}`,
        description: l10n.t('Load conversations'),
        alwaysShow: true,
        load: () => void this.loadAndGo(section),
      }));
    return items.length > 0 ? [separator(l10n.t('On the platform')), ...items] : [];
  }
}

function separator(label: string): HistoryItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

const refreshButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('refresh'),
  tooltip: l10n.t('Load All from the Platform'),
};
const renameButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: l10n.t('Rename'),
};
const deleteButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: l10n.t('Delete'),
};

function toItem(listing: Listing): HistoryItem {
  const { activity, by, updatedAtMs, isOpen } = listing.entry;
  const title = titleOf(listing);
  const when = updatedAtMs !== undefined && relativeTime(updatedAtMs, Date.now());
  return {
    label: [activity && `$(${activityIcons[activity]})`, isOpen && '$(check)', title]
      .filter(Boolean)
      .join(' '),
    description: [activity && activityInWords(activity), by, when].filter(Boolean).join(' · '),
    buttons: renamed(listing).rename ? [renameButton, deleteButton] : [deleteButton],
    listing,
  };
}

function renamed({ entry, twins: [twin] }: Listing): HistoryEntry {
  return twin ?? entry;
}

async function rename(listing: Listing): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Rename Conversation'),
    value: titleOf(listing),
  });
  const title = typed?.trim();
  if (!title) return;
  const entry = renamed(listing);
  await entry.rename?.(title);
  Object.assign(entry, { title, isTitlePoor: false });
}
