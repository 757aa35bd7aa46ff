import { memoize } from '../../base/memoize.ts';
import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { estimateTokens } from './tokenEstimate.ts';

/** What a vendor adds around each message and each call, and to begin with. */
const framing = 4;
/** A picture costs by its size, which vendors count each in their way; a large one about this much. */
export const pictureTokens = 1200;

/**
 * The estimated size of a message, with the reasoning that goes back beside calls. Each message object is counted once:
 * with every round the whole conversation is counted, and nearly all of it was counted before.
 */
export const sizeOfMessage = memoize((message: Message): number => {
  const size = framing + estimateTokens(message.content);
  if (message.role === 'tool') return size + estimateTokens(message.toolCallId);
  if (message.role === 'user') return size + pictureTokens * (message.images?.length ?? 0);
  if (message.role !== 'assistant') return size;
  return (message.toolCalls ?? []).reduce(
    (sum, { id, name, arguments: args }) => sum + framing + estimateTokens(id + name) + estimateTokens(args),
    size + (message.reasoning ? estimateTokens(message.reasoning) : 0),
  );
});

/** The size of a tool's definition, counted once. */
export const sizeOfTool = memoize((tool: ToolDefinition): number => estimateTokens(JSON.stringify(tool)));
