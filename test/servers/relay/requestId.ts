import { randomBytes } from 'node:crypto';

/** A request id like the relay's: the time, then random characters. */
export function createRequestId(): string {
  return new Date().toISOString().replace(/\D/g, '') + randomBytes(12).toString('hex');
}

export function createAnswerId(): string {
  return `chatcmpl-${randomBytes(12).toString('hex')}`;
}
