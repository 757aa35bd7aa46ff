import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { timeText } from './describeField.ts';
import type { MetadataCondition, SearchMethod, SearchSettings } from '../../platform/searchSettings.ts';

export function describeSearch(settings: SearchSettings | undefined): string {
  const { method, reranking, scoreThreshold, topK, filter } = settings ?? {};
  return [
    method && methodName(method),
    reranking && rerankingName(reranking),
    scoreThreshold !== undefined && l10n.t('score at least {0}', formatNumber(scoreThreshold, 2)),
    topK !== undefined && resultsName(topK),
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
      return l10n.t('semantic weight {0}, keyword weight {1}', ...weights(reranking.semantic));
  }
}

export function resultsName(topK: number): string {
  return plural(topK, l10n.t('1 result'), l10n.t('{0} results', formatNumber(topK)));
}

export function describeFilter({ match, conditions }: NonNullable<SearchSettings['filter']>): string {
  const shown = conditions.map(describeCondition);
  return shown.join(match === 'all' ? ` ${l10n.t('and')} ` : ` ${l10n.t('or')} `);
}

export function describeCondition({ name, comparison, value }: MetadataCondition): string {
  const shown = value === undefined ? '' : valueText(comparison, value);
  return [oneLine(name, 40), comparisonName(comparison), shown].filter(Boolean).join(' ');
}

function valueText(comparison: string, value: string | number): string {
  if (typeof value === 'string') return `"${oneLine(value, 40)}"`;
  // Numbers are compared by signs, times by words.
  return /[a-z]/.test(comparison) ? timeText(value) : String(value);
}

/** Unknown operators keep the platform's word. */
export function comparisonName(comparison: string): string {
  switch (comparison) {
    case 'is':
      return l10n.t('is');
    case 'is not':
      return l10n.t('is not');
    case 'contains':
      return l10n.t('contains');
    case 'not contains':
      return l10n.t("doesn't contain");
    case 'start with':
      return l10n.t('starts with');
    case 'end with':
      return l10n.t('ends with');
    case 'before':
      return l10n.t('is before');
    case 'after':
      return l10n.t('is after');
    case 'empty':
      return l10n.t('is empty');
    case 'not empty':
      return l10n.t('is not empty');
    default:
      return comparison;
  }
}

/** Rounded so that the two add up to 1. */
function weights(semantic: number): [string, string] {
  const part = Math.round(semantic * 100) / 100;
  return [formatNumber(part, 2), formatNumber(1 - part, 2)];
}
