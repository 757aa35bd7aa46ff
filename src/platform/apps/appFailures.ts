import * as l10n from '@vscode/l10n';
import { rejudge, SwitchboardError } from '../../base/errors.ts';
import { theirWords } from '../../base/theirWords.ts';
import type { AppNode, AppRun } from './appRecords.ts';

/** An answer that ended before the app did, or before it `began` at all. */
export function cutOff(address: string, began: boolean, cause?: SwitchboardError): SwitchboardError {
  return new SwitchboardError(
    'truncated',
    began
      ? l10n.t('The answer broke off before the app finished it. What arrived is kept; try again.')
      : l10n.t(
          'The platform took the request and closed it without an answer. Its background worker may not be running, or the conversation or a file may be unknown to it.',
        ),
    { address, ...(cause?.why && { why: cause.why }), cause },
  );
}

/** The platform took the request: its silence means something else than that of a server that does not answer. */
export function silentWorker(address: string, limitMs: number, cause: SwitchboardError): SwitchboardError {
  return new SwitchboardError(
    'timeout-first-token',
    l10n.t(
      'The platform took the request, but its worker gave nothing within {0} s. It may be busy or not running, or the conversation or a file may be unknown to it. Try again, or in a new conversation; if it stays so, tell whoever runs the platform.',
      Math.round(limitMs / 100) / 10,
    ),
    { address, cause },
  );
}

/** A run that the platform itself calls failed. `key` is masked in what it says. */
export function failedRun(
  { error }: AppRun,
  node: AppNode | undefined,
  address: string,
  key: string,
): SwitchboardError {
  const why = error ?? node?.error;
  const sentence = node
    ? l10n.t('The run failed in the step "{0}". What the platform says about it tells why.', shown(node))
    : l10n.t('The run failed. What the platform says about it tells why.');
  return new SwitchboardError('request', sentence, { ...(why && { why: theirWords(why, [key]) }), address });
}

/** A reported failure with the step it happened in, if that is known. */
export function inStep(error: SwitchboardError, node: AppNode | undefined): SwitchboardError {
  if (!node) return error;
  return rejudge(error, error.code, l10n.t('The step "{0}" failed. {1}', shown(node), error.message));
}

function shown({ title }: AppNode): string {
  return theirWords(title);
}
