import * as l10n from '@vscode/l10n';
import { formatNumber, formatTokens } from '../base/format.ts';
import type { Usage } from '../shared/transcript.ts';

/** `1,008 in · 900 cached · 50 out · $0.0123`, as far as it is known. */
export function usageInWords({
  promptTokens,
  completionTokens,
  totalTokens,
  cachedTokens,
  cost,
}: Usage): string {
  const known = promptTokens !== undefined || completionTokens !== undefined;
  return [
    promptTokens !== undefined && l10n.t('{0} in', formatNumber(promptTokens)),
    completionTokens !== undefined && l10n.t('{0} out', formatNumber(completionTokens)),
    !known && totalTokens !== undefined && formatTokens(totalTokens),
    cachedTokens && l10n.t('{0} cached', formatNumber(cachedTokens)),
    cost,
  ]
    .filter(Boolean)
    .join(' · ');
}
