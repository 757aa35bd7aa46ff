import { SwitchboardError, type ErrorCode } from '../base/errors.ts';
import { asObject, asText, isCutJson, parseJson } from '../base/json.ts';
import { sanitizeServerMessage } from '../base/sanitizeServerMessage.ts';
import { readWait } from '../net/waits.ts';
import {
  apiAccessOff,
  cutOffMessage,
  knownRefusals,
  missingMessage,
  messageFor,
  tagFault,
} from './platformMessages.ts';

/** What a key of the platform opens: all knowledge bases of a workspace, or one app. */
export type PlatformService = 'knowledge' | 'app';

/** An answer of the platform that is a refusal, or that is no answer of a platform at all. */
export interface Refusal {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** In lower case, without parameters. */
  contentType: string;
  /** The address called, without query. */
  address: string;
  /** Masked wherever the server repeats it. */
  key: string;
  /** What was called: its keys, and so the advice, differ. */
  service: PlatformService;
  /** A file was sent: an error without a message then has reasons of its own. */
  isUpload?: boolean;
  /** Older servers lack the route, so a missing page does not make the address wrong. */
  isNewerRoute?: boolean;
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  nowMs: number;
}

/** What this version of the platform cannot do. */
class MissingOnServerError extends SwitchboardError {}

/** True when the server's version has no such route; its other functions may work. */
export function isMissingOnServer(error: unknown): boolean {
  return error instanceof MissingOnServerError;
}

/** True when what was asked for is not there any more. */
export function isNotFound(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 404;
}

/** True when the platform has switched off the API access of one knowledge base. */
export function isApiAccessOff(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 403 && apiAccessOff.test(error.why ?? '');
}

/** True for the fault of 1.14 that a tag is never answered, though it may have been created. */
export function isTagFault(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 400 && tagFault.test(error.parameter ?? '');
}

/** The refusal as an error for the user: what it is, in our words and, as `why`, in the server's. */
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
  return new SwitchboardError(code, message?.() ?? messageFor(code, { ...refusal, retryAfterMs }), details);
}

/** True for the page or the framework's own words that stand for "no such route", not "no such record". */
export function isRouteMissing(refusal: Pick<Refusal, 'status' | 'body' | 'contentType'>): boolean {
  const { status, body } = refusal;
  if (status !== 404 && status !== 405) return false;
  if (isHtml(refusal)) return true;
  const { code, message } = readError(body) ?? noError;
  return (
    code === 'method_not_allowed' ||
    /requested URL was not found|method is not allowed for the requested URL/i.test(message)
  );
}

export function isHtml({ contentType, body }: Pick<Refusal, 'contentType' | 'body'>): boolean {
  return contentType.includes('html') || /^\s*<(!doctype|html)\b/i.test(body);
}

/** One shape for all the ways in which platforms put an error; absent fields are empty. */
export interface PlatformWireError {
  code: string;
  message: string;
  /** The field of the request at fault. */
  field: string;
}

const noError: PlatformWireError = { code: '', message: '', field: '' };

/** Finds the error in a body, in any of the shapes of platform-api.md 2; undefined when it holds none. */
export function readError(body: string): PlatformWireError | undefined {
  const outer = asObject(parseJson(body));
  if (!outer) return undefined;
  const code = asText(outer['code']) ?? '';
  // 1.8 to 1.10: a field each, and a message that says nothing.
  const fields = Object.entries(asObject(outer['errors']) ?? {}).flatMap(([field, reason]) =>
    typeof reason === 'string' && reason ? [{ field, reason }] : [],
  );
  if (fields.length > 0) {
    return { code, message: fields.map(({ reason }) => reason).join(' '), field: fields[0]?.field ?? '' };
  }
  const message = asText(outer['message']) ?? asText(outer['error']) ?? '';
  if (!code && !message) return undefined;
  return { code, field: asText(outer['params']) ?? '', ...readable(message) };
}

/** From 1.11 on a validation message has several lines: the count, the field, the reason, a link. */
function readable(text: string): { message: string; field?: string } {
  const message = text.replace(/\s*You have requested this URI.*$/s, '').trim();
  if (!/^\d+ validation errors? for /.test(message)) return { message };
  const [, field = '', reason = ''] = message.split('\n').map((line) => line.trim());
  // The bracket repeats the value that was sent, which may be a document's text.
  return { message: [field, reason.replace(/\s*\[type=.*$/s, '')].filter(Boolean).join(': '), field };
}

/** The verdict on a refusal: first whether a platform said it, then what it says itself, then what its status means. */
function judge(refusal: Refusal, error: PlatformWireError): { code: ErrorCode; message?: () => string } {
  // What was asked for may have been done.
  if (refusal.status < 300 && isCutJson(refusal.body)) return { code: 'truncated', message: cutOffMessage };
  if (isFromElsewhere(refusal, error)) return { code: 'wrong-address' };
  const known =
    refusal.status >= 400 && refusal.status !== 401 && !isHtml(refusal)
      ? knownRefusals.find(({ matches }) => matches(error, refusal))
      : undefined;
  return known ?? { code: codeOfStatus(refusal.status, error) };
}

function isFromElsewhere(refusal: Refusal, error: PlatformWireError): boolean {
  const { status, body } = refusal;
  if (status < 400) return (status >= 300 && status < 400) || isHtml(refusal) || error === noError;
  // The platform's own 404 has a code.
  if (isRouteMissing(refusal) || (status === 404 && !error.code)) return true;
  // A model relay's errors are objects; the platform's never are.
  if (asObject(asObject(parseJson(body))?.['error'])) return true;
  // http:// to a TLS port, as nginx and Go servers put it.
  return status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(body);
}

function codeOfStatus(status: number, { message }: PlatformWireError): ErrorCode {
  if (status === 401) return 'key';
  if (status === 402) return 'balance';
  if (status === 403) return /rate limit/i.test(message) ? 'rate-limit' : 'not-permitted';
  if (status === 405 || status === 501) return 'wrong-address';
  if (status === 413) return 'too-large';
  if (status === 429 || (status === 400 && /^Too many requests/i.test(message))) return 'rate-limit';
  // An error inside a success, too.
  if (status < 400 || status === 408 || status >= 500) return 'transient';
  return 'request';
}

/** The server's own words; of a page only its title, of anything else nothing, as it may be an answer. */
function whyOf({ body, key, status }: Refusal, error: PlatformWireError | undefined): string | undefined {
  const words = error?.message || error?.code;
  if (words) return sanitizeServerMessage(words, [key]);
  const title = /<title[^>]*>([^<]*)/i.exec(body)?.[1];
  if (title) return sanitizeServerMessage(title, [key]) || undefined;
  return status >= 300 ? `HTTP ${status}` : undefined;
}
