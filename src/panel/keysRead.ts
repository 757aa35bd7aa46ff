import * as l10n from '@vscode/l10n';
import { messageOf } from '../base/messageOf.ts';
import type { PanelNotices } from './panelNotices.ts';

/**
 * Waits for all that reads saved keys. That they cannot be read is said in the panel, which opens as if nothing were
 * connected: a notification, which comes before the panel does, would lie over its message box.
 */
export async function keysRead(
  readers: readonly Promise<unknown>[],
  notices: Pick<PanelNotices, 'show'>,
): Promise<void> {
  const outcomes = await Promise.allSettled(readers);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failed) return;
  const text = l10n.t('The saved keys could not be read: {0}', messageOf(failed.reason));
  void notices.show({ severity: 'error', text });
}
