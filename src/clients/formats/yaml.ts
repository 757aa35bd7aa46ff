import * as l10n from '@vscode/l10n';
import {
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { asObject } from '../../base/json.ts';
import { type Path, UnchangeableFile, type Value } from '../edit.ts';
import { type Format, indentBefore, lineEnd, lineOf, lineStart, splice, withoutLine } from './format.ts';

type Parent = YAMLMap<Node, Node | null> | YAMLSeq<Node>;

export const yaml: Format = {
  parse(text) {
    const document = read(text);
    if (!document?.contents) return {};
    const object = asObject(document.toJS());
    if (!object || !isMap(document.contents)) throw new UnchangeableFile(l10n.t('expected an object'), 1);
    return object;
  },

  replace(text, path, value) {
    const { node, pair } = find(text, path);
    const [start, end] = rangeOf(node);
    // An empty value or a block scalar, whose lines cannot be told from others.
    if (pair && start === end) return splice(text, endOf(pair.key), start, `: ${inFlow(value)}`);
    if (text.slice(start, end).includes('\n') && !isFlow(node)) throw new UnchangeableFile(path.join('.'));
    return splice(text, start, end, inFlow(value));
  },

  insert(text, container, key, value) {
    const name = typeof key === 'string' ? key : undefined;
    const parent = read(text)?.contents ? (find(text, container).node as Parent) : undefined;
    if (!parent) {
      const before = text && !text.endsWith('\n') ? `${text}\n` : text;
      return before + inBlock(name, value, '').join('\n') + '\n';
    }
    const last = parent.items.at(-1);
    if (parent.flow || !last) {
      const end = rangeOf(parent)[1] - 1;
      const comma = last ? ', ' : '';
      const member = name === undefined ? inFlow(value) : `${JSON.stringify(name)}: ${inFlow(value)}`;
      const trimmed = text.slice(0, end).trimEnd().replace(/,$/, '').length;
      return splice(text, last ? trimmed : end, end, comma + member);
    }
    const first = parent.items[0]!;
    const indent = indentOf(text, isNode(first) ? startOf(first) : startOf(first.key), name === undefined);
    const end = isNode(last) ? endOf(last) : endOf(last.value ?? last.key);
    const place = text[end - 1] === '\n' ? end : Math.min(lineEnd(text, end) + 1, text.length);
    const broken = text[place - 1] === '\n' ? '' : '\n';
    return splice(text, place, place, `${broken}${inBlock(name, value, indent).join('\n')}\n`);
  },

  remove(text, path) {
    const { node, pair } = find(text, path);
    if (!pair || text.slice(startOf(pair.key), endOf(node)).includes('\n'))
      throw new UnchangeableFile(path.join('.'));
    return withoutLine(text, startOf(pair.key), endOf(node));
  },
};

function read(text: string) {
  const [document, second] = parseAllDocuments(text) as ReturnType<typeof parseAllDocuments> & unknown[];
  if (second) throw new UnchangeableFile(l10n.t('it contains several documents'));
  const error = document && 'errors' in document ? document.errors[0] : undefined;
  if (error)
    throw new UnchangeableFile(
      error.message.split('\n', 1)[0]!.replace(/ at line .*$/, ''),
      lineOf(text, error.pos[0]),
    );
  return document;
}

function find(text: string, path: Path): { node: Node; pair?: Pair<Node, Node | null> } {
  let found: { node: Node; pair?: Pair<Node, Node | null> } | undefined;
  const contents = read(text)?.contents;
  if (contents) found = { node: contents };
  for (const key of path) {
    const parent: Node | undefined = found?.node;
    if (isMap<Node, Node | null>(parent)) {
      const pair: Pair<Node, Node | null> | undefined = parent.items.find(
        (each) => isScalar(each.key) && each.key.value === key,
      );
      found = pair?.value ? { node: pair.value, pair } : undefined;
    } else {
      const item: Node | undefined =
        isSeq<Node>(parent) && typeof key === 'number' ? parent.items[key] : undefined;
      found = item && { node: item };
    }
  }
  if (!found) throw new UnchangeableFile(path.join('.'));
  return found;
}

function isNode(value: Node | Pair<Node, Node | null>): value is Node {
  return !('key' in value);
}

function isFlow(node: Node): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

function inBlock(name: string | undefined, value: Value, indent: string): string[] {
  const whole = name === undefined ? [value] : { [name]: value };
  // Quoted as well: texts that older readers take for another type.
  const written = stringify(whole, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
  });
  return written
    .trimEnd()
    .split('\n')
    .map((line) => indent + line);
}

function inFlow(value: Value): string {
  return JSON.stringify(value);
}

function indentOf(text: string, at: number, isItem: boolean): string {
  const before = text.slice(lineStart(text, at), at);
  const indent = isItem ? /^([ \t]*)- +$/.exec(before)?.[1] : indentBefore(text, at);
  if (indent !== undefined) return indent;
  // The first member of a map in a list follows the dash.
  if (!isItem && /^[ \t]*(?:- +)+$/.test(before)) return ' '.repeat(before.length);
  throw new UnchangeableFile(l10n.t('line {0}: {1}', lineOf(text, at), before));
}

function rangeOf({ range }: Node): readonly [number, number] {
  if (!range) throw new Error('The parser gives ranges.');
  return [range[0], range[1]];
}

function startOf(node: Node): number {
  return rangeOf(node)[0];
}

function endOf(node: Node): number {
  return rangeOf(node)[1];
}
