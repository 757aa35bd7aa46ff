export interface FrontMatter {
  fields: Readonly<Record<string, readonly string[]>>;
  body: string;
}

const block = /^\ufeff?---[ \t]*\r?\n([^]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Parses each field by itself, so that one that isn't valid YAML, such as `applyTo: **`, is kept as text. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const [all, head = ''] = block.exec(text) ?? [];
  if (all === undefined) return { fields: {}, body: text };
  // The YAML parser is as large as the panel's own code, and few files have fields.
  const yaml = await import('yaml');
  const fields = Object.create(null) as Record<string, readonly string[]>;
  for (const entry of head.split(/^(?=[\w-]+:)/m)) {
    const [, name, value = ''] = /^([\w-]+):(.*)/.exec(entry) ?? [];
    if (name !== undefined) fields[name] = fieldValues(yaml, entry) ?? [value.trim()];
  }
  return { fields, body: text.slice(all.length) };
}

/** Reads the values of one YAML field; undefined unless it is text or a list of texts. */
function fieldValues(
  { isMap, isScalar, isSeq, parseDocument }: typeof import('yaml'),
  entry: string,
): string[] | undefined {
  const { contents, errors } = parseDocument(entry, { logLevel: 'silent' });
  const [pair] = isMap(contents) ? contents.items : [];
  if (errors.length > 0 || !pair) return undefined;
  if (isScalar(pair.value)) return [fieldText(pair.value.value)].filter(Boolean);
  if (isSeq(pair.value))
    return pair.value.items.map((item) => (isScalar(item) ? fieldText(item.value) : '')).filter(Boolean);
  return pair.value === null ? [] : undefined;
}

function fieldText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';
}
