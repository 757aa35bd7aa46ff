import * as l10n from '@vscode/l10n';
import { isCancelled, SwitchboardError } from '../base/errors.ts';
import type { AnswerEnd } from './events.ts';

/** An error as the end of an answer; a cancellation is a stop, not a failure. */
export function failedEnd(error: unknown): AnswerEnd {
  if (isCancelled(error)) return { reason: 'stopped' };
  if (error instanceof SwitchboardError) {
    const { code, message, why } = error;
    return { reason: 'failed', failure: why ? { code, message, why } : { code, message } };
  }
  return {
    reason: 'failed',
    failure: {
      code: 'request',
      message: l10n.t('Something in Switchboard itself went wrong. The log has the details.'),
      why: error instanceof Error ? error.message : String(error),
    },
  };
}
