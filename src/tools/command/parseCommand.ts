import { forEachChild, parse, type SyntaxNode, type Word } from 'unbash';

export type CommandWords = readonly [program: string, ...rest: string[]];

const longestLine = 4000;
const mostCommands = 50;

/** Words without meaning to a shell. Program names are unquoted ASCII, so that none looks like another. */
const plainWord = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
const programName = /^[A-Za-z0-9_@+:./][A-Za-z0-9_@+:./-]*$/;
const singleQuoted = /^'[^'\p{Cc}]*'$/u;
/** Without anything that a shell expands. */
const doubleQuoted = /^"[^"$`\\!\p{Cc}]*"$/u;

export interface PlainLine {
  commands: readonly CommandWords[];
  hasPipe: boolean;
}

/** Parses plain or quoted words joined by `&&`, `||`, `;` and `|`; undefined for any other line. */
export function plainLine(line: string): PlainLine | undefined {
  if (line.length > longestLine) return undefined;
  const script = parsed(line);
  if (!script || script.errors?.length) return undefined;
  const commands: Word[][] = [];
  for (const { background, command } of script.commands) {
    if (background || !collect(command, commands)) return undefined;
  }
  if (commands.length === 0 || commands.length > mostCommands || !isCovered(line, commands)) return undefined;
  const plain = commands.map(([program, ...rest]) => [
    program && programName.test(program.text) ? program.text : undefined,
    ...rest.map(({ text }) => valueOf(text)),
  ]);
  if (!plain.every((each) => isWhole(each))) return undefined;
  const gaps = commands
    .slice(1)
    .map((words, before) => line.slice(commands[before]?.at(-1)?.end, words[0]?.pos));
  return { commands: plain, hasPipe: gaps.some((gap) => gap.trim() === '|') };
}

/** The words of all commands in a line, substitutions included, as far as it can be parsed. */
export function allCommands(line: string): string[][] {
  return pipelinesIn(line).pipelines.flat();
}

export function pipelinesIn(line: string): { pipelines: string[][][]; isComplete: boolean } {
  const script = line.length > longestLine ? undefined : parsed(line);
  const pipelines: string[][][] = [];
  // Without recursion: lines can be nested deeply.
  const open: SyntaxNode[] = script ? [script] : [];
  const inPipes = new Set<SyntaxNode>();
  try {
    for (let node = open.pop(); node; node = open.pop()) {
      const commands = node.type === 'Pipeline' ? node.commands : inPipes.has(node) ? [] : [node];
      if (node.type === 'Pipeline') for (const each of commands) inPipes.add(each);
      const read = commands.flatMap((each) => wordsOf(each));
      if (read.length > 0) pipelines.push(read);
      const children: SyntaxNode[] = [];
      forEachChild(node, (child) => void children.push(child));
      open.push(...children.toReversed());
    }
  } catch {
    // The parser parses words lazily and recursively.
    return { pipelines, isComplete: false };
  }
  return { pipelines, isComplete: script !== undefined && !script.errors?.length };
}

function wordsOf(node: SyntaxNode): string[][] {
  if (node.type !== 'Command' || !node.name) return [];
  const rest = node.suffix.flatMap((part) => (part.type === 'Word' ? [part.value] : []));
  return [[node.name.value, ...rest]];
}

function parsed(line: string): ReturnType<typeof parse> | undefined {
  try {
    return parse(line);
  } catch {
    return undefined;
  }
}

function collect(node: SyntaxNode, commands: Word[][]): boolean {
  switch (node.type) {
    case 'AndOr':
      return node.commands.every((part) => collect(part, commands));
    case 'Pipeline':
      return (
        node.prefixes.length === 0 &&
        node.operators.every((operator) => operator === '|') &&
        node.commands.every((part) => collect(part, commands))
      );
    case 'Command': {
      const words: Word[] = [];
      for (const part of [node.name, ...node.suffix]) {
        if (part?.type !== 'Word') return false;
        words.push(part);
      }
      commands.push(words);
      return node.prefix.length === 0;
    }
    default:
      return false;
  }
}

/** True if there is nothing but these words, spaces and joiners. */
function isCovered(line: string, commands: readonly (readonly Word[])[]): boolean {
  let end = 0;
  for (const [number, words] of commands.entries()) {
    for (const [index, word] of words.entries()) {
      const gap = line.slice(end, word.pos);
      const isGap = index > 0 ? /^ +$/ : number > 0 ? /^ *(?:&&|\|\||;|\|) *$/ : /^ *$/;
      if (!isGap.test(gap) || line.slice(word.pos, word.end) !== word.text) return false;
      end = word.end;
    }
  }
  return /^ *;? *$/.test(line.slice(end));
}

function valueOf(text: string): string | undefined {
  if (plainWord.test(text)) return text;
  return singleQuoted.test(text) || doubleQuoted.test(text) ? text.slice(1, -1) : undefined;
}

function isWhole(words: readonly (string | undefined)[]): words is [string, ...string[]] {
  return words.every((word) => word !== undefined);
}
