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
  const { fieldValues } = await import('./fieldValues.ts');
  const fields = Object.create(null) as Record<string, readonly string[]>;
  for (const entry of head.split(/^(?=[\w-]+:)/m)) {
    const [, name, value = ''] = /^([\w-]+):(.*)/.exec(entry) ?? [];
    if (name !== undefined) fields[name] = fieldValues(entry) ?? [value.trim()];
  }
  return { fields, body: text.slice(all.length) };
}
