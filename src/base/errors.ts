/** Every way a request can fail, as design.md names them. Switch on this, never on a message. */
export const errorCodes = [
  'wrong-address',
  'key',
  'vendor-key',
  'balance',
  'model',
  'not-permitted',
  'context-too-long',
  'too-large',
  'rate-limit',
  'request',
  'transient',
  'truncated',
  'empty-reply',
  'app-unavailable',
  'conversation-over',
  'timeout-connect',
  'timeout-first-token',
  'timeout-idle',
  'tls',
  'proxy',
  'offline',
  'cancelled',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface ErrorDetails {
  /** What the server or the system said, in its own words. Never a key, never a message's content. */
  why?: string;
  /** The address that was called, without query. */
  address?: string;
  /** HTTP status, when there was an answer. */
  status?: number;
  /** How long the server asked us to wait, in milliseconds. */
  retryAfterMs?: number;
  /** The server's id of the request, for its operator. */
  requestId?: string;
  /** The field of our request that the server named as the one at fault. */
  parameter?: string;
  cause?: unknown;
}

/**
 * A failure a person can act on. `message` is a whole, localised sentence that says what happened;
 * `why` is what came back. What to do about it follows from `code` (see `panel/remedy.ts`).
 */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError';
  readonly code: ErrorCode;
  readonly why: string | undefined;
  readonly address: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly parameter: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.why = details.why;
    this.address = details.address;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.parameter = details.parameter;
  }
}

/** True for our own cancellation and for the AbortError that Node, undici and the editor throw. */
export function isCancelled(error: unknown): boolean {
  return error instanceof SwitchboardError
    ? error.code === 'cancelled'
    : error instanceof Error && error.name === 'AbortError';
}
