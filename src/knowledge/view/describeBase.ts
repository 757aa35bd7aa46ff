import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { Dataset, DatasetPermission, IndexingTechnique } from '../../platform/records.ts';

export function describeBase({
  documentCount,
  technique,
  isExternal,
  isUnsearchable,
  isAgent,
  isPipeline,
  form,
  tags,
  isEmbeddingAvailable,
  isApiEnabled,
  problem,
  permission,
}: Dataset): string {
  return [
    problem,
    isApiEnabled === false && l10n.t('API access off'),
    documentCount !== undefined &&
      plural(documentCount, l10n.t('1 document'), l10n.t('{0} documents', formatNumber(documentCount))),
    technique && techniqueName(technique),
    form === 'hierarchical_model' && l10n.t('parent and child chunks'),
    isExternal && l10n.t('external, read-only'),
    isAgent && l10n.t('agent knowledge base'),
    isUnsearchable && l10n.t('searched only by apps'),
    permission && permissionName(permission),
    isPipeline && l10n.t('knowledge pipeline'),
    lacksEmbedding({ technique, isEmbeddingAvailable }) && l10n.t('embedding model not available'),
    ...tags.map(({ name }) => `#${name}`),
  ]
    .filter(Boolean)
    .join(' · ');
}

export function lacksEmbedding(base: {
  technique?: IndexingTechnique | undefined;
  isEmbeddingAvailable?: boolean | undefined;
}): boolean {
  return base.technique === 'high_quality' && base.isEmbeddingAvailable === false;
}

function permissionName(permission: DatasetPermission): string {
  switch (permission) {
    case 'only_me':
      return l10n.t('visible to its owner');
    case 'partial_members':
      return l10n.t('visible to some members');
    case 'all_team_members':
      return l10n.t('visible to the workspace');
  }
}

export function techniqueName(technique: IndexingTechnique): string {
  return technique === 'high_quality' ? l10n.t('high quality') : l10n.t('economical');
}
