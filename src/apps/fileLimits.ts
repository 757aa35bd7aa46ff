import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';
import type { FileField, FileRules } from './app.ts';

/** What an app takes: the rules of its messages, or of one field of its form. */
export type FileLimits = Pick<FileRules, 'types' | 'extensions' | 'methods' | 'maxBytes'> & {
  maxFiles?: number;
};

/** What a field takes, for a person to read before choosing; empty where there are no limits. */
export function describeLimits(field: Pick<FileField, 'types' | 'extensions' | 'maxFiles' | 'type'>): string {
  const { type, maxFiles } = field;
  const count =
    type === 'file-list' && maxFiles !== undefined
      ? plural(maxFiles, l10n.t('at most 1 file'), l10n.t('at most {0} files', formatNumber(maxFiles)))
      : '';
  return [describeTypes(field), count].filter(Boolean).join('; ');
}

/** Types and extensions; empty when every file is taken. */
export function describeTypes({ types, extensions }: Pick<FileLimits, 'types' | 'extensions'>): string {
  const named = types.filter((type) => type !== 'custom').map(typeLabel);
  // Beside named types, extensions say what the type "custom" stands for.
  const listed = types.includes('custom') || types.length === 0 ? extensions : [];
  return [...named, ...listed].join(', ');
}

function typeLabel(type: string): string {
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
