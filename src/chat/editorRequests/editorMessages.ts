import type { Message, Picture, ToolCall } from '../../relay/messages.ts';

/** A message as the editor hands it over. Any role but the two is what the caller says of itself. */
export interface EditorMessage {
  role: 'user' | 'assistant' | 'system';
  parts: readonly EditorPart[];
}

export type EditorPart =
  | { type: 'text'; text: string }
  | { type: 'image'; image: Picture }
  | { type: 'call'; call: ToolCall }
  | { type: 'result'; callId: string; text: string; images: readonly Picture[] };

/** What the model is told of a call that the caller has no result of: a missing one is refused. */
const noResult = 'The call has no result.';

/** What a model said beside a call, which the editor does not keep. */
export type Recall = (
  call: ToolCall,
) => Partial<Pick<Message & { role: 'assistant' }, 'reasoning' | 'signedReasoning'>>;

/**
 * The messages of another caller as the relay's client takes them: the results of calls, which come in a message of the
 * user, as messages of their own right after those calls, each once; pictures of results with the words after them.
 */
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
      const toolCalls = parts.flatMap((part) => (part.type === 'call' ? part.call : []));
      const [first] = toolCalls;
      if (first) sent.push({ role, model, content: text, ...recall(first), toolCalls });
      else if (text) sent.push({ role, model, content: text });
      open = toolCalls;
      continue;
    }
    const images: Picture[] = [];
    for (const part of parts) {
      if (part.type === 'image') images.push(part.image);
      if (part.type !== 'result') continue;
      images.push(...part.images);
      // A result of a call that is not there would be refused.
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
