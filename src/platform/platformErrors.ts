import type { BackoffPause } from '../base/async/backoff.ts';
import { type ErrorCode, type ErrorDetails, rejudge, SwitchboardError } from '../base/errors/errors.ts';
import { asObject, isCutJson, parseJson } from '../base/json.ts';
import { sanitizeServerMessage } from '../base/text/sanitizeServerMessage.ts';
import { readWait } from '../net/waits.ts';
import {
  apiAccessOff,
  cutOffMessage,
  externalSearch,
  isScopeRefusal,
  type KnownRefusal,
  knownRefusals,
  modelFailedMessage,
  missingMessage,
  messageFor,
  tagFault,
} from './platformMessages.ts';
import type { Dataset } from './records.ts';
import {
  isHtml,
  isRouteMissing,
  noError,
  type PlatformWireError,
  readError,
  type Refusal,
} from './platformRefusal.ts';

class MissingOnServerError extends SwitchboardError {}

/** True if the server's version has no such route; its other functions may work. */
export function isMissingOnServer(error: unknown): boolean {
  return error instanceof MissingOnServerError;
}

export function missingOnServer(): SwitchboardError {
  return new MissingOnServerError('request', missingMessage());
}

export function isNotFound(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 404;
}

export function isApiAccessOff(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 403 && apiAccessOff.test(error.why ?? '');
}

/** True for a refusal outside a key's scope. Its words aren't documented (1.17): those of no other refusal. */
export function isOutOfScope(error: unknown): boolean {
  return (
    error instanceof SwitchboardError &&
    error.status === 403 &&
    // A firewall's page has no code.
    error.serverCode === 'forbidden' &&
    isScopeRefusal(error.why ?? '')
  );
}

export function isExternalSearchMissing(error: unknown): boolean {
  return error instanceof SwitchboardError && externalSearch.test(error.why ?? '');
}

export function isTagFault(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 400 && tagFault.test(error.parameter ?? '');
}

/** Pauses of a rate limit: about five minutes in all. */
export function limitPause({ status, retryAfterMs }: SwitchboardError): BackoffPause<'limit'> {
  // 403: hosted plans count requests per minute, including rejected ones.
  return { reason: 'limit', firstMs: status === 403 ? 20_000 : 1000, most: 10, askedMs: retryAfterMs };
}

/** Names the model and the knowledge base in the failure of an embedding model, which the server doesn't. */
export function withModelNamed(error: unknown, dataset: Pick<Dataset, 'name' | 'embeddingModel'>): unknown {
  if (!(error instanceof SwitchboardError) || error.status !== 400) return error;
  const message = modelFailedMessage(error.why ?? '', dataset.embeddingModel, dataset.name);
  return message === undefined ? error : rejudge(error, error.code, message);
}

export function toPlatformError(refusal: Refusal): SwitchboardError {
  const error = readError(refusal.body);
  const retryAfterMs = readWait(refusal.headers, error?.message ?? '', refusal.nowMs);
  const why = whyOf(refusal, error);
  const details = {
    ...(why && { why }),
    address: refusal.address,
    status: refusal.status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(error?.code && { serverCode: sanitizeServerMessage(error.code, [refusal.key]) }),
    ...(error?.field && { parameter: sanitizeServerMessage(error.field, [refusal.key]) }),
  };
  if (refusal.isNewerRoute && isRouteMissing(refusal)) {
    return new MissingOnServerError('request', missingMessage(), details);
  }
  const { code, message } = judge(refusal, error ?? noError);
  return new SwitchboardError(
    code,
    message?.(error ?? noError) ?? messageFor(code, { ...refusal, retryAfterMs }),
    details,
  );
}

/** Decides whether a platform answered, then by its message, then by its status. */
function judge(
  refusal: Refusal,
  error: PlatformWireError,
): { code: ErrorCode; message?: KnownRefusal['message'] } {
  // The request may have succeeded.
  if (refusal.status < 300 && isCutJson(refusal.body)) return { code: 'truncated', message: cutOffMessage };
  if (isFromElsewhere(refusal, error)) return { code: 'wrong-address' };
  const known =
    refusal.status >= 400 && refusal.status !== 401 && !isHtml(refusal)
      ? knownRefusals.find(({ matches }) => matches(error, refusal))
      : undefined;
  return known ?? { code: codeOfStatus(refusal.status, error) };
}

function isFromElsewhere(refusal: Refusal, error: PlatformWireError): boolean {
  const { status, body, service } = refusal;
  if (status < 400) return (status >= 300 && status < 400) || isHtml(refusal) || error === noError;
  // The platform's own 404 has a code, except for versions of a DSL.
  if (isRouteMissing(refusal) || (status === 404 && !error.code && service !== 'account')) return true;
  // A model relay's errors are objects; the platform's never are.
  if (asObject(asObject(parseJson(body))?.['error'])) return true;
  // http:// to a TLS port, in the words of nginx and Go servers.
  return status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(body);
}

function codeOfStatus(status: number, { message }: PlatformWireError): ErrorCode {
  if (status === 401) return 'key';
  if (status === 402) return 'balance';
  if (status === 403) return /rate limit/i.test(message) ? 'rate-limit' : 'not-permitted';
  if (status === 405 || status === 501) return 'wrong-address';
  if (status === 413) return 'too-large';
  if (status === 429 || (status === 400 && /^Too many requests/i.test(message))) return 'rate-limit';
  if (status < 400 || status === 408 || status >= 500) return 'transient';
  return 'request';
}

/** The server's own message; of a page only its title, of anything else nothing: it may be an answer. */
function whyOf({ body, key, status }: Refusal, error: PlatformWireError | undefined): string | undefined {
  const words = error?.message || error?.code;
  if (words) return sanitizeServerMessage(words, [key]);
  const title = /<title[^>]*>([^<]*)/i.exec(body)?.[1];
  if (title) return sanitizeServerMessage(title, [key]) || undefined;
  return status >= 300 ? `HTTP ${status}` : undefined;
}

export class SignedOutError extends SwitchboardError {
  constructor(
    message: string,
    readonly baseUrl: string,
    details: ErrorDetails = {},
  ) {
    super('key', message, details);
  }
}
