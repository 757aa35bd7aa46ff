import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';

/** What the button below a long text says, which is folded to its first lines or shown whole. */
export function foldLabel(isOpen: boolean, lines: number): string {
  if (isOpen) return l10n.t('Show less');
  return plural(lines, l10n.t('Show 1 line'), l10n.t('Show all {0} lines', formatNumber(lines)));
}
