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
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const [all, head = ''] = block.exec(text) ?? [];
  if (all === undefined) return { fields: {}, body: text };
  // The reader of YAML is as large as the panel's own code, and few files have fields.
  const { fieldValues } = await import('./fieldValues.ts');
  const fields = Object.create(null) as Record<string, readonly string[]>;
  for (const entry of head.split(/^(?=[\w-]+:)/m)) {
    const [, name, value = ''] = /^([\w-]+):(.*)/.exec(entry) ?? [];
    if (name !== undefined) fields[name] = fieldValues(entry) ?? [value.trim()];
  }
  return { fields, body: text.slice(all.length) };
}
