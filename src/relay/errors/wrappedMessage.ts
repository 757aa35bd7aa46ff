import { asObject, asText, parseJson } from '../../base/json.ts';

export interface WrappedMessage {
  text: string;
  /** LiteLLM's exception, such as `ContextWindowExceededError`; empty elsewhere. */
  exception: string;
  isWrapped: boolean;
  /** The vendor's `type` (Google's `status`) and `code`, if it sent JSON. */
  type: string;
  code: string;
  guardrail: string;
}

/** Beginnings of the LiteLLM proxy's additions; versions differ. */
const additions = [
  '\n\n This error occurs when load balancing',
  '\n\nLiteLLM:',
  '\nLiteLLM:',
  '\nmodel=',
  "\n\nSet 'context_window_fallback'",
  '\nReceived Model Group=',
  '. Received Model Group=',
  ' Received Model Group=',
  ' LiteLLM Retried:',
];

const exceptionName = /^(?:litellm\.)?(?:\w{1,60}Exception )?(\w{1,60}?(?:Error|Exception))(?:: | - )/;

/** Unwraps new-api, One API, OpenRouter, LiteLLM: `litellm.X: Y - {"error":{"message":"Slow"}}` becomes `Slow`. */
export function unwrapMessage(message: string): WrappedMessage {
  let text = withoutRequestIds(message);
  let exception = '';
  // Errors of some deployments, such as Gemini's, lack the prefix.
  const isWrapped = text.startsWith('litellm.') || /^b['"]\{|\n\n?LiteLLM: /.test(text);
  if (isWrapped) {
    const ends = additions.map((addition) => text.indexOf(addition)).filter((index) => index >= 0);
    if (ends.length > 0) text = text.slice(0, Math.min(...ends));
    for (let match = exceptionName.exec(text); match; match = exceptionName.exec(text)) {
      exception ||= match[1] ?? '';
      text = text.slice(match[0].length);
    }
    text = text.replace(/^Error code: \d{3} - /, '');
  }
  // Older versions put a guardrail's refusal after its status, by the messages protocol.
  const inner = innerError(text.trim().replace(/^\d{3}: (?=\{)/, ''));
  return { ...plain, exception, isWrapped, ...(inner ?? { text: text.trim() }) };
}

const plain = { type: '', code: '', guardrail: '' };

/** Relays of the One API family append request ids to messages. */
export function requestIdsIn(message: string): string[] {
  return [...message.matchAll(requestId)].map(([, id = '']) => id);
}

const requestId = /\(request id: ([^()]{1,200})\)/g;

export function withoutRequestIds(message: string): string {
  return message.replace(requestId, '').trim();
}

type InnerError = Partial<WrappedMessage> & { text: string };

function innerError(text: string): InnerError | undefined {
  const json = withoutQuotes(text);
  if (json.startsWith('<')) return { text: titleOf(json) };
  if (!/^[{[]/.test(json)) return undefined;
  const parsed = parseJson(json);
  // Google streams a list of errors.
  const body = asObject(Array.isArray(parsed) ? parsed[0] : parsed);
  if (!body) return json.startsWith('{') ? pythonError(json) : undefined;
  const error = asObject(body['error']) ?? body;
  const words = asText(error['message']);
  if (words === undefined) return undefined;
  const type = asText(error['type']) ?? asText(error['status']) ?? '';
  return { text: words, type, code: asText(error['code']) ?? '' };
}

/** Decodes a Python literal such as `b'{"error":\n…}'` (UTF-8). Other text stays unchanged. */
function withoutQuotes(text: string): string {
  const [, isBytes, quote = '', literal] = /^(b?)(['"])([{[].*)$/s.exec(text) ?? [];
  if (literal === undefined) return text;
  const quoted = literal.endsWith(quote) ? literal.slice(0, -1) : literal;
  const plainText = quoted.replace(/\\(?:x([0-9a-f]{2})|(.))/gs, (_, hex?: string, character = '') =>
    hex === undefined
      ? (pythonEscapes.get(character as string) ?? (character as string))
      : String.fromCharCode(parseInt(hex, 16)),
  );
  return isBytes ? Buffer.from(plainText, 'latin1').toString('utf8') : plainText;
}

const pythonEscapes = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** `{'error': {'message': "It's full"}}`, a guardrail's `{'error': 'Blocked', 'guardrail': 'x'}`, or truncated JSON. */
function pythonError(text: string): InnerError | undefined {
  const keys = ["'message': ", "'error': ", '"message": ', '"message":'];
  const [words] = keys.flatMap((key) => pythonText(text, key) ?? []);
  const guardrail = pythonText(text, "'guardrail_name': ") ?? pythonText(text, "'guardrail': ") ?? '';
  return words === undefined ? undefined : { text: words, guardrail };
}

function pythonText(text: string, key: string): string | undefined {
  const start = text.indexOf(key) + key.length;
  const quote = start < key.length ? '' : text.charAt(start);
  if (quote !== '"' && quote !== "'") return undefined;
  let words = '';
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === quote) return words || undefined;
    if (character === '\\') index++;
    words += character === '\\' ? text.charAt(index) : character;
  }
  return undefined;
}

export function titleOf(page: string): string {
  return /<title[^>]{0,200}>([^<]{0,400})/i.exec(page)?.[1]?.trim() ?? '';
}
