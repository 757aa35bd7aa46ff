import type { ToolRule } from '../tool.ts';
import { allCommands, plainCommands, type CommandWords } from './plainCommands.ts';
import { programOf, unruledReason, type UnruledReason } from './unruledPrograms.ts';

export interface RuledCommand {
  line: string;
  /** `switchboard.tools.commands`: words a command begins with, and what holds for it. */
  rules: Readonly<Record<string, ToolRule>>;
  /** Beginnings of commands that the user always allowed in this workspace. */
  remembered: readonly string[];
  /** The settings allow the tool: then commands of plain words need no rule of their own. */
  isToolAllowed: boolean;
  /** The line is for a shell whose grammar is not known here. */
  isForeignShell: boolean;
}

/** Why an answer to this question holds for this one call. */
export type NoRuleReason =
  | { type: UnruledReason; command: string }
  /** A rule of the settings asks for it each time. */
  | { type: 'asked'; command: string }
  /** It is more than plain words and joiners. */
  | { type: 'not-plain' }
  | { type: 'foreign-shell' };

export type CommandVerdict =
  | { rule: 'allow'; commands: readonly CommandWords[] }
  | { rule: 'deny'; by: string }
  /** `always`: what "Always allow" would remember. */
  | { rule: 'ask'; always: readonly string[]; commands: readonly CommandWords[] }
  | { rule: 'ask'; why: NoRuleReason };

/**
 * What the rules say of a command line: `deny` beats `ask` beats `allow`. It is allowed only if each of its commands is
 * plain and allowed; whatever is not understood asks.
 */
export function judgeCommand(command: RuledCommand): CommandVerdict {
  const { line, rules, remembered, isToolAllowed, isForeignShell } = command;
  const parsed = Object.entries(rules).map(([text, rule]) => ({ text, rule, words: wordsOf(text) }));
  const found = allCommands(line);
  const strictRule = (kind: ToolRule, commands: readonly (readonly string[])[]) =>
    parsed.find(({ rule, words }) => rule === kind && commands.some((each) => isMeant(words, each)));
  const denied = strictRule('deny', found);
  if (denied) return { rule: 'deny', by: denied.text };
  if (isForeignShell) return { rule: 'ask', why: { type: 'foreign-shell' } };
  const commands = plainCommands(line);
  if (!commands) return { rule: 'ask', why: { type: 'not-plain' } };
  for (const each of commands) {
    const type = unruledReason(each);
    if (type) return { rule: 'ask', why: { type, command: each.slice(0, 2).join(' ') } };
  }
  const asked = strictRule('ask', commands);
  if (asked) return { rule: 'ask', why: { type: 'asked', command: asked.text } };
  const allowed = [
    ...parsed.flatMap(({ rule, words }) => (rule === 'allow' ? [words] : [])),
    ...remembered.map(wordsOf),
  ];
  const open = isToolAllowed
    ? []
    : commands.filter((each) => !allowed.some((words) => beginsWith(each, words)));
  return open.length === 0
    ? { rule: 'allow', commands }
    : { rule: 'ask', always: [...new Set(open.map(beginningOf))], commands };
}

/** What a command is known by: its program and its subcommand, if it has one. */
export function beginningOf([program, ...rest]: CommandWords): string {
  const words: string[] = [program];
  for (const word of rest) {
    if (!/^(?:[a-z][\w:-]*|--?[a-z][\w-]*)$/i.test(word)) break;
    words.push(word);
    // What is run is the script after `run`.
    if (!/^run(?:-script)?$/.test(word)) break;
  }
  return words.join(' ');
}

function wordsOf(rule: string): string[] {
  return rule.split(/\s+/).filter(Boolean);
}

function beginsWith(command: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && words.every((word, index) => command[index] === word);
}

/** For what restricts: the program by whatever path and case, its other words in order, with options between them. */
function isMeant([program, ...words]: readonly string[], [name = '', ...rest]: readonly string[]): boolean {
  if (program === undefined || programOf(program) !== programOf(name)) return false;
  let at = 0;
  return words.every((word) => (at = rest.indexOf(word, at) + 1) > 0);
}
