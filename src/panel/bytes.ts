import * as l10n from '@vscode/l10n';

/** A size in words, "3.2 KB". */
export function toBytes(bytes: number): string {
  if (bytes < 1000) return l10n.t('{0} B', bytes);
  if (bytes < 1_000_000) return l10n.t('{0} KB', round(bytes / 1000));
  return l10n.t('{0} MB', round(bytes / 1_000_000));
}

/** One decimal below ten, none above. */
export function round(value: number): number {
  return value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
}
