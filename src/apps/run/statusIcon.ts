import type { RunStatus } from './statusLabel.ts';

/** The icon of a run, with the colour it has in the theme. */
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
