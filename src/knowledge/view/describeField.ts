import * as l10n from '@vscode/l10n';
import type { MetadataField } from '../../platform/records.ts';

/** What a metadata field holds, as the user knows it; the platform's own word for what is not known here. */
export function fieldTypeName(type: MetadataField['type']): string {
  switch (type) {
    case 'string':
      return l10n.t('Text');
    case 'number':
      return l10n.t('Number');
    case 'time':
      return l10n.t('Time');
    default:
      return type;
  }
}

/** What to type where something else was typed. */
export function expectedValue(type: MetadataField['type']): string {
  switch (type) {
    case 'number':
      return l10n.t('Enter a number.');
    case 'time':
      return l10n.t('Enter a date such as 2026-08-31, with or without time.');
    default:
      return l10n.t('Enter a value.');
  }
}

/** A time of the platform, which keeps seconds since the epoch. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
