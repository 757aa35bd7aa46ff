import {
  type ArrayNode,
  type DocumentNode,
  type ObjectNode,
  type Token,
  type ValueNode,
  evaluate,
  parse,
} from '@humanwhocodes/momoa';
import * as l10n from '@vscode/l10n';
import { asObject } from '../../base/json.ts';
import { type Path, UnchangeableFile, type Value } from '../edit.ts';
import { type Format, indentBefore, indentOfLine, lineOf, splice, withoutLine } from './format.ts';

export interface JsonOptions {
  mode: 'json' | 'jsonc' | 'json5';
  allowTrailingCommas?: boolean;
  lacksBlockComments?: boolean;
}

type Container = ObjectNode | ArrayNode;

export function createJson({ mode, allowTrailingCommas = false, lacksBlockComments }: JsonOptions): Format {
  function read(text: string): DocumentNode {
    try {
      const document = parse(text, {
        ...{ mode, ranges: true, tokens: true },
        ...(mode === 'jsonc' && { allowTrailingCommas }),
      });
      const comment = document.tokens?.find(({ type }) => type === 'BlockComment');
      if (lacksBlockComments && comment) {
        throw new UnchangeableFile(
          l10n.t("the program doesn't support /* */ comments"),
          comment.loc.start.line,
        );
      }
      return document;
    } catch (error) {
      if (error instanceof UnchangeableFile) throw error;
      const { line, message } = error as { line?: number; message: string };
      throw new UnchangeableFile(message.replace(/ \(\d+:\d+\)$/, ''), line ?? lineOf(text, text.length));
    }
  }

  return {
    parse(text) {
      if (!text.trim()) return {};
      const document = read(text);
      const value: unknown = mode === 'json' ? JSON.parse(text) : evaluate(document);
      const object = asObject(value);
      if (!object) throw new UnchangeableFile(l10n.t('expected an object'), 1);
      return object;
    },

    replace(text, path, value) {
      const [start, end] = rangeOf(nodeAt(read(text), path).value);
      return splice(text, start, end, indented(value, indentOfLine(text, start), unitOf(text)));
    },

    insert(text, container, key, value) {
      if (!text.trim()) return insertInto('{}\n', key, value);
      return insertInto(text, key, value);

      function insertInto(whole: string, name: string | number, added: Value): string {
        const document = read(whole);
        const node = nodeAt(document, container).value as Container;
        return insertMember(
          whole,
          node,
          document.tokens ?? [],
          typeof name === 'string' ? name : undefined,
          added,
        );
      }
    },

    remove(text, path) {
      const document = read(text);
      const tokens = document.tokens ?? [];
      const [start, end] = rangeOf(nodeAt(document, path).whole);
      const after = tokens.find((token) => startOf(token) >= end && !isComment(token));
      if (after?.type === 'Comma') return withoutLine(text, start, endOf(after));
      const before = tokens.findLast((token) => endOf(token) <= start && !isComment(token));
      const rest = withoutLine(text, start, end);
      return before?.type === 'Comma' ? splice(rest, startOf(before), endOf(before), '') : rest;
    },
  };
}

function nodeAt(
  document: DocumentNode,
  path: Path,
): { value: ValueNode; whole: { range?: [number, number] } } {
  let found: { value: ValueNode; whole: { range?: [number, number] } } = {
    value: document.body,
    whole: document.body,
  };
  for (const key of path) {
    const { value } = found;
    const next =
      value.type === 'Object'
        ? // Of two members with one name the last counts.
          value.members.findLast(({ name }) => (name.type === 'String' ? name.value : name.name) === key)
        : value.type === 'Array' && typeof key === 'number'
          ? value.elements[key]
          : undefined;
    if (!next) throw new UnchangeableFile(path.join('.'));
    // The parser gives items no position of their own.
    found = { value: next.value, whole: next.type === 'Element' ? next.value : next };
  }
  return found;
}

function insertMember(
  text: string,
  node: Container,
  tokens: readonly Token[],
  key: string | undefined,
  value: Value,
): string {
  const [start, end] = rangeOf(node);
  const inside = tokens.filter((token) => startOf(token) > start && endOf(token) < end);
  const children = node.type === 'Object' ? node.members : node.elements.map(({ value: item }) => item);
  const lastChild = children.at(-1);
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const needsComma = lastChild && inside.findLast((token) => !isComment(token))?.type !== 'Comma';
  const isInline = lastChild && !text.slice(start, end).includes('\n');
  if (isInline) {
    const place = rangeOf(lastChild)[1];
    return splice(
      text,
      place,
      needsComma ? place : endOf(inside.at(-1)!),
      `, ${name}${JSON.stringify(value)}`,
    );
  }
  const unit = unitOf(text);
  const outer = indentOfLine(text, start);
  const first = children[0];
  const indent = (first && indentBefore(text, rangeOf(first)[0])) ?? outer + unit;
  const content = text.slice(0, end - 1).trimEnd().length;
  const closing = text.slice(content, end - 1).includes('\n')
    ? text.slice(content, end - 1).replace(/^[^\n]*/, '')
    : `\n${outer}`;
  const added = `\n${indent}${name}${indented(value, indent, unit)}${closing}`;
  const grown = splice(text, content, end - 1, added);
  if (!needsComma) return grown;
  const place = rangeOf(lastChild)[1];
  return splice(grown, place, place, ',');
}

function indented(value: Value, indent: string, unit: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `\n${indent}`);
}

function unitOf(text: string): string {
  return /^[ \t]+(?=\S)/m.exec(text)?.[0].slice(0, 8) ?? '  ';
}

function isComment({ type }: Token): boolean {
  return type === 'LineComment' || type === 'BlockComment';
}

function rangeOf({ range }: { range?: [number, number] }): [number, number] {
  if (!range) throw new Error('The parser was asked for ranges.');
  return range;
}

function startOf(token: Token): number {
  return rangeOf(token)[0];
}

function endOf(token: Token): number {
  return rangeOf(token)[1];
}
