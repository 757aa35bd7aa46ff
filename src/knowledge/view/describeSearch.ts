import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/format.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { MetadataCondition, SearchMethod, SearchSettings } from '../../platform/searchSettings.ts';

/** What of a search is set here, in a few words; empty where all is left to the knowledge base. */
export function describeSearch(settings: SearchSettings | undefined): string {
  const { method, reranking, scoreThreshold, filter } = settings ?? {};
  return [
    method && methodName(method),
    reranking && rerankingName(reranking),
    scoreThreshold !== undefined && l10n.t('score at least {0}', formatNumber(scoreThreshold, 2)),
    filter && describeFilter(filter),
  ]
    .filter(Boolean)
    .join(' · ');
}

export function methodName(method: SearchMethod): string {
  switch (method) {
    case 'semantic_search':
      return l10n.t('semantic search');
    case 'full_text_search':
      return l10n.t('full-text search');
    case 'hybrid_search':
      return l10n.t('hybrid search');
    case 'keyword_search':
      return l10n.t('keyword search');
  }
}

export function rerankingName(reranking: NonNullable<SearchSettings['reranking']>): string {
  switch (reranking.type) {
    case 'none':
      return l10n.t('no reranking');
    case 'model':
      return l10n.t('reranked by {0}', oneLine(reranking.model, 60));
    case 'weights':
      return l10n.t('{0} % semantic, {1} % keyword', ...percentages(reranking.semantic));
  }
}

export function describeFilter({ match, conditions }: NonNullable<SearchSettings['filter']>): string {
  const shown = conditions.map(describeCondition);
  return shown.join(match === 'all' ? ` ${l10n.t('and')} ` : ` ${l10n.t('or')} `);
}

export function describeCondition({ name, comparison, value }: MetadataCondition): string {
  return [oneLine(name, 40), comparison, value === undefined ? '' : `"${oneLine(String(value), 40)}"`]
    .filter(Boolean)
    .join(' ');
}

function percentages(semantic: number): [string, string] {
  const part = Math.round(semantic * 100);
  return [formatNumber(part), formatNumber(100 - part)];
}
