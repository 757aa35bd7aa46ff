import * as l10n from '@vscode/l10n';

/** How long something took, in words. */
export function duration(ms: number): string {
  return ms < 1000 ? l10n.t('{0} ms', Math.round(ms)) : l10n.t('{0} s', (ms / 1000).toFixed(1));
}
