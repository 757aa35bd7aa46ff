import * as l10n from '@vscode/l10n';
import { cancelled, isCancelled, messageOf, SwitchboardError } from './errors.ts';
import type { Log } from '../log.ts';
import { sanitizeServerMessage } from '../text/sanitizeServerMessage.ts';

let log: Pick<Log, 'error'> | undefined;

export function logInternalErrorsTo(target: Pick<Log, 'error'>): void {
  log = target;
}

export function toSwitchboardError(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  if (isCancelled(error)) return cancelled({ cause: error });
  log?.error(describe(error));
  return new SwitchboardError('internal', l10n.t('Internal error. See the log for details.'), {
    systemError: messageOf(error),
    cause: error,
  });
}

/** The stack without its message, which could contain a server's text. */
function describe(error: unknown): string {
  const [name, stack = ''] = error instanceof Error ? [error.name, error.stack] : [typeof error];
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return [`Internal error: ${name}: ${sanitizeServerMessage(messageOf(error))}`, ...frames].join('\n');
}
