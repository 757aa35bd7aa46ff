import type { ModelLimits } from './contextWindows.ts';

/** How a request divides a model's window. */
export interface TokenPlan {
  /** What the prompt may take; Infinity when the window is not known. */
  prompt: number;
  /** What is asked for the answer; absent leaves it to the server. */
  answer?: number;
}

/** Without a wish for the answer's length, this share of the window is reserved for it, and at most so much. */
const answerShare = 0.25;
const longestReserve = 32_000;
/** Estimates are not exact. */
const margin = 0.97;

/**
 * Divides a model's window between prompt and answer. A wish of more than half of the window is lowered to it: servers
 * count the wish in advance and refuse what is beyond the window.
 * @param wished `chat.maxTokens`
 */
export function planTokens({ contextWindow, maxTokens }: ModelLimits, wished?: number): TokenPlan {
  if (contextWindow === undefined)
    return { prompt: Infinity, ...(wished !== undefined && { answer: wished }) };
  if (wished !== undefined) {
    const answer = Math.min(wished, Math.floor(contextWindow / 2));
    return { prompt: Math.floor((contextWindow - answer) * margin), answer };
  }
  const reserve = Math.min(maxTokens ?? Infinity, contextWindow * answerShare, longestReserve);
  return { prompt: Math.floor((contextWindow - reserve) * margin) };
}
