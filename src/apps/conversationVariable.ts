import * as l10n from '@vscode/l10n';
import { asObject, parseJson } from '../base/json.ts';
import { parsePythonLiteral } from '../base/text/pythonLiteral.ts';

export function readValue(type: string, text: string): { value: unknown } | { problem: string } {
  switch (type) {
    case 'number':
    case 'integer':
    case 'float': {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      return Number.isFinite(value) ? { value } : { problem: l10n.t('Enter a number.') };
    }
    case 'boolean':
      return /^(true|false)$/.test(text.trim())
        ? { value: text.trim() === 'true' }
        : { problem: l10n.t('Choose one of: {0}.', 'true, false') };
    case 'object': {
      const value = asObject(parseJson(text));
      return value ? { value } : { problem: l10n.t('Enter a JSON object.') };
    }
    default: {
      if (!type.startsWith('array')) return { value: text };
      const value = parseJson(text);
      return Array.isArray(value) ? { value } : { problem: l10n.t('Enter a JSON array.') };
    }
  }
}

/** A value as text that `readValue` accepts. Platforms write lists, objects and switches as Python does (1.9 to 1.16). */
export function shownValue(type: string, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  if (type === 'boolean') return /^(True|False)$/.test(value) ? value.toLowerCase() : value;
  if ((type !== 'object' && !type.startsWith('array')) || parseJson(value) !== undefined) return value;
  const parsed = parsePythonLiteral(value);
  return parsed === undefined ? value : JSON.stringify(parsed);
}
