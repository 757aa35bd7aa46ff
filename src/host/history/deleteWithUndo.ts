import * as l10n from '@vscode/l10n';
import type { HistoryEntry } from '../../history/historySource.ts';
import { confirmModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export async function deleteWithUndo(
  notifications: Notifications,
  entry: Pick<HistoryEntry, 'title' | 'delete' | 'restore' | 'afterDeleting'>,
  changed: () => void,
): Promise<boolean> {
  const { restore, title, afterDeleting } = entry;
  if (!restore && !(await confirmDelete(title, afterDeleting))) return false;
  await entry.delete();
  changed();
  if (restore) void offerUndo(notifications, entry, changed);
  return true;
}

function confirmDelete(title: string, afterDeleting: string | undefined): Promise<boolean> {
  return confirmModal(
    l10n.t('Delete the conversation "{0}"? This cannot be undone.', title),
    l10n.t('Delete'),
    afterDeleting,
  );
}

async function offerUndo(
  notifications: Notifications,
  { title, restore, afterDeleting }: Pick<HistoryEntry, 'title' | 'restore' | 'afterDeleting'>,
  changed: () => void,
): Promise<void> {
  const undo = l10n.t('Undo');
  const text = [l10n.t('Deleted "{0}".', title), afterDeleting].filter(Boolean).join(' ');
  if ((await notifications.information(text, undo)) !== undo) return;
  await restore?.();
  changed();
}
