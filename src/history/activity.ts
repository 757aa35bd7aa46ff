import * as l10n from '@vscode/l10n';
import type { HistoryEntry } from './historySource.ts';

export type Activity = NonNullable<HistoryEntry['activity']>;

export const activityIcons: Record<Activity, string> = {
  ...{ running: 'loading~spin', asking: 'bell' },
  ...{ failed: 'error', done: 'circle-filled' },
};

export function activityInWords(activity: Activity): string {
  switch (activity) {
    case 'running':
      return l10n.t('Running');
    case 'asking':
      return l10n.t('Needs approval');
    case 'failed':
      return l10n.t('Failed');
    case 'done':
      return l10n.t('New answer');
  }
}
