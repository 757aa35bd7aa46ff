import { type ErrorCode, SwitchboardError } from './errors.ts';
import { toSwitchboardError } from './toSwitchboardError.ts';

/** A failure as it is stored and shown: an error without what only code can use. */
export interface FailureRecord {
  code: ErrorCode;
  message: string;
  why?: string;
  /** For the server's operator. */
  details?: FailureDetails;
}

export interface FailureDetails {
  status?: number;
  /** The server's own word for the failure. */
  code?: string;
  requestId?: string;
  /** What the server said, where `why` is only a part of it. */
  response?: string;
  /** What the system said where no server spoke. */
  systemError?: string;
}

/** How something ended that did not come to its end by itself. */
export interface FailedEnd {
  reason: 'stopped' | 'failed';
  /** Present when it failed, and when it was stopped while it waited to try again after this failure. */
  failure?: FailureRecord;
  /** It was stopped, and the server goes on making the answer, which is then charged. */
  mayBeBilled?: boolean;
}

/** An error as the end of an answer; a cancellation is a stop, not a failure. */
export function toFailure(thrown: unknown): FailedEnd {
  const error = toSwitchboardError(thrown);
  if (error.code !== 'cancelled') return { reason: 'failed', failure: toRecord(error) };
  const { cause, mayBeBilled } = error;
  return {
    reason: 'stopped',
    ...(cause instanceof SwitchboardError && { failure: toRecord(cause) }),
    ...(mayBeBilled && { mayBeBilled }),
  };
}

/** What is stored and shown of an error. */
export function toRecord({
  code,
  message,
  why,
  status,
  serverCode,
  requestId,
  response,
  systemError,
}: SwitchboardError): FailureRecord {
  const details: FailureDetails = {
    ...(status !== undefined && { status }),
    ...(serverCode !== undefined && { code: serverCode }),
    ...(requestId !== undefined && { requestId }),
    ...(response !== undefined && { response }),
    ...(systemError !== undefined && { systemError }),
  };
  return {
    code,
    message,
    ...(why && { why }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}
