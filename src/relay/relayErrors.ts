import { SwitchboardError, type ErrorCode } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { sanitizeServerMessage } from '../base/sanitizeServerMessage.ts';
import { readWait } from '../net/waits.ts';
import { secretsOf } from './headers.ts';
import { messageFor } from './relayMessages.ts';
import { noError, readError, type WireError } from './wire.ts';
import {
  requestIdsIn,
  titleOf,
  unwrapMessage,
  withoutRequestIds,
  type WrappedMessage,
} from './wrappedMessage.ts';

/** An answer of a relay that is a refusal, or that is no answer at all. */
export interface Refusal {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** In lower case, without parameters. */
  contentType: string;
  /** Where it was found: instead of an answer, or inside a stream that had begun with status 200. */
  stage: 'answer' | 'stream';
  /** The address called, without query. */
  address: string;
  /** Masked wherever the server repeats it. */
  key: string;
  /** The same for secret headers. */
  headerSecrets?: readonly string[];
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  nowMs: number;
}

/** Longer than `why`: it is folded, and for the server's operator. */
const maxResponseCharacters = 2_000;
const maxCodeCharacters = 100;

/** The refusal as an error for the user: what it is in our words and, as `why`, in the server's. */
export function toRelayError(refusal: Refusal): SwitchboardError {
  const { address, stage, status, headers } = refusal;
  const secrets = secretsOf(refusal);
  const error = readError(parseJson(refusal.body));
  const wrapped = unwrapMessage(error?.raw || error?.message || '');
  const waitMs = readWait(headers, wrapped.text, refusal.nowMs);
  const code = classify(refusal, error, wrapped, waitMs);
  const why = whyOf(refusal, error, wrapped);
  const whole = error?.message || error?.raw || '';
  const response = sanitizeServerMessage(withoutRequestIds(whole), secrets, maxResponseCharacters);
  const serverCode = sanitizeServerMessage(serverCodeOf(error), secrets, maxCodeCharacters);
  const requestId = requestIdOf(headers) ?? requestIdsIn(whole).at(-1);
  return new SwitchboardError(code, messageFor(code, { address, waitMs, stage }), {
    address,
    status,
    ...(why && { why }),
    ...(response && response !== why && { response }),
    ...(serverCode && { serverCode }),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
    ...(requestId && { requestId: sanitizeServerMessage(requestId, secrets, maxCodeCharacters) }),
    ...(error?.param && { parameter: sanitizeServerMessage(error.param, secrets, maxCodeCharacters) }),
  });
}

function requestIdOf(headers: Refusal['headers']): string | undefined {
  return headers['x-oneapi-request-id'] ?? headers['x-request-id'] ?? headers['x-litellm-call-id'];
}

/** The first word that says more than the status does. */
function serverCodeOf({ code, type }: WireError = noError): string {
  return [code, type].find((word) => word && !/^(\d{3}|<nil>|None)$/.test(word)) ?? '';
}

/**
 * Whose words an error is in. The user's key and balance are only judged by the relay itself; a vendor that rejects
 * a key or is out of money speaks about the relay's account. `unknown`: nothing tells them apart, as with a vendor
 * that is called directly.
 */
type Speaker = 'relay' | 'vendor' | 'unknown';

/** Types of the LiteLLM proxy's own errors. */
const litellmKeyTypes = new Set(['token_not_found_in_db', 'expired_key', 'no_db_connection']);
const litellmTypes = new Set([...litellmKeyTypes, 'auth_error', 'budget_exceeded']);

function speakerOf({ headers }: Refusal, { type, message, raw }: WireError): Speaker {
  const relayId = headers['x-oneapi-request-id'];
  if (type === 'new_api_error' || type === 'one_api_error') {
    // A relay behind the relay: the message names the request that it had there.
    const isForeign = relayId !== undefined && requestIdsIn(message).some((id) => id !== relayId);
    return isForeign ? 'vendor' : 'relay';
  }
  if (litellmTypes.has(type) || type.endsWith('_model_access_denied')) return 'relay';
  return message.startsWith('litellm.') || raw !== '' || relayId !== undefined ? 'vendor' : 'unknown';
}

/** The verdict on a refusal; the first test that fits counts. `wrapped` is the message as its author wrote it. */
function classify(
  refusal: Refusal,
  error: WireError = noError,
  wrapped: WrappedMessage,
  waitMs: number | undefined,
): ErrorCode {
  const { type } = error;
  const { text } = wrapped;
  const code = wrapped.code || error.code;
  const status = effectiveStatus(refusal, error);
  const speaker = speakerOf(refusal, error);

  if ((status === 200 || status === 404) && isHtml(refusal)) return 'wrong-address';
  if (status === 404 && text.startsWith('Invalid URL')) return 'wrong-address';
  if (status === 405 || status === 501) return 'wrong-address';
  // http:// to a TLS port, as nginx and Go servers put it.
  if (status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(refusal.body)) return 'wrong-address';

  // LiteLLM answers these to a good key with 400, 401, 403, 422 or 429, and says what they are by the type.
  if (type.endsWith('_model_access_denied')) return 'model';
  if (type === 'budget_exceeded') return 'balance';
  if (litellmKeyTypes.has(type)) return 'key';

  if (speaker !== 'vendor' && (status === 401 || status === 403) && speaksOfNetwork(code, text)) {
    return 'network-not-allowed';
  }
  if (status === 401) return speaker === 'vendor' ? 'vendor-key' : 'key';
  if (isOutOfMoney(status, [code, type, wrapped.type], text, waitMs)) {
    return speaker === 'vendor' ? 'vendor-balance' : 'balance';
  }

  if (filterCodes.has(code)) return 'content-filter';
  if (status >= 400 && status < 500 && speaksOfImages(text)) return 'images';

  if (code === 'model_not_found') return 'model';
  if (status === 503 && speaker === 'relay' && /无可用渠道|No available channel/i.test(text)) return 'model';
  if (status === 400 && /Invalid model name|is not a valid model/i.test(text)) return 'model';
  if (status === 403 && /no access to model |无权(使用|访问)模型/i.test(text)) return 'model';
  // Servers that answer 404 with an error of their own know the address, but not the model.
  if (status === 404 && (speaker === 'vendor' || /\bmodel\b|endpoints? found/i.test(text))) return 'model';

  if (status === 403) return 'not-permitted';

  if (code === 'context_length_exceeded' || wrapped.exception === 'ContextWindowExceededError') {
    return 'context-too-long';
  }
  if ((status === 400 || status === 413) && speaksOfContext(text)) return 'context-too-long';

  if (status === 413 || (status === 400 && /request body too large/i.test(text))) return 'too-large';
  if (status === 429) return 'rate-limit';
  if (status === 400 || status === 422 || (status === 500 && requestCodes.has(code))) return 'request';
  if (status === 404 || (status >= 300 && status < 400)) return 'wrong-address';
  if (status === 408 || status >= 500) return 'transient';
  if (status >= 400) return 'request';
  // A status of success with an error in it, and nothing that says which.
  return error === noError ? 'wrong-address' : 'transient';
}

const moneyCodes = new Set([
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
  'insufficient_quota',
]);

function isOutOfMoney(
  status: number,
  codes: readonly string[],
  text: string,
  waitMs: number | undefined,
): boolean {
  if (status === 402 || codes.some((code) => moneyCodes.has(code))) return true;
  // Old relays have no code here; OpenRouter's key budgets have none either.
  if (status === 403) return /quota|额度|余额|key limit exceeded|insufficient (credits|balance)/i.test(text);
  // Google says the same of a limit by the minute, and then how long to wait.
  return (
    (status === 400 || status === 429) &&
    waitMs === undefined &&
    /exceeded your current quota|insufficient (balance|credits?|quota|funds)|credit balance is too low|额度不足|余额不足|欠费/i.test(
      text,
    )
  );
}

function speaksOfNetwork(code: string, text: string): boolean {
  return (
    code === 'access_denied' ||
    code === 'ip_not_authorized' ||
    /\bIP( address)?( is)? not (allowed|authorized|permitted)|\bIP 不在|网段/i.test(text)
  );
}

function speaksOfImages(text: string): boolean {
  return /endpoints found that support image|(not|n't) (support|accept|process)\w{0,3} (image|vision)|(image|vision)( input)?s? (is|are) not (supported|allowed|enabled)|unknown variant .?image_url/i.test(
    text,
  );
}

/** Failures that new-api reports as 500 although the request is at fault. */
const requestCodes = new Set(['invalid_request', 'convert_request_failed']);

/** The word filter of new-api, and those of vendors (OpenAI, Azure, Alibaba Cloud). */
const filterCodes = new Set([
  'sensitive_words_detected',
  'content_filter',
  'content_policy_violation',
  'data_inspection_failed',
]);

/**
 * Inside a success the error's own code (OpenRouter: 429, LiteLLM: "500") or type stands in for the status, which
 * had been sent before anything failed.
 */
function effectiveStatus({ status }: Refusal, { code, type }: WireError): number {
  if (status < 200 || status >= 300) return status;
  if (/^[45]\d\d$/.test(code)) return Number(code);
  const words = `${code} ${type}`;
  if (/invalid_api_key|authentication/.test(words)) return 401;
  if (/rate_limit/.test(words)) return 429;
  if (/overloaded/.test(words)) return 529;
  if (/invalid_request/.test(words)) return 400;
  if (/permission/.test(words)) return 403;
  return status;
}

function isHtml({ contentType, body }: Refusal): boolean {
  return contentType.includes('html') || /^\s*<(!doctype|html)\b/i.test(body);
}

function speaksOfContext(text: string): boolean {
  if (
    /context.{0,20}(length|window|size|limit)|prompt is too long|input (is too long|length)|too many tokens|上下文|超长/i.test(
      text,
    )
  ) {
    return true;
  }
  // A limit on the answer is another matter: "maximum allowed number of output tokens".
  return /maximum.{0,30}tokens/i.test(text) && !/(output|completion|max_)\s?tokens/i.test(text);
}

/** What new-api says when the vendor's error was no JSON: nothing. */
const emptyWords = new Set(['openai_error', 'upstream_error', 'bad_response_status_code', '<nil>', 'None']);

/** The author's own words; of a page only its title, of anything else nothing, as it may be an answer. */
function whyOf(refusal: Refusal, error: WireError | undefined, { text }: WrappedMessage): string {
  const words = [text, error?.code, error?.type].find((each) => each && !emptyWords.has(each));
  if (error && words && !/^\d{3}$/.test(words)) return sanitizeServerMessage(words, secretsOf(refusal));
  return sanitizeServerMessage(titleOf(refusal.body), secretsOf(refusal));
}
