import * as l10n from '@vscode/l10n';
import type { AppStep, AppRun } from '../app.ts';

type Status = AppRun['status'] | AppStep['status'];

/** The state of a run, or of a step of one. */
export function statusLabel(status: Status): string {
  switch (status) {
    case 'running':
      return l10n.t('running');
    case 'succeeded':
      return l10n.t('done');
    case 'partly-succeeded':
      return l10n.t('partially done');
    case 'failed':
      return l10n.t('failed');
    case 'stopped':
      return l10n.t('stopped');
    case 'paused':
      return l10n.t('waiting for human input');
    case 'retrying':
      return l10n.t('retrying');
    case 'unknown':
      return l10n.t('state unknown');
  }
}

/** The icon of a run, with the colour it has in the theme. */
export function statusIcon(status: Status): { icon: string; color?: string } {
  switch (status) {
    case 'running':
    case 'retrying':
      return { icon: 'sync' };
    case 'succeeded':
      return { icon: 'pass', color: 'testing.iconPassed' };
    case 'partly-succeeded':
      return { icon: 'warning', color: 'list.warningForeground' };
    case 'failed':
      return { icon: 'error', color: 'list.errorForeground' };
    case 'stopped':
      return { icon: 'debug-stop' };
    case 'paused':
      return { icon: 'debug-pause' };
    case 'unknown':
      return { icon: 'question' };
  }
}
