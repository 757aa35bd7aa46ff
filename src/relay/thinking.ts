import type { Dialect } from './dialect.ts';
import type { ModelRequest } from './messages.ts';
import type { ReasoningEffort } from './parameters.ts';

/** What the efforts come to in tokens of reasoning, for models that take a budget, and beside the answer in its limit. */
const budgets: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_768,
};

/** A smaller one is refused. */
const leastBudget = 1024;
/** How much of the limit of tokens, which counts reasoning too, may go into it. */
const mostOfLimit = 0.8;

/** The tokens that reasoning takes from a limit which nobody chose. */
export function reasoningRoom({ reasoningEffort = 'none' }: ModelRequest): number {
  return budgets[reasoningEffort];
}

/** Fields of a request. */
export interface ThinkingFields {
  thinking?: { type: 'adaptive' | 'disabled' } | { type: 'enabled'; budget_tokens: number };
  output_config?: { effort: ReasoningEffort };
}

/**
 * The fields of a request by the messages protocol that say how much the model may reason; none where that was not
 * chosen, or cannot be now.
 * @param limit of tokens, which goes with the request
 * @param continuesWithoutReasoning an open exchange with tools began without reasoning
 */
export function toThinking(
  { reasoningEffort, toolChoice }: ModelRequest,
  { effort: form }: Dialect,
  limit: number,
  continuesWithoutReasoning: boolean,
): ThinkingFields {
  if (reasoningEffort === undefined) return {};
  if (reasoningEffort === 'none') return { thinking: { type: 'disabled' } };
  // A model that has to call a tool may not think before.
  const mayThink = toolChoice !== 'required';
  if (form === 'adaptive') {
    return {
      ...(mayThink && { thinking: { type: 'adaptive' } }),
      // The protocol's own scale begins there.
      output_config: { effort: reasoningEffort === 'minimal' ? 'low' : reasoningEffort },
    };
  }
  const budget = Math.min(budgets[reasoningEffort], Math.floor(limit * mostOfLimit));
  if (!mayThink || continuesWithoutReasoning || budget < leastBudget) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}
