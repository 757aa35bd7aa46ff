import * as l10n from '@vscode/l10n';
import type { FileField } from '../../platform/apps/appRecords.ts';

/** What a field takes, for a person to read before choosing; empty where there are no limits. */
export function limitsInWords({ types, extensions, maxFiles, type }: FileField): string {
  const named = types.filter((each) => each !== 'custom').map(typeInWords);
  const taken = [...named, ...(types.includes('custom') || types.length === 0 ? extensions : [])].join(', ');
  const count = type === 'file-list' && maxFiles !== undefined ? l10n.t('at most {0} files', maxFiles) : '';
  return [taken, count].filter(Boolean).join('; ');
}

function typeInWords(type: string): string {
  switch (type) {
    case 'image':
      return l10n.t('images');
    case 'document':
      return l10n.t('documents');
    case 'audio':
      return l10n.t('audio');
    case 'video':
      return l10n.t('videos');
    default:
      return type;
  }
}
