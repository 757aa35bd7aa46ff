import { randomBytes } from 'node:crypto';

/** A request id as the relay makes them: the moment, then random characters. */
export function createRequestId(): string {
  return new Date().toISOString().replace(/\D/g, '') + randomBytes(12).toString('hex');
}

/** An answer's id. */
export function createAnswerId(): string {
  return `chatcmpl-${randomBytes(12).toString('hex')}`;
}
