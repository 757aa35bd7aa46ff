import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { inline } from '../../base/text/oneLine.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { FilePolicy } from '../policy/filePolicy.ts';
import type { GrantedFile } from '../policy/verdict.ts';
import type { Files } from '../files/workspace.ts';
import { defineTool, type CallRule, type Tool, type ToolRule, type WiderRule } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { CommandDanger, CommandDangers } from './commandDangers.ts';
import type { NoRuleReason } from './commandRules.ts';
import type { Commands } from './commands.ts';

/** An allowed command line, or a prefix followed by ` *`. */
export interface CommandRule {
  line: string;
  /** Absolute and without links. */
  folder: string;
}

export interface CommandConsent {
  /** `switchboard.tools.commands`; `allow` applies in the workspace folders themselves. */
  rules(): Readonly<Record<string, ToolRule>>;
  readonly remembered: readonly CommandRule[];
  remember(rule: CommandRule): void;
}

export interface RunCommandDependencies {
  policy: FilePolicy;
  files: Files;
  commands: Commands;
  consent: CommandConsent;
  shell: string;
  platform: NodeJS.Platform;
}

const defaultTimeout = 120;
const longestTimeout = 600;
const longestCommand = 20_000;
const longestNamed = 60;

export function runCommandTool(deps: RunCommandDependencies): Tool {
  const { policy, commands, shell } = deps;
  const folderOf = async (folder: string | undefined): Promise<GrantedFile> => {
    const granting = granted(await policy.check(folder ?? '.', 'list'));
    if (!granting.folder.isVirtual) return granting;
    throw new ToolFailure('Commands cannot run in a virtual folder. Go on without it.');
  };
  return defineTool({
    name: 'run_command',
    description:
      `Runs a command line (${shell}) in the workspace; gives its exit code and output. For tests, builds, linters ` +
      'and Git, not to read or edit files. Each call is a new shell: use folder, not cd.',
    input: z.object({
      command: z.string().check(z.minLength(1), z.maxLength(longestCommand), z.describe('Like npm test.')),
      reason: z.optional(z.string().check(z.describe('For the user, in a few words.'))),
      folder: z.optional(z.string().check(z.describe('Default: the workspace folder.'))),
      timeoutSeconds: z.optional(
        z
          .int()
          .check(
            z.minimum(1),
            z.maximum(longestTimeout),
            z.describe(
              `Default ${defaultTimeout}, at most ${longestTimeout}; then it goes on in the background.`,
            ),
          ),
      ),
      background: z.optional(z.boolean().check(z.describe('For servers and watchers.'))),
      input: z.optional(z.boolean().check(z.describe('The user answers its questions in the terminal.'))),
    }),
    risk: 'command',
    judge: async (input, toolRule) => judgeCall(input, await folderOf(input.folder), toolRule, deps),
    async run({ command, folder, timeoutSeconds = defaultTimeout, background, input }, context) {
      // The folder may have changed since the approval.
      const { realPath } = await folderOf(folder);
      const watch = context.watchChanges?.();
      // Not awaited: the editor reports changes a little later.
      const watched = () => void watch?.end().then((changed) => context.journal?.recordForeign(changed));
      const result = commands.run(
        {
          line: command,
          folder: realPath,
          timeoutMs: timeoutSeconds * 1000,
          isBackground: background ?? false,
          hasInput: input ?? false,
          conversationId: context.conversationId,
          callId: context.callId,
          onOutput: context.onOutput,
        },
        context.signal,
      );
      return result.finally(watched);
    },
  });
}

interface CommandInput {
  command: string;
  reason?: string | undefined;
  timeoutSeconds?: number | undefined;
  background?: boolean | undefined;
  input?: boolean | undefined;
}

async function judgeCall(
  { command, reason, timeoutSeconds, background, input }: CommandInput,
  where: GrantedFile,
  toolRule: ToolRule,
  { policy, files, consent, platform }: RunCommandDependencies,
): Promise<CallRule> {
  const shown = {
    command,
    folder: where.realPath,
    ...(reason !== undefined && { reason }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(background && { background: l10n.t('The answer continues while it runs.') }),
    ...(input && { input: l10n.t('You type it in the terminal that opens for the command.') }),
  };
  const usual = ['reason', ...(where.shown === '.' ? ['folder'] : [])];
  const [{ judgeCommand }, { objectionTo }, { dangersIn }] = await Promise.all([
    import('./commandRules.ts'),
    import('./commandPaths.ts'),
    import('./commandDangers.ts'),
  ]);
  const rules = consent.rules();
  const verdict = judgeCommand({
    line: command,
    rules,
    allowed: allowedIn(where, rules, consent.remembered),
    isToolAllowed: toolRule === 'allow',
    isForeignShell: platform === 'win32',
  });
  if (verdict.rule === 'deny') {
    const denial = `The user's settings deny commands that begin with ${JSON.stringify(verdict.by)}. Go on without it.`;
    return { rule: 'deny', denial };
  }
  const dangers = dangersIn(command);
  const isDangerous = dangers.parts.length > 0 || !dangers.isComplete;
  const question = { rule: 'ask', shown, usual, isDangerous } as const;
  if ('why' in verdict) return { ...question, why: whyMessage(verdict.why, dangers) };
  const isOneOfMany = verdict.rule === 'allow' && !verdict.isExact;
  const why = await objectionTo(verdict.commands, where, { policy, files }, isOneOfMany);
  if (why !== undefined) return { ...question, why };
  if (verdict.rule === 'allow') return { rule: 'allow', shown };
  const { beginning } = verdict;
  const keep = (line: string) => () => consent.remember({ line, folder: where.realPath });
  return {
    ...question,
    always: {
      label: l10n.t('Allow this exact command in this folder'),
      keep: keep(command.trim()),
      ...(beginning !== undefined && { wider: widerRule(beginning, keep(beginning)) }),
    },
  };
}

function allowedIn(
  { realPath, relative }: GrantedFile,
  rules: Readonly<Record<string, ToolRule>>,
  remembered: readonly CommandRule[],
): string[] {
  const ofSettings = Object.keys(rules).filter((line) => relative === '' && rules[line] === 'allow');
  return [...ofSettings, ...remembered.flatMap(({ line, folder }) => (folder === realPath ? [line] : []))];
}

function widerRule(beginning: string, keep: () => void): WiderRule {
  const words = beginning.slice(0, -2);
  return {
    label: l10n.t('Allow all commands that start with "{0}"', words),
    detail: l10n.t(
      'In this folder, they run without asking, whatever follows these words, including options that make the program run other code or write and delete files. Interpreters, network access, Git commands that write, and commands that name files blocked for models still ask.',
    ),
    keep,
  };
}

function whyMessage(why: NoRuleReason, { parts }: CommandDangers): string {
  if (why.type === 'asked') {
    return l10n.t(
      'The setting "switchboard.tools.commands" asks about {0} each time.',
      visibleText(why.command),
    );
  }
  const [first, ...more] = parts.map(dangerMessage);
  if (first !== undefined) {
    const listed = [first, ...more].join(l10n.t('; '));
    return l10n.t('{0}, so it needs your approval each time.', listed);
  }
  switch (why.type) {
    case 'not-plain':
      return l10n.t(
        'This is more than plain words joined by &&, ||, ; and |, so it needs your approval each time.',
      );
    case 'foreign-shell':
      return l10n.t('Commands of Windows shells need your approval each time.');
    default:
      return l10n.t('{0}, so it needs your approval each time.', dangerMessage(why));
  }
}

function dangerMessage({ type, command }: CommandDanger): string {
  const named = inline(command, longestNamed);
  switch (type) {
    case 'downloaded':
      return l10n.t('{0} runs code from the network', named);
    case 'runs-code':
      return l10n.t('{0} can run any code it is given', named);
    case 'network':
      return l10n.t('{0} can use the network', named);
    case 'git':
      return l10n.t('{0} can change the repository', named);
    case 'writes':
      return l10n.t('{0} can change or delete files', named);
  }
}
