import { appIdOf } from '../../apps/appModelId.ts';
import type { ChatItem } from '../items.ts';

/** How full a model's context is. */
export interface ContextUse {
  tokens: number;
  /** The server counted them; else they are estimated. */
  isCounted: boolean;
  /** Of the model; absent while nobody said. */
  window?: number;
}

/**
 * What the server counted for the newest answer, and that answer. Undefined where it did not say, or the conversation
 * was compacted since.
 */
export function countedTokens(items: readonly ChatItem[]): number | undefined {
  const answer = items.findLast((item) => item.type === 'answer');
  const newest = answer?.type === 'answer' ? answer.requests?.at(-1) : undefined;
  const isOfModel = answer?.type === 'answer' && appIdOf(answer.model) === undefined;
  if (!newest || newest.isSummary || !isOfModel) return undefined;
  const { promptTokens, completionTokens = 0, reasoningTokens = 0, cachedTokens = 0 } = newest.usage;
  if (promptTokens === undefined) return undefined;
  // Some count what was cached beside the prompt instead of in it. What was thought is hardly ever sent again.
  const prompt = promptTokens + (cachedTokens > promptTokens ? cachedTokens : 0);
  return prompt + Math.max(0, completionTokens - reasoningTokens);
}
