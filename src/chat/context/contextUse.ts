import { appIdOf } from '../../apps/appModelId.ts';
import type { ChatItem } from '../conversation/items.ts';

export interface ContextUse {
  tokens: number;
  isCounted: boolean;
  window?: number;
}

/** Server's count at the newest answer; undefined if it reported none, or the conversation was compacted since. */
export function countedTokens(items: readonly ChatItem[]): number | undefined {
  const answer = items.findLast((item) => item.type === 'answer');
  const newest = answer?.type === 'answer' ? answer.requests?.at(-1) : undefined;
  const isOfModel = answer?.type === 'answer' && appIdOf(answer.model) === undefined;
  if (!newest || newest.isSummary || !isOfModel) return undefined;
  const { promptTokens, completionTokens = 0, reasoningTokens = 0, cachedTokens = 0 } = newest.usage;
  if (promptTokens === undefined) return undefined;
  // Some servers report cached tokens beside the prompt's. Reasoning is hardly ever sent again.
  const prompt = promptTokens + (cachedTokens > promptTokens ? cachedTokens : 0);
  return prompt + Math.max(0, completionTokens - reasoningTokens);
}
