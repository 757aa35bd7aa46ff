import { type ErrorCode, SwitchboardError } from './errors.ts';
import { toSwitchboardError } from './toSwitchboardError.ts';

export interface FailureRecord {
  code: ErrorCode;
  message: string;
  why?: string;
  details?: FailureDetails;
}

export interface FailureDetails {
  status?: number;
  code?: string;
  requestId?: string;
  /** The server's whole message if `why` is a part of it. */
  response?: string;
  systemError?: string;
}

export interface FailedEnd {
  reason: 'stopped' | 'failed';
  /** The failure; for a stop, the one that would have been retried. */
  failure?: FailureRecord;
  mayBeBilled?: boolean;
}

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
