import { pipelinesIn } from './parseCommand.ts';
import { programOf, unruledReason, type UnruledReason } from './unruledPrograms.ts';

/** A part of a line that deletes files, sends data or runs code; `downloaded`: code that another part loads. */
export interface CommandDanger {
  type: UnruledReason | 'downloaded';
  command: string;
}

export interface CommandDangers {
  parts: readonly CommandDanger[];
  /** False if the line can't be read whole, so more may be in it. */
  isComplete: boolean;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Builtins and pagers without an effect on files or the network, though no rule can allow them. */
const harmless = new Set(
  words(
    `cd set shopt export declare typeset local readonly unset test printf getopts hash umask ulimit wait jobs return break
    continue exit shift pushd popd dirs read mapfile readarray history less more man info`,
  ),
);

/** Programs that only run the command in their words. */
const wrappers = new Set(
  words('env time timeout nice ionice nohup stdbuf setsid xargs command builtin exec watch'),
);

const findActions = /^-(?:delete|exec|execdir|ok|okdir|fprint\w*|fls)$/;

/** Git subcommands that upload, discard, delete or run what they are given. */
const gitDangers = new Set(
  words(
    `push clean reset checkout restore rm rebase filter-branch filter-repo update-ref gc prune send-email worktree
    bisect submodule difftool mergetool lfs svn p4`,
  ),
);
const gitDeletes = /^(?:-[dDf]|--delete|--force|--discard-changes|drop|clear|delete|expire)$/;
/** Options before the subcommand whose value is the next word. */
const gitValued = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env|attr-source))$/;

/** Everything dangerous in a line, for the question about it. Rules don't depend on this. */
export function dangersIn(line: string): CommandDangers {
  const { pipelines, isComplete } = pipelinesIn(line);
  const found = pipelines.flatMap(dangersOf).map((part) => [`${part.type} ${part.command}`, part] as const);
  return { parts: [...new Map(found).values()], isComplete };
}

function dangersOf(pipeline: readonly (readonly string[])[]): CommandDanger[] {
  const parts = pipeline.flatMap((command) => dangerOf(command) ?? []);
  const source = parts.findIndex(({ type }) => type === 'network');
  const target = parts.findIndex(({ type }, index) => type === 'runs-code' && source >= 0 && index > source);
  const [from, to] = [parts[source], parts[target]];
  if (!from || !to) return parts;
  const command = [from, to].map((part) => programOf(part.command.split(' ')[0] ?? '')).join(' | ');
  return [{ type: 'downloaded', command }, ...parts.filter((part) => part !== from && part !== to)];
}

function dangerOf([program = '', ...given]: readonly string[]): CommandDanger | undefined {
  const name = programOf(program);
  const rest = name === 'git' ? fromSubcommand(given) : given;
  if (harmless.has(name)) return undefined;
  if (wrappers.has(name)) {
    const inner = rest.map((_, index) => dangerOf(rest.slice(index)));
    return inner.find((danger) => danger !== undefined);
  }
  const command = [program, ...rest.slice(0, 1)].join(' ');
  if (name === 'find' && rest.some((word) => findActions.test(word))) {
    const [action = ''] = rest.filter((word) => findActions.test(word));
    return { type: action === '-delete' ? 'writes' : 'runs-code', command: `${program} ${action}` };
  }
  const type = unruledReason([program, ...rest]);
  if (type === 'git' && !gitDangers.has(rest[0] ?? '') && !rest.some((word) => gitDeletes.test(word)))
    return undefined;
  return type && { type, command };
}

function fromSubcommand(given: readonly string[]): readonly string[] {
  const at = given.findIndex(
    (word, index) => !word.startsWith('-') && !gitValued.test(given[index - 1] ?? ''),
  );
  return at < 0 ? given : given.slice(at);
}
