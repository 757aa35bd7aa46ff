import { oneLine } from './oneLine.ts';

export interface FrontMatter {
  fields: Readonly<Record<string, readonly string[]>>;
  rows: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  body: string;
}

const block = /^\ufeff?---[ \t]*\r?\n([^]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Parses each field by itself, so that one that isn't valid YAML, such as `applyTo: **`, is kept as text. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const [all, head = ''] = block.exec(text) ?? [];
  if (all === undefined) return { fields: {}, rows: {}, body: text };
  // The YAML parser is as large as the panel's own code, and few files have fields.
  const { fieldRows, fieldValues } = await import('./fieldValues.ts');
  const fields = Object.create(null) as Record<string, readonly string[]>;
  const rows = Object.create(null) as Record<string, Record<string, string>[]>;
  for (const entry of head.split(/^(?=[\w-]+:)/m)) {
    const [, name, value = ''] = /^([\w-]+):(.*)/.exec(entry) ?? [];
    if (name === undefined) continue;
    fields[name] = fieldValues(entry) ?? [value.trim()];
    const found = fieldRows(entry);
    if (found) rows[name] = found;
  }
  return { fields, rows, body: text.slice(all.length) };
}

const longestShown = 200;

export function textField({ fields }: FrontMatter, name: string): string | undefined {
  return fields[name]?.join(', ').trim() || undefined;
}

export function shownField(file: FrontMatter, name: string, longest = longestShown): string | undefined {
  const text = textField(file, name);
  return text === undefined ? undefined : oneLine(text, longest);
}

export function listField({ fields }: FrontMatter, name: string): readonly string[] | undefined {
  const values = fields[name];
  return values?.flatMap((value) => value.split(',').map((entry) => entry.trim())).filter(Boolean);
}
