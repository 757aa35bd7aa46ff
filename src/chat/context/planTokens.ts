import type { ModelLimits } from './contextWindows.ts';

export interface TokenPlan {
  /** In tokens; Infinity if the window is unknown. */
  prompt: number;
  answer?: number;
}

const answerShare = 0.25;
const longestReserve = 32_000;
/** Allows for inexact estimates. */
const margin = 0.97;

/** Lowers a wish of more than half of the window: servers refuse requests whose output limit exceeds the window. */
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
