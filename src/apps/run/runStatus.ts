import * as l10n from '@vscode/l10n';
import type { AppStep, AppRun } from '../app.ts';

export type RunStatus = AppRun['status'] | AppStep['status'];

export function statusLabel(status: RunStatus): string {
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

export function statusIcon(status: RunStatus): { icon: string; color?: string } {
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
