import * as l10n from '@vscode/l10n';
import { commandsIn } from '../../chat/codeBlocks/fencedCode.ts';
import { reasonForUser } from '../../tools/toolFailure.ts';
import { canRunCommands } from '../tools/toolSwitches.ts';
import type { CodeBlock, UseCodeDependencies } from './codeEdits.ts';
import { confirmText } from '../ui/modals.ts';

/**
 * Runs a code block's commands by the rules of `run_command`: those that settings deny don't run, those that are always
 * allowed run at once, and all others are shown whole, with what is dangerous about them, before they run.
 */
export async function runCode(
  { tools, ruleFor }: UseCodeDependencies,
  { code, language }: CodeBlock,
): Promise<string | undefined> {
  if (!canRunCommands())
    return l10n.t('Commands run only in trusted workspaces with a folder on this computer.');
  const command = commandsIn(code, language);
  if (command === '') return undefined;
  const { runCommand } = await tools();
  const toolRule = ruleFor(runCommand) ?? 'ask';
  const denied = l10n.t('Your settings deny this command.');
  if (toolRule === 'deny') return denied;
  const bound = runCommand.bind({ command, input: true });
  if ('problem' in bound || !bound.judge) return l10n.t('The command is too long to run here.');
  try {
    const context = { signal: new AbortController().signal };
    const verdict = await bound.judge(toolRule, context);
    if ('isError' in verdict) return verdict.note ?? verdict.content;
    if (verdict.rule === 'deny') return denied;
    const { why, shown } = verdict;
    const question = l10n.t('Run this in {0}?', folderOf(shown));
    const asks = verdict.rule === 'ask';
    if (
      asks &&
      !(await confirmText(why === undefined ? question : `${question} ${why}`, l10n.t('Run'), command))
    )
      return undefined;
    const { isError, note } = await bound.run(context);
    return isError ? note : undefined;
  } catch (error) {
    return reasonForUser(error);
  }
}

function folderOf(shown: Readonly<Record<string, unknown>> | undefined): string {
  const folder = shown?.['folder'];
  return typeof folder === 'string' ? folder : '';
}
