import * as l10n from '@vscode/l10n';
import type { HistoryEntry } from './historySource.ts';

export type GroupId = 'active' | 'pinned' | 'today' | 'yesterday' | 'week' | 'month' | 'older';

export interface ConversationGroup {
  id: GroupId;
  label: string;
  entries: HistoryEntry[];
}

export interface HistoryFilter {
  by?: readonly string[];
  folder?: readonly string[];
  since?: GroupId;
}

const groupIds: readonly GroupId[] = ['active', 'pinned', 'today', 'yesterday', 'week', 'month', 'older'];
const dayMs = 24 * 60 * 60 * 1000;

/** Running first, then pinned, then by age, keeping the order. Empty groups are omitted. */
export function groupConversations(entries: readonly HistoryEntry[], nowMs: number): ConversationGroup[] {
  const groups = groupIds.map((id): ConversationGroup => ({ id, label: groupLabel(id), entries: [] }));
  for (const entry of entries) groups.find(({ id }) => id === groupOf(entry, nowMs))?.entries.push(entry);
  return groups.filter((group) => group.entries.length > 0);
}

/** Running conversations are never hidden. */
export function filterConversations(
  entries: readonly HistoryEntry[],
  { by, folder, since }: HistoryFilter,
  nowMs: number,
): HistoryEntry[] {
  const last = since && groupIds.indexOf(since);
  return entries.filter(
    (entry) =>
      entry.activity !== undefined ||
      ((!by || by.includes(entry.by ?? '')) &&
        (!folder || folder.includes(entry.folder ?? '')) &&
        (last === undefined || groupIds.indexOf(ageOf(entry.updatedAtMs ?? 0, nowMs)) <= last)),
  );
}

function groupOf({ activity, isPinned, updatedAtMs = 0 }: HistoryEntry, nowMs: number): GroupId {
  if (activity !== undefined) return 'active';
  return isPinned ? 'pinned' : ageOf(updatedAtMs, nowMs);
}

function ageOf(atMs: number, nowMs: number): GroupId {
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= midnight) return 'today';
  if (atMs >= midnight - dayMs) return 'yesterday';
  if (atMs >= midnight - 7 * dayMs) return 'week';
  return atMs >= midnight - 30 * dayMs ? 'month' : 'older';
}

export function groupLabel(id: GroupId): string {
  switch (id) {
    case 'active':
      return l10n.t('Active');
    case 'pinned':
      return l10n.t('Pinned');
    case 'today':
      return l10n.t('Today');
    case 'yesterday':
      return l10n.t('Yesterday');
    case 'week':
      return l10n.t('Last 7 Days');
    case 'month':
      return l10n.t('Last 30 Days');
    case 'older':
      return l10n.t('Older');
  }
}
