import type { ToolRule } from '../tool.ts';
import { allCommands, plainLine, type CommandWords } from './parseCommand.ts';
import { canBeOneOfMany, programOf, unruledReason, type UnruledReason } from './unruledPrograms.ts';

export interface RuledCommand {
  line: string;
  /** `switchboard.tools.commands` by prefix; restricts in every folder. */
  rules: Readonly<Record<string, ToolRule>>;
  /** Rules of the command's folder: lines, or prefixes followed by `*`. */
  allowed: readonly string[];
  isToolAllowed: boolean;
  isForeignShell: boolean;
}

export type NoRuleReason =
  | { type: UnruledReason; command: string }
  | { type: 'asked'; command: string }
  | { type: 'not-plain' }
  | { type: 'foreign-shell' };

export type CommandVerdict =
  | { rule: 'allow'; commands: readonly CommandWords[]; isExact: boolean }
  | { rule: 'deny'; by: string }
  /** `beginning`: the rule that would allow all similar commands. */
  | { rule: 'ask'; commands: readonly CommandWords[]; beginning?: string }
  | { rule: 'ask'; why: NoRuleReason };

const andMore = ' *';

/** `deny` beats `ask` beats `allow`; a piped command needs a rule for its whole line; anything unknown asks. */
export function judgeCommand(command: RuledCommand): CommandVerdict {
  const { line, rules, allowed, isToolAllowed, isForeignShell } = command;
  const found = allCommands(line);
  const strictRule = (kind: ToolRule, commands: readonly (readonly string[])[]) =>
    Object.keys(rules).find(
      (text) => rules[text] === kind && commands.some((each) => isMeant(wordsOf(text), each)),
    );
  const denied = strictRule('deny', found);
  if (denied !== undefined) return { rule: 'deny', by: denied };
  if (isForeignShell) return { rule: 'ask', why: { type: 'foreign-shell' } };
  const plain = plainLine(line);
  if (!plain) return { rule: 'ask', why: { type: 'not-plain' } };
  const { commands, hasPipe } = plain;
  for (const each of commands) {
    const type = unruledReason(each);
    if (type) return { rule: 'ask', why: { type, command: each.slice(0, 2).join(' ') } };
  }
  const asked = strictRule('ask', commands);
  if (asked !== undefined) return { rule: 'ask', why: { type: 'asked', command: asked } };
  if (allowed.includes(line.trim())) return { rule: 'allow', commands, isExact: true };
  const isHere = !commands.some(([program]) => programOf(program) === 'cd');
  const isOneOfMany = (each: CommandWords) =>
    (isToolAllowed && canBeOneOfMany(each)) ||
    (isHere && !hasPipe && allowed.some((rule) => covers(rule, each)));
  if (commands.every(isOneOfMany)) return { rule: 'allow', commands, isExact: false };
  const [first, ...others] = commands;
  const canBegin = first && others.length === 0 && isHere && canBeOneOfMany(first);
  return { rule: 'ask', commands, ...(canBegin && { beginning: beginningOf(first) + andMore }) };
}

function beginningOf([program, ...rest]: CommandWords): string {
  const words: string[] = [program];
  for (const word of rest) {
    if (!/^[a-z][\w:-]*$/i.test(word)) break;
    words.push(word);
    // The script after `run` is what runs.
    if (!/^run(?:-script)?$/.test(word)) break;
  }
  return words.join(' ');
}

function covers(rule: string, command: CommandWords): boolean {
  if (!rule.endsWith(andMore)) {
    const [own, ...others] = plainLine(rule)?.commands ?? [];
    return own !== undefined && others.length === 0 && isSame(own, command);
  }
  const words = wordsOf(rule);
  return words.length > 0 && isSame(words, command.slice(0, words.length)) && canBeOneOfMany(command);
}

function isSame(words: readonly string[], others: readonly string[]): boolean {
  return words.length === others.length && words.every((word, index) => word === others[index]);
}

function wordsOf(rule: string): string[] {
  return (rule.endsWith(andMore) ? rule.slice(0, -andMore.length) : rule).split(/\s+/).filter(Boolean);
}

/** Matches restricting rules: any path and case of the program, the words in order with options between. */
function isMeant([program, ...words]: readonly string[], [name = '', ...rest]: readonly string[]): boolean {
  if (program === undefined || programOf(program) !== programOf(name)) return false;
  let at = 0;
  return words.every((word) => (at = rest.indexOf(word, at) + 1) > 0);
}
