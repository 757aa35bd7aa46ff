import { isCancelled, type SwitchboardError } from '../base/errors.ts';

/**
 * What a failure to send one document means.
 * `limit`: the server wants us to wait. `offline`: it cannot be reached now. `broken`: the connection broke, so that
 * the document may have arrived. `everything`: no other document would fare better. `document`: only this one.
 */
export type Setback = 'limit' | 'offline' | 'broken' | 'everything' | 'document';

/** Whether the same request may go well later. */
export function isPassing(error: SwitchboardError): boolean {
  return ['limit', 'offline', 'broken'].includes(setbackOf(error));
}

export function setbackOf(error: SwitchboardError): Setback {
  if (isCancelled(error)) return 'everything';
  switch (error.code) {
    case 'rate-limit':
      return 'limit';
    case 'offline':
    case 'timeout-connect':
      return 'offline';
    case 'transient':
    case 'timeout-first-token':
    case 'timeout-idle':
    case 'truncated':
      return 'broken';
    case 'key':
    case 'vendor-key':
    case 'not-permitted':
    case 'wrong-address':
    case 'balance':
    case 'tls':
    case 'proxy':
      return 'everything';
    default:
      // Creating a document answers 404 only when its knowledge base is gone.
      return error.status === 404 ? 'everything' : 'document';
  }
}
