import * as l10n from '@vscode/l10n';
import { cancelled } from './cancelled.ts';
import { isCancelled, SwitchboardError } from './errors.ts';
import type { Log } from './log.ts';
import { messageOf } from './messageOf.ts';
import { sanitizeServerMessage } from './sanitizeServerMessage.ts';

let log: Pick<Log, 'error'> | undefined;

/** From now on the stacks of unexpected errors go to this log, to which `internal` errors refer the user. */
export function logInternalErrorsTo(target: Pick<Log, 'error'>): void {
  log = target;
}

/** Anything thrown: our own errors as they are, an abort as a cancellation, and what nobody expected as `internal`. */
export function toSwitchboardError(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  if (isCancelled(error)) return cancelled({ cause: error });
  log?.error(describe(error));
  return new SwitchboardError('internal', l10n.t('Internal error. See the log for details.'), {
    systemError: messageOf(error),
    cause: error,
  });
}

/** The stack without the message in front of it, which may be long and may hold what a server said. */
function describe(error: unknown): string {
  const [name, stack = ''] = error instanceof Error ? [error.name, error.stack] : [typeof error];
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return [`Internal error: ${name}: ${sanitizeServerMessage(messageOf(error))}`, ...frames].join('\n');
}
