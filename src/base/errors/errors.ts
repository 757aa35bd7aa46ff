import * as l10n from '@vscode/l10n';

/** Every way a request can fail. Code depends on these, never on messages. */
export const errorCodes = [
  'wrong-address',
  'key',
  'vendor-key',
  'balance',
  'vendor-balance',
  /** The upstream provider rejects the relay's account or region. */
  'vendor-not-permitted',
  'budget',
  'model',
  'images',
  'not-permitted',
  'network-not-allowed',
  'context-too-long',
  'too-large',
  'rate-limit',
  'content-filter',
  'request',
  'transient',
  'truncated',
  'empty-reply',
  'app-unavailable',
  'conversation-over',
  'inputs',
  'timeout-connect',
  'timeout-first-token',
  'timeout-idle',
  'tls',
  'proxy',
  'offline',
  'local-file',
  /** The state that the user agreed to has changed. */
  'conflict',
  'settings',
  /** Switchboard's own files can't be read or written. */
  'storage',
  /** A bug of ours. Created by `toSwitchboardError` only. */
  'internal',
  'cancelled',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

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
  /** The server's message, without keys and message contents. */
  why?: string | undefined;
  /** The message of the operating system, Node or a library; never shown as the server's. */
  systemError?: string | undefined;
  address?: string | undefined;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  requestId?: string | undefined;
  serverCode?: string | undefined;
  /** The server's message before unwrapping, as clean as `why`. */
  response?: string | undefined;
  parameter?: string | undefined;
  /** For a cancellation: the server finishes the answer and charges for it. */
  mayBeBilled?: boolean | undefined;
  cause?: unknown;
}

/** The localized `message` says in its first sentence what happened, then what to do. */
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

/** True for our cancellations and the AbortError of Node, undici and the editor. */
export function isCancelled(error: unknown): boolean {
  return error instanceof SwitchboardError
    ? error.code === 'cancelled'
    : error instanceof Error && error.name === 'AbortError';
}

/** @param details `cause`: the failure that would have been retried */
export function cancelled(details: Pick<ErrorDetails, 'cause' | 'mayBeBilled'> = {}): SwitchboardError {
  return new SwitchboardError('cancelled', l10n.t('Stopped.'), details);
}

export function causeText({
  why,
  systemError,
}: Pick<SwitchboardError, 'why' | 'systemError'>): string | undefined {
  if (why) return l10n.t('Server response: {0}', why);
  return systemError ? l10n.t('System error: {0}', systemError) : undefined;
}

export function splitFirstSentence(message: string): { first: string; rest: string } {
  // A period within a number or an address has no space after it; a Chinese one needs none.
  const end = /[.!?](?=\s)|[。！？]/.exec(message);
  if (!end) return { first: message.trim(), rest: '' };
  const at = end.index + end[0].length;
  return { first: message.slice(0, at).trim(), rest: message.slice(at).trim() };
}

export function messageOf(error: unknown): string {
  // Node reports the failures of all addresses of a host together; the first stands for all.
  if (error instanceof AggregateError && !error.message) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

export function systemCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}

export interface RetryScheduled {
  type: 'retryScheduled';
  delayMs: number;
  why: string;
}

export function assertNever(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
