import * as l10n from '@vscode/l10n';
import { type ErrorCode, isCancelled, SwitchboardError } from './errors.ts';

/** How something ended that did not come to its end by itself. */
export interface FailedEnd {
  reason: 'stopped' | 'failed';
  /** Present when it failed. */
  failure?: { code: ErrorCode; message: string; why?: string };
}

/** An error as the end of an answer; a cancellation is a stop, not a failure. */
export function failedEnd(error: unknown): FailedEnd {
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
