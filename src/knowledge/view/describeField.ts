import * as l10n from '@vscode/l10n';
import type { MetadataField } from '../../platform/records.ts';

/** Unknown types keep the platform's word. */
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

/** @param seconds Unix time, as the platform stores it */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
