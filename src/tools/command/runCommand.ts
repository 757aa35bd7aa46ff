import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { visibleText } from '../../base/visibleText.ts';
import { joinPath } from '../fileAccess.ts';
import type { FilePolicy } from '../filePolicy.ts';
import { isWithheld } from '../policy/refusal.ts';
import type { GrantedFile } from '../policy/verdict.ts';
import { defineTool, type CallRule, type Tool, type ToolRule } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { NoRuleReason } from './commandRules.ts';
import type { Commands } from './commands.ts';
import type { CommandWords } from './plainCommands.ts';

/** What the user lets commands do. */
export interface CommandConsent {
  /** `switchboard.tools.commands`. */
  rules(): Readonly<Record<string, ToolRule>>;
  /** Beginnings of commands that were always allowed in this workspace. */
  readonly remembered: readonly string[];
  remember(beginnings: readonly string[]): void;
}

export interface RunCommandDependencies {
  policy: FilePolicy;
  commands: Commands;
  consent: CommandConsent;
  /** What runs the line, for the model. */
  shell: string;
  platform: NodeJS.Platform;
}

const defaultTimeout = 120;
const longestTimeout = 600;
const longestCommand = 20_000;

/** `run_command`: a command line in the workspace, as long as the user lets it. */
export function runCommandTool({ policy, commands, consent, shell, platform }: RunCommandDependencies): Tool {
  const folderOf = async (folder: string | undefined): Promise<GrantedFile> => {
    const granting = granted(await policy.check(folder ?? '.', 'list'));
    if (!granting.folder.isVirtual) return granting;
    throw new ToolFailure('Commands cannot run in a virtual folder. Go on without it.');
  };
  return defineTool({
    name: 'run_command',
    description:
      `Runs a command line (${shell}) in the workspace; gives its exit code and output. For tests, builds, linters ` +
      'and Git, not for reading or editing files. Each call is a new shell: name the folder instead of using cd.',
    input: z.object({
      command: z
        .string()
        .check(z.minLength(1), z.maxLength(longestCommand), z.describe('For example npm test.')),
      reason: z.optional(z.string().check(z.describe('For the user, in a few words.'))),
      folder: z.optional(z.string().check(z.describe('Default: the workspace folder.'))),
      timeoutSeconds: z.optional(
        z
          .int()
          .check(
            z.minimum(1),
            z.maximum(longestTimeout),
            z.describe(`Default: ${defaultTimeout}; then it goes on in the background.`),
          ),
      ),
      background: z.optional(z.boolean().check(z.describe('Do not wait: for servers and watchers.'))),
      input: z.optional(z.boolean().check(z.describe('The user answers its questions in the terminal.'))),
    }),
    risk: 'command',
    async judge({ command, folder, reason, timeoutSeconds, background, input }, toolRule): Promise<CallRule> {
      const where = await folderOf(folder);
      const shown = {
        command,
        folder: where.realPath,
        ...(reason !== undefined && { reason }),
        ...(timeoutSeconds !== undefined && { timeoutSeconds }),
        ...(background && { background: l10n.t('The answer goes on while it runs.') }),
        ...(input && { input: l10n.t('You type it in the terminal that opens for the command.') }),
      };
      // Loaded with the first command.
      const { judgeCommand } = await import('./commandRules.ts');
      const verdict = judgeCommand({
        line: command,
        rules: consent.rules(),
        remembered: consent.remembered,
        isToolAllowed: toolRule === 'allow',
        isForeignShell: platform === 'win32',
      });
      if (verdict.rule === 'deny') {
        const denial = `The user's settings deny commands that begin with ${JSON.stringify(verdict.by)}. Go on without it.`;
        return { rule: 'deny', denial };
      }
      if ('why' in verdict) return { rule: 'ask', shown, why: whyMessage(verdict.why) };
      const word = await withheldWord(policy, where, verdict.commands);
      if (word !== undefined) {
        return {
          rule: 'ask',
          shown,
          why: l10n.t(
            '"{0}" is blocked for models, so this command needs your approval each time.',
            visibleText(word),
          ),
        };
      }
      if (verdict.rule === 'allow') return { rule: 'allow', shown };
      const { always } = verdict;
      const label = l10n.t('Allow {0} in this workspace', always.map((each) => `"${each}"`).join(', '));
      return { rule: 'ask', shown, always: { label, keep: () => consent.remember(always) } };
    },
    async run({ command, folder, timeoutSeconds = defaultTimeout, background, input }, context) {
      // Time has passed since the user was asked.
      const { realPath } = await folderOf(folder);
      const watch = context.watchChanges?.();
      // Nothing waits for it: the editor tells of changes a little later.
      const watched = () => void watch?.end().then((changed) => context.journal?.recordForeign(changed));
      const result = commands.run(
        {
          line: command,
          folder: realPath,
          timeoutMs: timeoutSeconds * 1000,
          isBackground: background ?? false,
          hasInput: input ?? false,
          conversationId: context.conversationId,
        },
        context.signal,
      );
      return result.finally(watched);
    },
  });
}

/** A word that names a file which models may not read: a rule for a program is none for such files. */
async function withheldWord(
  policy: FilePolicy,
  where: GrantedFile,
  commands: readonly CommandWords[],
): Promise<string | undefined> {
  const run = policy.start();
  for (const word of new Set(commands.flatMap((words) => words.slice(1)))) {
    for (const path of pathsIn(word)) {
      const absolute = path.startsWith('/') ? path : joinPath(where.realPath, path);
      const verdict = await run.check(absolute, 'read');
      // What Git ignores is no secret.
      if (!verdict.isAllowed && verdict.reason !== 'ignored' && isWithheld(verdict.reason)) return word;
    }
  }
  return undefined;
}

/** A word, or what an option is given, and a file of a commit (`HEAD:a.ts`). */
function pathsIn(word: string): string[] {
  const value = word.startsWith('-') ? word.slice(word.indexOf('=') + 1 || word.length) : word;
  return [value, value.slice(value.lastIndexOf(':') + 1)].filter(Boolean);
}

function whyMessage(why: NoRuleReason): string {
  switch (why.type) {
    case 'not-plain':
      return l10n.t(
        'This is more than plain words joined by &&, ||, ; and |, so it needs your approval each time.',
      );
    case 'foreign-shell':
      return l10n.t('Commands of Windows shells need your approval each time.');
    case 'asked':
      return l10n.t(
        'The setting "switchboard.tools.commands" asks about {0} each time.',
        visibleText(why.command),
      );
    case 'runs-code':
      return l10n.t(
        '{0} can run any code it is given, so it needs your approval each time.',
        visibleText(why.command),
      );
    case 'network':
      return l10n.t(
        '{0} can use the network, so it needs your approval each time.',
        visibleText(why.command),
      );
    case 'git':
      return l10n.t(
        '{0} can change the repository, so it needs your approval each time.',
        visibleText(why.command),
      );
    case 'writes':
      return l10n.t(
        '{0} can change or delete files, so it needs your approval each time.',
        visibleText(why.command),
      );
  }
}
