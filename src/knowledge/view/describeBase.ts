import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { agentBaseOf } from '../../platform/datasets.ts';
import type { Dataset, IndexingTechnique } from '../../platform/records.ts';

export function describeBase({
  id,
  documentCount,
  technique,
  isExternal,
  isPipeline,
  form,
  tags,
  isEmbeddingAvailable,
  isApiEnabled,
}: Dataset): string {
  return [
    isApiEnabled === false && l10n.t('API access off'),
    documentCount !== undefined &&
      plural(documentCount, l10n.t('1 document'), l10n.t('{0} documents', formatNumber(documentCount))),
    technique && techniqueName(technique),
    form === 'hierarchical_model' && l10n.t('parent and child chunks'),
    agentBaseOf(id) !== undefined
      ? l10n.t('agent knowledge base, search only')
      : isExternal && l10n.t('external, read-only'),
    isPipeline && l10n.t('knowledge pipeline'),
    technique === 'high_quality' && isEmbeddingAvailable === false && l10n.t('embedding model not available'),
    ...tags.map(({ name }) => `#${name}`),
  ]
    .filter(Boolean)
    .join(' · ');
}

export function techniqueName(technique: IndexingTechnique): string {
  return technique === 'high_quality' ? l10n.t('high quality') : l10n.t('economical');
}
