import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

export function fieldValues(entry: string): string[] | undefined {
  const { contents, errors } = parseDocument(entry, { logLevel: 'silent' });
  const [pair] = isMap(contents) ? contents.items : [];
  if (errors.length > 0 || !pair) return undefined;
  if (isScalar(pair.value)) return [textOf(pair.value.value)].filter(Boolean);
  if (isSeq(pair.value))
    return pair.value.items.map((item) => (isScalar(item) ? textOf(item.value) : '')).filter(Boolean);
  return pair.value === null ? [] : undefined;
}

export function fieldRows(entry: string): Record<string, string>[] | undefined {
  const { contents, errors } = parseDocument(entry, { logLevel: 'silent' });
  const [pair] = isMap(contents) ? contents.items : [];
  if (errors.length > 0 || !isSeq(pair?.value)) return undefined;
  const maps = pair.value.items.filter((item) => isMap(item));
  if (maps.length === 0) return undefined;
  return maps.map((map) =>
    Object.fromEntries(
      map.items.flatMap(({ key, value }) =>
        isScalar(key) && isScalar(value) ? [[textOf(key.value), textOf(value.value)]] : [],
      ),
    ),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';
}
