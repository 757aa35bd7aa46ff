/** The fields at the head of a Markdown file, and what follows them. */
export interface FrontMatter {
  /** By name; an entry that is a list has several values. */
  fields: Readonly<Record<string, readonly string[]>>;
  body: string;
}

const block = /^\ufeff?---[ \t]*\r?\n([^]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * Reads `name: value` lines between two lines of dashes, with quotes, comments, `[a, b]` and `- a` lists as these files
 * use them. What else YAML has is skipped: a file somebody wrote for another tool is still read for what is known.
 */
export function readFrontMatter(text: string): FrontMatter {
  const [all, head = ''] = block.exec(text) ?? [];
  if (all === undefined) return { fields: {}, body: text };
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  let list: string[] | undefined;
  for (const line of head.split(/\r?\n/)) {
    const [, entry] = /^\s*- +(.*)$/.exec(line) ?? [];
    if (entry !== undefined) list?.push(plain(entry));
    const [, name, value = ''] = /^([\w-]+):(?:\s+(.*))?$/.exec(line) ?? [];
    if (name === undefined) continue;
    const [, inline] = /^\[(.*)\]\s*$/.exec(value.trim()) ?? [];
    list =
      inline !== undefined ? inline.split(',').map(plain).filter(Boolean) : [plain(value)].filter(Boolean);
    fields[name] = list;
  }
  return { fields, body: text.slice(all.length) };
}

/** Without its quotes, or without a comment behind it. */
function plain(value: string): string {
  const trimmed = value.trim();
  const [, , quoted] = /^(["'])(.*)\1$/.exec(trimmed) ?? [];
  return quoted ?? trimmed.replace(/(?:^|\s)#.*$/, '').trim();
}
