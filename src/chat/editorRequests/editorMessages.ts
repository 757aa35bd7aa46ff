import type { Message, Picture, ToolCall } from '../../relay/messages.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';

/** A message from the editor. Any other role is the caller's own. */
export interface EditorMessage {
  role: 'user' | 'assistant' | 'system';
  parts: readonly EditorPart[];
}

export type EditorPart =
  | { type: 'text'; text: string }
  | { type: 'image'; image: Picture }
  | { type: 'call'; call: ToolCall }
  | { type: 'result'; callId: string; text: string; images: readonly Picture[] };

/** Servers reject calls without a result. */
const noResult = 'The call has no result.';

/** Returns answer parts that the editor doesn't keep: reasoning at the first call, and extra fields of each call. */
export type Recall = (
  call: ToolCall,
) => Partial<
  Pick<Message & { role: 'assistant' }, 'reasoning' | 'signedReasoning'> & Pick<ToolCall, 'extra'>
>;

/** Moves tool results out of user messages, right after their calls; their pictures join the text after them. */
export function toRelayMessages(
  messages: readonly EditorMessage[],
  model: string,
  recall: Recall,
): Message[] {
  const sent: Message[] = [];
  let open: ToolCall[] = [];
  const close = () => {
    for (const { id } of open) sent.push({ role: 'tool', toolCallId: id, content: noResult });
    open = [];
  };
  for (const { role, parts } of messages) {
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (role === 'assistant') {
      close();
      const calls = parts.flatMap((part) =>
        part.type === 'call' ? { call: part.call, ...recall(part.call) } : [],
      );
      const toolCalls = calls.map(({ call, extra }) => ({ ...call, ...(extra && { extra }) }));
      const { reasoning, signedReasoning } = calls[0] ?? {};
      const thought = { ...(reasoning && { reasoning }), ...(signedReasoning && { signedReasoning }) };
      if (calls.length > 0) sent.push({ role, model, content: text, ...thought, toolCalls });
      else if (text) sent.push({ role, model, content: text });
      open = toolCalls;
      continue;
    }
    const images: Picture[] = [];
    for (const part of parts) {
      if (part.type === 'image') images.push(part.image);
      if (part.type !== 'result') continue;
      images.push(...part.images);
      // Servers reject results without a call.
      if (!open.some(({ id }) => id === part.callId)) continue;
      open = open.filter(({ id }) => id !== part.callId);
      sent.push({ role: 'tool', toolCallId: part.callId, content: part.text });
    }
    if (!text && images.length === 0) continue;
    close();
    if (role === 'system') sent.push({ role, content: text });
    else sent.push({ role, content: text, ...(images.length > 0 && { images }) });
  }
  close();
  return sent;
}

type EditorErrorKind = 'NoPermissions' | 'NotFound' | 'Blocked' | 'Other';

export function errorKind(code: ErrorCode): EditorErrorKind {
  switch (code) {
    case 'key':
    case 'vendor-key':
    case 'vendor-not-permitted':
    case 'not-permitted':
    case 'network-not-allowed':
      return 'NoPermissions';
    case 'model':
    case 'wrong-address':
      return 'NotFound';
    case 'balance':
    case 'vendor-balance':
    case 'budget':
    case 'rate-limit':
      return 'Blocked';
    default:
      return 'Other';
  }
}
