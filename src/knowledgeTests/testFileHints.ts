import { testFileFields } from './testFile.ts';

export type TestFileCompletions =
  | { readonly type: 'fields'; readonly names: readonly string[]; readonly start: number }
  | { readonly type: 'knowledge' | 'file'; readonly start: number };

/** Text before the cursor that is looked at, in characters. */
const reach = 20_000;

/** Undefined where nothing is known. Only reads the lines before, so that unfinished files work, too. */
export function completeTestFile(text: string, offset: number): TestFileCompletions | undefined {
  const before = text.slice(Math.max(0, offset - reach), offset);
  const lines = before.split(/\r\n|\r|\n/);
  const line = lines.pop() ?? '';
  const value = /^(?: *- )? *(knowledge|file): +(?:["'])?([^"'#]*)$/.exec(line);
  if (value) return { type: value[1] as 'knowledge' | 'file', start: offset - value[2]!.length };
  const [, indent = '', dash = '', typed] = /^( *)(- +)?([^:#"']*)$/.exec(line) ?? [];
  if (typed === undefined) return undefined;
  const start = offset - typed.length;
  const { parent, siblings } = surroundings(lines, indent.length + dash.length, dash !== '');
  if (parent === 'knowledge' && dash !== '') return { type: 'knowledge', start };
  if (!/^[a-z]*$/.test(typed)) return undefined;
  const names = fieldsOf(parent)?.filter((name) => !siblings.has(name));
  return names && { type: 'fields', names, start };
}

function fieldsOf(parent: string | undefined): readonly string[] | undefined {
  if (parent === undefined) return testFileFields.file;
  if (parent === 'questions') return testFileFields.question;
  return parent === 'find' ? testFileFields.place : undefined;
}

function surroundings(
  lines: readonly string[],
  column: number,
  isFirst: boolean,
): { parent?: string; siblings: ReadonlySet<string> } {
  const siblings = new Set<string>();
  let isSameItem = !isFirst;
  for (const line of lines.toReversed()) {
    const [, indent = '', dash = '', key] = /^( *)(- +)?([a-z]+):/.exec(line) ?? [];
    if (key === undefined) continue;
    const at = indent.length + dash.length;
    if (at === column && isSameItem) siblings.add(key);
    if (at === column && dash !== '') isSameItem = false;
    if (at < column && dash.length + indent.length < column) return { parent: key, siblings };
  }
  return { siblings };
}
