import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** Reads the values of one YAML field; undefined unless it is text or a list of texts. */
export function fieldValues(entry: string): string[] | undefined {
  const { contents, errors } = parseDocument(entry, { logLevel: 'silent' });
  const [pair] = isMap(contents) ? contents.items : [];
  if (errors.length > 0 || !pair) return undefined;
  if (isScalar(pair.value)) return [textOf(pair.value.value)].filter(Boolean);
  if (isSeq(pair.value))
    return pair.value.items.map((item) => (isScalar(item) ? textOf(item.value) : '')).filter(Boolean);
  return pair.value === null ? [] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';
}
