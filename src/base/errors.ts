/** Every way a request can fail. Switch on this, never on a message. */
export const errorCodes = [
  'wrong-address',
  'key',
  'vendor-key',
  'balance',
  'vendor-balance',
  /** The user does not want the daily budget to be passed. */
  'budget',
  'model',
  'images',
  'not-permitted',
  'network-not-allowed',
  'context-too-long',
  'too-large',
  'rate-limit',
  /** What was written is not let through. */
  'content-filter',
  /** The server refused the request for a reason of its own. */
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
  /** A file of the user cannot be read, or changed meanwhile. */
  'local-file',
  /** What was agreed to is no longer what is there. */
  'conflict',
  /** A setting stands in the way. */
  'settings',
  /** What Switchboard saves itself cannot be read or written. */
  'storage',
  /** Nobody expected it: a mistake of ours. Made by `toSwitchboardError` alone. */
  'internal',
  'cancelled',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Failures of the way to a server, or of the key for it: what a diagnosis of the connection explains. */
export const connectionCodes: ReadonlySet<ErrorCode> = new Set([
  'wrong-address',
  'key',
  'timeout-connect',
  'timeout-first-token',
  'timeout-idle',
  'tls',
  'proxy',
  'offline',
]);

export interface ErrorDetails {
  /** What the server said, in its own words. Never a key, never a message's content. */
  why?: string | undefined;
  /** What the operating system, Node or a library of ours said where no server spoke; never shown as a server's words. */
  systemError?: string | undefined;
  /** The address that was called, without query. */
  address?: string | undefined;
  /** HTTP status, when there was an answer. */
  status?: number | undefined;
  /** How long the server asked us to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** The server's id of the request, for its operator. */
  requestId?: string | undefined;
  /** The server's own word for the failure (its error's `code` or `type`). */
  serverCode?: string | undefined;
  /** The server's message before it was unwrapped; as clean as `why`. */
  response?: string | undefined;
  /** The field of our request that the server named as the one at fault. */
  parameter?: string | undefined;
  /** Of a cancellation: the server goes on making the whole answer, which is then charged. */
  mayBeBilled?: boolean | undefined;
  cause?: unknown;
}

/**
 * A failure a user can act on. `message` is localised: a first sentence says what happened, the next ones what to do;
 * `why` is the server's response. The button that helps follows from `code` (see `panel/presentFailure.ts`).
 */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError';
  readonly code: ErrorCode;
  readonly why: string | undefined;
  readonly systemError: string | undefined;
  readonly address: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly serverCode: string | undefined;
  readonly response: string | undefined;
  readonly parameter: string | undefined;
  readonly mayBeBilled: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.why = details.why;
    this.systemError = details.systemError;
    this.address = details.address;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.serverCode = details.serverCode;
    this.response = details.response;
    this.parameter = details.parameter;
    this.mayBeBilled = details.mayBeBilled ?? false;
  }
}

/** The same failure with a new verdict; what the server said stays with it. */
export function rejudge(error: SwitchboardError, code: ErrorCode, message: string): SwitchboardError {
  const { why, systemError, address, status, retryAfterMs, requestId, serverCode, response, parameter } =
    error;
  const details = {
    why,
    systemError,
    address,
    status,
    retryAfterMs,
    requestId,
    serverCode,
    response,
    parameter,
  };
  return new SwitchboardError(code, message, { ...details, cause: error });
}

/** True for our own cancellation and for the AbortError that Node, undici and the editor throw. */
export function isCancelled(error: unknown): boolean {
  return error instanceof SwitchboardError
    ? error.code === 'cancelled'
    : error instanceof Error && error.name === 'AbortError';
}
