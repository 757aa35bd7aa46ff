import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** The fields at the head of a Markdown file, and what follows them. */
export interface FrontMatter {
  /** By name; an entry that is a list has several values. */
  fields: Readonly<Record<string, readonly string[]>>;
  body: string;
}

const block = /^\ufeff?---[ \t]*\r?\n([^]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the fields, each by itself: people write `applyTo: **` and `description: a: b`, which is not YAML. Such a value
 * is taken as it stands, and spoils no other.
 */
export function readFrontMatter(text: string): FrontMatter {
  const [all, head = ''] = block.exec(text) ?? [];
  if (all === undefined) return { fields: {}, body: text };
  const fields = Object.create(null) as Record<string, readonly string[]>;
  for (const entry of head.split(/^(?=[\w-]+:)/m)) {
    const [, name, value = ''] = /^([\w-]+):(.*)/.exec(entry) ?? [];
    if (name !== undefined) fields[name] = valuesOf(entry) ?? [value.trim()];
  }
  return { fields, body: text.slice(all.length) };
}

/** Undefined for what is no text and no list of texts. */
function valuesOf(entry: string): string[] | undefined {
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
