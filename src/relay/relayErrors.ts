import { SwitchboardError, type ErrorCode } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { theirWords } from '../base/theirWords.ts';
import { readRetryAfter } from '../net/retry.ts';
import { sentenceFor } from './relaySentences.ts';
import { noError, readError, type WireError } from './wire.ts';

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
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  nowMs: number;
}

/** The refusal as an error for a person: what it is, in our words and, as `why`, in the server's. */
export function toRelayError(refusal: Refusal): SwitchboardError {
  const error = readError(parseJson(refusal.body));
  const code = classify(refusal, error);
  const retryAfterMs = readRetryAfter(refusal.headers, refusal.nowMs);
  const requestId = refusal.headers['x-oneapi-request-id'] ?? refusal.headers['x-request-id'];
  return new SwitchboardError(
    code,
    sentenceFor(code, { address: refusal.address, retryAfterMs, stage: refusal.stage }),
    {
      why: whyOf(refusal, error),
      address: refusal.address,
      status: refusal.status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(requestId && { requestId }),
      ...(error?.param && { parameter: error.param }),
    },
  );
}

/** The verdict on a refusal: the tests of relay-api.md 3.5, in its order. */
export function classify(refusal: Refusal, error: WireError = noError): ErrorCode {
  const { type, code, message } = error;
  const status = effectiveStatus(refusal, error);
  const isRelay = type === 'new_api_error' || type === 'one_api_error';
  const throughRelay = 'x-oneapi-request-id' in refusal.headers;

  if ((status === 200 || status === 404) && isHtml(refusal)) return 'wrong-address';
  if (status === 404 && message.startsWith('Invalid URL')) return 'wrong-address';
  if (status === 405 || status === 501) return 'wrong-address';
  // http:// to a TLS port, as nginx and Go servers put it.
  if (status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(refusal.body)) return 'wrong-address';

  // LiteLLM answers 401 to a good key in these two cases and says so by the type.
  if (type === 'key_model_access_denied') return 'not-permitted';
  if (type === 'budget_exceeded') return 'balance';

  if (status === 401) return isRelay || !throughRelay ? 'key' : 'vendor-key';

  if (balanceCodes.has(code) || balanceCodes.has(type) || status === 402) return 'balance';
  // Old relays have no code here; OpenRouter's key budgets have none either.
  if (status === 403 && /quota|额度|key limit exceeded|insufficient (credits|balance)/i.test(message))
    return 'balance';

  if (code === 'model_not_found') return 'model';
  if (status === 503 && isRelay && /无可用渠道|No available channel/i.test(message)) return 'model';
  if (status === 400 && /Invalid model name|is not a valid model/i.test(message)) return 'model';
  // Servers that answer 404 with an error of their own know the address, but not the model.
  if (status === 404 && /\bmodel\b|endpoints? found/i.test(message)) return 'model';

  if (status === 403) return 'not-permitted';

  if (code === 'context_length_exceeded') return 'context-too-long';
  if ((status === 400 || status === 413) && speaksOfContext(message)) return 'context-too-long';

  if (status === 413 || (status === 400 && /request body too large/i.test(message))) return 'too-large';
  if (status === 429) return 'rate-limit';
  if (status === 400 || status === 422 || (status === 500 && requestCodes.has(code))) return 'request';
  if (status === 404 || (status >= 300 && status < 400)) return 'wrong-address';
  if (status === 408 || status >= 500) return 'transient';
  if (status >= 400) return 'request';
  // A status of success with an error in it, and nothing that says which.
  return error === noError ? 'wrong-address' : 'transient';
}

const balanceCodes = new Set([
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
  'insufficient_quota',
]);

/** Failures that new-api reports as 500 although the request is at fault. */
const requestCodes = new Set(['invalid_request', 'sensitive_words_detected', 'convert_request_failed']);

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

function speaksOfContext(message: string): boolean {
  if (
    /context.{0,20}(length|window|size|limit)|prompt is too long|input (is too long|length)|too many tokens|上下文|超长/i.test(
      message,
    )
  ) {
    return true;
  }
  // A limit on the answer is another matter: "maximum allowed number of output tokens".
  return /maximum.{0,30}tokens/i.test(message) && !/(output|completion|max_)\s?tokens/i.test(message);
}

/** The server's own words; of a page only its title, of anything else nothing, as it may be an answer. */
function whyOf({ body, key, status }: Refusal, error: WireError | undefined): string | undefined {
  const words = error?.message || error?.code || error?.type;
  if (words) return theirWords(words, [key]);
  const title = /<title[^>]*>([^<]*)/i.exec(body)?.[1];
  if (title) return theirWords(title, [key]) || undefined;
  return status >= 300 ? `HTTP ${status}` : undefined;
}
