import { memoize } from '../../base/async/lazy.ts';
import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { estimateTokens } from './tokenEstimate.ts';

const framingTokens = 4;
/** Rough cost of a large picture; vendors count by size, each in its own way. */
export const pictureTokens = 1200;

/** Cached per object, because every round counts the whole conversation. */
export const sizeOfMessage = memoize((message: Message): number => {
  const size = framingTokens + estimateTokens(message.content);
  if (message.role === 'tool') return size + estimateTokens(message.toolCallId);
  if (message.role === 'user') return size + pictureTokens * (message.images?.length ?? 0);
  if (message.role !== 'assistant') return size;
  return (message.toolCalls ?? []).reduce(
    (sum, { id, name, arguments: args }) =>
      sum + framingTokens + estimateTokens(id + name) + estimateTokens(args),
    size + (message.toolCalls && message.reasoning ? estimateTokens(message.reasoning) : 0),
  );
});

export const sizeOfTool = memoize((tool: ToolDefinition): number => estimateTokens(JSON.stringify(tool)));
