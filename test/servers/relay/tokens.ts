import type { ChatRequest } from './chatRequest.ts';

export interface UsageReport {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number };
  completion_tokens_details: { reasoning_tokens: number };
}

/** A text in pieces of about a token: a word with the space before it, long words in parts. */
export function toPieces(text: string): string[] {
  return text.match(/\s*\S{1,12}|\s+$/gu) ?? [];
}

/** A plausible count: a scripted model's token is one such piece. */
export function countTokens(text: string): number {
  return toPieces(text).length;
}

export function countCall(call: { name: string; arguments: string }): number {
  return countTokens(`${call.name} ${call.arguments}`);
}

/** The prompt as the relay would charge it: the messages with a few tokens of framing each, and the tools. */
export function countPrompt(request: ChatRequest): number {
  const messages = request.messages.map((message) => 4 + countTokens(JSON.stringify(message.content ?? '')));
  const calls = request.messages.flatMap((message) => message.tool_calls ?? []);
  const made = calls.reduce((sum, call) => sum + countCall(call.function), 0);
  const tools = request.tools ? countTokens(JSON.stringify(request.tools)) : 0;
  return messages.reduce((sum, count) => sum + count, 3 + tools + made);
}

export function toUsage(
  request: ChatRequest,
  cached: number,
  completion: number,
  reasoning: number,
): UsageReport {
  const prompt = countPrompt(request);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
