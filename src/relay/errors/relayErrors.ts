import { SwitchboardError, type ErrorCode } from '../../base/errors/errors.ts';
import { parseJson } from '../../base/json.ts';
import { sanitizeServerMessage } from '../../base/text/sanitizeServerMessage.ts';
import { readWait } from '../../net/waits.ts';
import { secretsOf } from '../headers.ts';
import { type Cause, messageFor } from './relayMessages.ts';
import { noError, readError, type WireError } from '../protocols/wire.ts';
import {
  requestIdsIn,
  titleOf,
  unwrapMessage,
  withoutRequestIds,
  type WrappedMessage,
} from './wrappedMessage.ts';

export interface Refusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  contentType: string;
  /** `stream`: reported after status 200 and the beginning of an answer. */
  stage: 'answer' | 'stream';
  address: string;
  key: string;
  headerSecrets?: readonly string[];
  nowMs: number;
}

/** Longer than `why`: shown folded, for the server's operator. */
const maxResponseCharacters = 2_000;
const maxCodeCharacters = 100;

export function toRelayError(refusal: Refusal): SwitchboardError {
  const { address, stage, status, headers } = refusal;
  const secrets = secretsOf(refusal);
  const error = readError(parseJson(refusal.body));
  const wrapped = unwrapMessage(error?.raw || error?.message || '');
  const waitMs = readWait(headers, wrapped.text, refusal.nowMs);
  const code = classify(refusal, error, wrapped, waitMs);
  const why = whyOf(refusal, error, wrapped);
  const cause = causeOf(code, wrapped, error);
  const rule = sanitizeServerMessage(guardrailOf(error, wrapped), secrets, maxCodeCharacters);
  const whole = error?.message || error?.raw || '';
  const response = sanitizeServerMessage(withoutRequestIds(whole), secrets, maxResponseCharacters);
  const serverCode = sanitizeServerMessage(serverCodeOf(error), secrets, maxCodeCharacters);
  const requestId = requestIdOf(headers) ?? requestIdsIn(whole).at(-1);
  return new SwitchboardError(code, messageFor(code, { address, waitMs, stage, cause, rule }), {
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

function serverCodeOf({ code, type }: WireError = noError): string {
  return [code, type].find((word) => word && !/^(\d{3}|<nil>|None)$/.test(word)) ?? '';
}

/** The author of an error. Only the relay judges key and balance. `unknown`: as with a vendor called directly. */
type Speaker = 'relay' | 'vendor' | 'unknown';

const litellmKeyTypes = new Set(['token_not_found_in_db', 'expired_key', 'no_db_connection']);
const litellmTypes = new Set([...litellmKeyTypes, 'auth_error', 'budget_exceeded']);

function speakerOf(
  { headers }: Refusal,
  { type, message, raw }: WireError,
  { isWrapped }: WrappedMessage,
): Speaker {
  const relayId = headers['x-oneapi-request-id'];
  if (type === 'new_api_error' || type === 'one_api_error') {
    // A relay behind the relay: the message has that one's request id.
    const isForeign = relayId !== undefined && requestIdsIn(message).some((id) => id !== relayId);
    return isForeign ? 'vendor' : 'relay';
  }
  if (litellmTypes.has(type) || type.endsWith('_model_access_denied')) return 'relay';
  return isWrapped || raw !== '' || relayId !== undefined ? 'vendor' : 'unknown';
}

/** The first match counts. `wrapped` is the author's message. */
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
  const speaker = speakerOf(refusal, error, wrapped);

  if ((status === 200 || status === 404) && isHtml(refusal)) return 'wrong-address';
  if (status === 404 && text.startsWith('Invalid URL')) return 'wrong-address';
  if (status === 405 || status === 501) return 'wrong-address';
  // http:// to a TLS port, in the words of nginx and Go servers.
  if (status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(refusal.body)) return 'wrong-address';

  // LiteLLM answers these to a valid key with 400, 401, 403, 422 or 429; only the type tells.
  if (type.endsWith('_model_access_denied')) return 'model';
  if (type === 'budget_exceeded') return 'balance';
  if (litellmKeyTypes.has(type)) return 'key';
  // Before the status: filters answer 400, 403 or 500.
  if (isFiltered([code, type], error, wrapped)) return 'content-filter';

  if (speaker !== 'vendor' && (status === 401 || status === 403) && speaksOfNetwork(code, text)) {
    return 'network-not-allowed';
  }
  if (isUsedUp(status, text)) return speaker === 'vendor' ? 'vendor-balance' : 'balance';
  if (status === 401 || (status === 400 && refusedKey.test(text))) {
    return speaker === 'vendor' ? 'vendor-key' : 'key';
  }
  if (isOutOfMoney(status, [code, type, wrapped.type], text, waitMs)) {
    return speaker === 'vendor' ? 'vendor-balance' : 'balance';
  }

  if (status >= 400 && status < 500 && speaksOfImages(text)) return 'images';

  if (code === 'model_not_found') return 'model';
  if (status === 503 && speaker === 'relay' && /无可用渠道|No available channel/i.test(text)) return 'model';
  if (status === 400 && /Invalid model name|is not a valid model/i.test(text)) return 'model';
  if (status === 403 && /no access to model |无权(使用|访问)模型/i.test(text)) return 'model';
  // A 404 with an error of the server's own: the address is right, the model unknown.
  if (status === 404 && (speaker === 'vendor' || /\bmodel\b|endpoints? found/i.test(text))) return 'model';

  // The relay itself never refuses a region.
  const isRegion =
    (status === 400 || status === 403) && ([code, type].includes(regionCode) || refusedRegion.test(text));
  if (isRegion && speaker !== 'relay') return 'vendor-not-permitted';
  if (status === 403) return speaker === 'vendor' ? 'vendor-not-permitted' : 'not-permitted';

  if (code === 'context_length_exceeded' || wrapped.exception === 'ContextWindowExceededError') {
    return 'context-too-long';
  }
  if ((status === 400 || status === 413) && speaksOfContext(text)) return 'context-too-long';

  if (status === 413 || (status === 400 && /request body too large/i.test(text))) return 'too-large';
  if (status === 429) return exceedsMinute(text) ? 'too-large' : 'rate-limit';
  if (status === 400 || status === 422 || (status === 500 && requestCodes.has(code))) return 'request';
  if (status === 404 || (status >= 300 && status < 400)) return 'wrong-address';
  if (status === 408 || status >= 500) return 'transient';
  if (status >= 400) return 'request';
  return error === noError ? 'wrong-address' : 'transient';
}

function causeOf(
  code: ErrorCode,
  { text, code: vendorCode }: WrappedMessage,
  { type, code: relayCode }: WireError = noError,
): Cause | undefined {
  switch (code) {
    case 'key':
      if (type === 'expired_key' || /令牌已过期/.test(text)) return 'expired';
      return /令牌状态不可用/.test(text) ? 'disabled' : undefined;
    case 'balance':
      return /令牌额度已用尽/.test(text) ? 'usedUp' : undefined;
    case 'vendor-not-permitted':
      return [vendorCode, relayCode, type].includes(regionCode) || refusedRegion.test(text)
        ? 'region'
        : undefined;
    case 'too-large':
      return exceedsMinute(text) ? 'minute' : undefined;
    case 'content-filter':
      return relayCode === wordFilter || text.startsWith(wordFilter) ? 'wordFilter' : undefined;
    default:
      return undefined;
  }
}

function isUsedUp(status: number, text: string): boolean {
  return status === 401 && /令牌额度已用尽/.test(text);
}

const refusedKey = /\bAPI key (?:not valid|not found|expired)|\bAPI_KEY_INVALID\b/i;

const regionCode = 'unsupported_country_region_territory';
const refusedRegion =
  /\b(?:country|region|territory|user location)\b.{0,40}\bnot (?:supported|available|allowed)|\bnot (?:supported|available) in your (?:country|region|location)/i;

/** OpenAI and Groq: the request alone exceeds the limit per minute, so waiting doesn't help. */
function exceedsMinute(text: string): boolean {
  if (!/\btokens per min|\bTPM\b/i.test(text)) return false;
  const [, limit, requested] =
    /\bLimit:? (\d{1,15}),(?: Used:? \d{1,15},)? Requested:? (\d{1,15})/i.exec(text) ?? [];
  return limit === undefined ? /request too large/i.test(text) : Number(requested) > Number(limit);
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
  // Old relays and OpenRouter's key budgets have no code.
  if (status === 403) return /quota|额度|余额|key limit exceeded|insufficient (credits|balance)/i.test(text);
  // Google uses the same words for a limit per minute, with the time to wait.
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

/** new-api reports these client errors as 500. */
const requestCodes = new Set(['invalid_request', 'convert_request_failed']);

/** By the messages protocol, new-api puts the code in place of the message. */
const wordFilter = 'sensitive_words_detected';

/** Filters of new-api and of vendors (OpenAI, Azure, Alibaba Cloud; Google's in new-api's words). */
const filterCodes = new Set([
  wordFilter,
  'prompt_blocked',
  'content_filter',
  'content_policy_violation',
  'data_inspection_failed',
]);

/** @param codes include the type: by the messages protocol, new-api puts a vendor's code there */
function isFiltered(codes: readonly string[], error: WireError, wrapped: WrappedMessage): boolean {
  const { text } = wrapped;
  const isNamed = guardrailOf(error, wrapped) !== '' || codes.some((code) => filterCodes.has(code));
  if (isNamed || text.startsWith(wordFilter)) return true;
  return /^request blocked by Gemini API|\bviolated (?:\w+ )?guardrail|^content blocked\b|\binput was flagged\b/i.test(
    text,
  );
}

function guardrailOf({ guardrail }: WireError = noError, wrapped: WrappedMessage): string {
  return guardrail || wrapped.guardrail;
}

/** Inside a success, the error's code (OpenRouter: 429, LiteLLM: "500") or type replaces the status. */
function effectiveStatus({ status }: Refusal, { code, type }: WireError): number {
  if (status < 200 || status >= 300) return status;
  if (/^[45]\d\d$/.test(code)) return Number(code);
  const words = `${code} ${type}`;
  if (/invalid_api_key|authentication/.test(words)) return 401;
  if (/rate_limit/.test(words)) return 429;
  if (/overloaded/.test(words)) return 529;
  if (/invalid_(request|prompt)|image/.test(words)) return 400;
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
  // A limit on the answer is different: "maximum allowed number of output tokens".
  return /maximum.{0,30}tokens/i.test(text) && !/(output|completion|max_)\s?tokens/i.test(text);
}

/** new-api's placeholders for a vendor's error that was not JSON. */
const emptyWords = new Set(['openai_error', 'upstream_error', 'bad_response_status_code', '<nil>', 'None']);

function whyOf(refusal: Refusal, error: WireError | undefined, wrapped: WrappedMessage): string {
  const { guardrail, reason = '' } = error ?? {};
  const isMore = guardrail && reason && !wrapped.text.includes(reason);
  const text = isMore ? [wrapped.text, reason].filter(Boolean).join(': ') : wrapped.text;
  const words = [text, error?.code, error?.type].find((each) => each && !emptyWords.has(each));
  if (error && words && !/^\d{3}$/.test(words)) return sanitizeServerMessage(words, secretsOf(refusal));
  return sanitizeServerMessage(titleOf(refusal.body), secretsOf(refusal));
}
