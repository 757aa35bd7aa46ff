import * as l10n from '@vscode/l10n';
import type { SwitchboardError } from './errors.ts';

/** What is behind a failure, in the words of its source: the server, or the system on the way to it. */
export function causeText({
  why,
  systemError,
}: Pick<SwitchboardError, 'why' | 'systemError'>): string | undefined {
  if (why) return l10n.t('Server response: {0}', why);
  return systemError ? l10n.t('System error: {0}', systemError) : undefined;
}
