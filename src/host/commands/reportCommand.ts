import * as l10n from '@vscode/l10n';
import { oneLine } from '../../base/oneLine.ts';
import type { EndedCommand } from '../../tools/command/commands.ts';
import { showInformation } from '../notifications.ts';

/** Tells the user once that a command in the background has ended. */
export async function reportCommand({ line, code, reveal }: EndedCommand): Promise<void> {
  const command = oneLine(line).replaceAll('](', '] (');
  const text =
    code === undefined
      ? l10n.t('Stopped: {0}', command)
      : l10n.t('Ended with exit code {0}: {1}', code, command);
  const show = l10n.t('Show');
  if ((await showInformation(text, show)) === show) reveal();
}
