import { forEachChild, parse, type SyntaxNode, type Word } from 'unbash';

/** The words of a command, without quotes. */
export type CommandWords = readonly [program: string, ...rest: string[]];

/** What a rule may look at; a longer line is not judged by one. */
const longestLine = 4000;
const mostCommands = 50;

/** Words that a shell reads as they stand. A program's name is ASCII and not quoted, so that none can look like another. */
const plainWord = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
const programName = /^[A-Za-z0-9_@+:./][A-Za-z0-9_@+:./-]*$/;
const singleQuoted = /^'[^'\p{Cc}]*'$/u;
/** Nothing in it that means anything between double quotes. */
const doubleQuoted = /^"[^"$`\\!\p{Cc}]*"$/u;

/**
 * The commands of a line that is nothing but plain or quoted words joined by `&&`, `||`, `;` and `|`; undefined for
 * every other line. The grammar says what the words are; that nothing else is in the line is then checked against its
 * characters, so that what the grammar takes differently from a shell is not plain.
 */
export function plainCommands(line: string): CommandWords[] | undefined {
  if (line.length > longestLine) return undefined;
  const script = parsed(line);
  if (!script || script.errors?.length) return undefined;
  const commands: Word[][] = [];
  for (const statement of script.commands) {
    if (statement.background || !collect(statement.command, commands)) return undefined;
  }
  if (commands.length === 0 || commands.length > mostCommands || !isCovered(line, commands)) return undefined;
  const plain = commands.map(([program, ...rest]) => [
    program && programName.test(program.text) ? program.text : undefined,
    ...rest.map(({ text }) => valueOf(text)),
  ]);
  return plain.every((each) => isWhole(each)) ? plain : undefined;
}

/** The words of every command anywhere in a line, also of those in substitutions, as far as the line can be read. */
export function allCommands(line: string): string[][] {
  const script = line.length > longestLine ? undefined : parsed(line);
  const commands: string[][] = [];
  const visit = (node: SyntaxNode) => {
    if (node.type === 'Command' && node.name) {
      const rest = node.suffix.flatMap((part) => (part.type === 'Word' ? [part.value] : []));
      commands.push([node.name.value, ...rest]);
    }
    forEachChild(node, visit);
  };
  if (script) visit(script);
  return commands;
}

function parsed(line: string): ReturnType<typeof parse> | undefined {
  try {
    return parse(line);
  } catch {
    return undefined;
  }
}

/** Adds the words of each command in the order of the line; false for whatever is not a command of words alone. */
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

/** Whether the line has nothing but these words, spaces between them, and a joiner between one command and the next. */
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
