import { asObject, asText, parseJson } from '../base/json.ts';

/** A vendor's own words, found in what a relay made of them. */
export interface WrappedMessage {
  text: string;
  /** LiteLLM's name for the failure, such as `ContextWindowExceededError`; empty elsewhere. */
  exception: string;
  /** The vendor's own `type` and `code`, where it sent JSON. */
  type: string;
  code: string;
}

/** Where the LiteLLM proxy's additions to a message begin; its versions differ. */
const additions = [
  '\n\nLiteLLM:',
  '\nLiteLLM:',
  '\nmodel=',
  "\n\nSet 'context_window_fallback'",
  '\nReceived Model Group=',
  '. Received Model Group=',
  ' Received Model Group=',
  ' LiteLLM Retried:',
];

const exceptionName = /^(?:litellm\.)?(\w{1,60}?(?:Error|Exception))(?:: | - )/;

/**
 * Takes off what new-api, One API, OpenRouter and the LiteLLM proxy put around a vendor's message:
 * `litellm.RateLimitError: RateLimitError: OpenAIException - {"error":{"message":"Slow down"}}\n\nLiteLLM: …`
 * becomes `Slow down`. Any other message stays as it is.
 */
export function unwrapMessage(message: string): WrappedMessage {
  let text = withoutRequestIds(message);
  let exception = '';
  if (text.startsWith('litellm.')) {
    const ends = additions.map((addition) => text.indexOf(addition)).filter((index) => index >= 0);
    if (ends.length > 0) text = text.slice(0, Math.min(...ends));
    for (let match = exceptionName.exec(text); match; match = exceptionName.exec(text)) {
      exception ||= match[1] ?? '';
      text = text.slice(match[0].length);
    }
    text = text.replace(/^Error code: \d{3} - /, '');
  }
  const inner = innerError(text.trim());
  return { exception, type: '', code: '', ...(inner ?? { text: text.trim() }) };
}

/** The ids of requests that a message names: a relay of the One API family adds its own to what it says. */
export function requestIdsIn(message: string): string[] {
  return [...message.matchAll(requestId)].map(([, id = '']) => id);
}

const requestId = /\(request id: ([^()]{1,200})\)/g;

/** A message as it was before a relay added the request's id, which has a place of its own. */
export function withoutRequestIds(message: string): string {
  return message.replace(requestId, '').trim();
}

/** A vendor's error that came as text: JSON, the text of a Python object, or a web page. */
function innerError(text: string): (Partial<WrappedMessage> & { text: string }) | undefined {
  const json = /^b?(['"])(\{.*\})\1$/s.exec(text)?.[2] ?? text;
  if (json.startsWith('<')) return { text: titleOf(json) };
  if (!json.startsWith('{')) return undefined;
  const body = asObject(parseJson(json));
  if (!body) return pythonError(json);
  const error = asObject(body['error']) ?? body;
  const words = asText(error['message']);
  if (words === undefined) return undefined;
  return { text: words, type: asText(error['type']) ?? '', code: asText(error['code']) ?? '' };
}

/** `{'error': {'message': "It's full", 'type': 'x'}}` */
function pythonError(text: string): { text: string } | undefined {
  const key = "'message': ";
  const start = text.indexOf(key) + key.length;
  const quote = start < key.length ? '' : text.charAt(start);
  if (quote !== '"' && quote !== "'") return undefined;
  let words = '';
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === quote) return words ? { text: words } : undefined;
    if (character === '\\') index++;
    words += character === '\\' ? text.charAt(index) : character;
  }
  return undefined;
}

/** Of a page only its title is worth reading. */
export function titleOf(page: string): string {
  return /<title[^>]{0,200}>([^<]{0,400})/i.exec(page)?.[1]?.trim() ?? '';
}
