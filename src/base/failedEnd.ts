import { type ErrorCode, isCancelled, SwitchboardError } from './errors.ts';
import { ourMistake } from './ourMistake.ts';

/** How something ended that did not come to its end by itself. */
export interface FailedEnd {
  reason: 'stopped' | 'failed';
  /** Present when it failed. */
  failure?: { code: ErrorCode; message: string; why?: string };
}

/** An error as the end of an answer; a cancellation is a stop, not a failure. */
export function failedEnd(error: unknown): FailedEnd {
  if (isCancelled(error)) return { reason: 'stopped' };
  const { code, message, why } = error instanceof SwitchboardError ? error : ourMistake(error);
  return { reason: 'failed', failure: why ? { code, message, why } : { code, message } };
}
