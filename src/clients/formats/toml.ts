import { type AST, getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { isSame, type Path, UnchangeableFile, type Value } from '../edit.ts';
import { type Format, lineEnd, splice, withoutLine } from './format.ts';

/** TOML 1.0 as Codex reads it. Members stand in their table; top-level members precede all tables. */
export const toml: Format = {
  parse(text) {
    return getStaticTOMLValue(read(text));
  },

  replace(text, path, value) {
    const [start, end] = find(text, path).value.range;
    return splice(text, start, end, toToml(value));
  },

  insert(text, container, key, value) {
    const path = [...container, key];
    if (isTable(value)) {
      const before = text.trimEnd();
      return `${before}${before && '\n\n'}${tablesOf(path, value).join('\n\n')}\n`;
    }
    const line = `${toKey(key)} = ${toToml(value)}\n`;
    const { body } = read(text).body[0];
    if (container.length === 0) {
      const last = body.findLast((each) => each.type === 'TOMLKeyValue');
      // A comment at the top stays above what it describes.
      return last
        ? insertBelow(text, last.range[1], line)
        : splice(text, 0, 0, text.trim() ? `${line}\n` : line);
    }
    const table = body.find(
      (each) => each.type === 'TOMLTable' && each.kind === 'standard' && isSame(each.resolvedKey, container),
    );
    if (table?.type !== 'TOMLTable')
      return this.insert(text, container.slice(0, -1), container.at(-1) ?? '', { [key]: value });
    return insertBelow(text, (table.body.at(-1) ?? table.key).range[1], line);
  },

  remove(text, path) {
    const tables = tablesBelow(text, path);
    if (tables.length === 0) return withoutLine(text, ...find(text, path).range);
    // From the end, as earlier ranges stay valid.
    return tables.toReversed().reduce((rest, { range }) => withoutTable(rest, ...range), text);
  },
};

function tablesBelow(text: string, path: Path): AST.TOMLTable[] {
  return read(text).body[0].body.filter(
    (each): each is AST.TOMLTable =>
      each.type === 'TOMLTable' && isSame(each.resolvedKey.slice(0, path.length), path),
  );
}

/** Comments above the heading stay; so does one blank line between what was around the table. */
function withoutTable(text: string, start: number, end: number): string {
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(lineEnd(text, end)).trimStart();
  return before && after ? `${before}\n\n${after}` : before ? `${before}\n` : after;
}

function read(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: '1.0' });
  } catch (error) {
    const { lineNumber = 1, message } = error as { lineNumber?: number; message: string };
    throw new UnchangeableFile(message, lineNumber);
  }
}

function find(text: string, path: Path): AST.TOMLKeyValue {
  const [top] = read(text).body;
  const members = top.body.flatMap((each) =>
    each.type === 'TOMLTable'
      ? each.body.map((member) => ({ prefix: each.resolvedKey, member }))
      : [{ prefix: [], member: each }],
  );
  const found = members.find(({ prefix, member }) => isSame([...prefix, ...namesOf(member)], path));
  if (!found) throw new UnchangeableFile(path.join('.'));
  return found.member;
}

function namesOf({ key }: AST.TOMLKeyValue): string[] {
  return key.keys.map((each) => (each.type === 'TOMLBare' ? each.name : each.value));
}

function insertBelow(text: string, at: number, line: string): string {
  const end = lineEnd(text, at);
  return end === text.length ? `${text}\n${line}` : splice(text, end + 1, end + 1, line);
}

function tablesOf(path: Path, table: { readonly [name: string]: Value }): string[] {
  const members = Object.entries(table);
  const own = members.flatMap(([key, value]) => (isTable(value) ? [] : `${toKey(key)} = ${toToml(value)}`));
  const below = members.flatMap(([key, value]) => (isTable(value) ? tablesOf([...path, key], value) : []));
  const heading = `[${path.map(toKey).join('.')}]`;
  return [...(own.length > 0 || below.length === 0 ? [[heading, ...own].join('\n')] : []), ...below];
}

function isTable(value: Value): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value);
}

function toKey(key: string | number): string {
  return /^[\w-]+$/.test(String(key)) ? String(key) : quoted(String(key));
}

function toToml(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${(value as Value[]).map(toToml).join(', ')}]`;
  return JSON.stringify(value);
}

/** JSON escapes are valid TOML, except that JSON leaves one character unescaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}
