import { tools } from '../../servers/testClient.ts';
import type { VendorKind } from '../vendorBodies.ts';

export type Message = Record<string, unknown>;

export const user = (content: unknown = 'Hello'): Message => ({ role: 'user', content });
export const said = (content = 'Yes.', more: Message = {}): Message => ({
  role: 'assistant',
  content,
  ...more,
});
export const result = (id = 'abcdefgh1', content: unknown = 'text'): Message => ({
  ...{ role: 'tool', tool_call_id: id, content },
});
export const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
export const readPath = JSON.stringify({ path: 'a.md' });
export const oddId = 'functions.read_file:0';
export const longId = `chatcmpl-tool-${'0'.repeat(32)}`;

export function called(
  call: { id?: string; name?: string; json?: string; more?: Message } = {},
  more: Message = {},
) {
  const { id = 'abcdefgh1', name = 'read_file', json = readPath } = call;
  const made = { name, arguments: json };
  return {
    role: 'assistant',
    tool_calls: [{ id, type: 'function', function: made, ...call.more }],
    ...more,
  };
}

export const exchange = (call: Parameters<typeof called>[0] = {}, more: Message = {}) => [
  ...[user(), called(call, more), result(call.id)],
];
export const reasoned = { reasoning_content: 'Hm.' };
export const signedAs = (signature: string) => ({
  more: { extra_content: { google: { thought_signature: signature } } },
});
export const chat = (messages: Message[], more: Message = {}) => ({ model: 'm', messages, ...more });
export const offered = (messages: Message[], more: Message = {}) => chat(messages, { tools, ...more });

/** One rule: a refused body, the refusal's message, and a similar body that passes. */
export interface Row {
  kinds: readonly VendorKind[];
  what: string;
  refused: Message;
  words: RegExp;
  passes: Message;
}

export function row(
  kinds: readonly VendorKind[],
  what: string,
  refused: Message,
  words: RegExp,
  passes: Message,
): Row {
  return { kinds, what, refused, words, passes };
}
