import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber } from '../../base/text/format.ts';
import { groupLabel, type HistoryFilter } from '../../history/groupConversations.ts';
import type { HistoryEntry } from '../../history/historySource.ts';

interface FilterItem extends vscode.QuickPickItem {
  by?: string;
  folder?: string;
  since?: NonNullable<HistoryFilter['since']>;
}

const ages = ['today', 'yesterday', 'week', 'month'] as const;

export async function chooseFilter(entries: readonly HistoryEntry[]): Promise<HistoryFilter | undefined> {
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
