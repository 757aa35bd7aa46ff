import type { Message, ToolCall } from '../messages.ts';

type Result = Message & { role: 'tool' };

const noResult = 'The call was stopped before it had a result.';
/** Several vendors refuse blank results. */
const emptyResult = '(no output)';

/** Puts exactly one result per call, in order, right after the calling message. Results without a call are dropped. */
export function pairCalls(messages: readonly Message[]): readonly Message[] {
  const paired: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === 'tool') continue;
    paired.push(message);
    if (message.role !== 'assistant' || !message.toolCalls?.length) continue;
    const results: Result[] = [];
    for (let next = at + 1; next < messages.length; next++) {
      const result = messages[next]!;
      if (result.role !== 'tool') break;
      results.push(result);
    }
    for (const call of message.toolCalls) {
      const result = results.find(({ toolCallId }) => toolCallId === call.id);
      paired.push(resultOf(call, result));
    }
  }
  return paired;
}

function resultOf({ id }: ToolCall, result: Result | undefined): Result {
  if (!result) return { role: 'tool', toolCallId: id, content: noResult };
  return result.content.trim() === '' ? { ...result, content: emptyResult } : result;
}
