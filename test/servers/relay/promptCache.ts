import { type ChatRequest, type ChatMessage, textOf } from './chatRequest.ts';
import { countPrompt } from './tokens.ts';

/** Caches prompts like Claude's vendor: their beginnings up to each mark, and nothing without one. */
export class PromptCache {
  private readonly kept = new Set<string>();

  /** Stores the marked prefixes. @returns the tokens of the longest prefix stored before */
  take(request: ChatRequest): number {
    const { messages } = request;
    const beginnings = messages.map((_, at) => ({ ...request, messages: messages.slice(0, at + 1) }));
    const known = beginnings.findLast((beginning) => this.kept.has(keyOf(beginning)));
    for (const [at, beginning] of beginnings.entries())
      if (isMarked(messages[at])) this.kept.add(keyOf(beginning));
    return known ? countPrompt(known) : 0;
  }
}

export function isMarked(message: ChatMessage | undefined): boolean {
  const content = message?.content;
  return Array.isArray(content) && content.some((part) => part['cache_control'] !== undefined);
}

/** A text and a text part, which a mark needs, have the same key. */
function keyOf({ model, tools, messages }: ChatRequest): string {
  return JSON.stringify([
    model,
    tools,
    messages.map((message) => [message.role, textOf(message), message.tool_calls]),
  ]);
}
