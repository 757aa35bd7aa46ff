import type { JsonObject } from '../../base/json.ts';
import type { Dialect } from '../profile/modelDialect.ts';
import type { ModelRequest, SignedReasoning } from '../messages.ts';
import type { ReasoningEffort } from '../parameters.ts';

/** Reasoning tokens by effort, as a budget and in addition to the answer's limit. */
const budgets: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_768,
};

const leastBudget = 1024;
const mostReasoningShare = 0.8;

export function reasoningRoom({ reasoningEffort = 'none' }: ModelRequest): number {
  return budgets[reasoningEffort];
}

export interface ThinkingFields {
  thinking?: { type: 'adaptive' | 'disabled' } | { type: 'enabled'; budget_tokens: number };
  output_config?: { effort: ReasoningEffort };
}

/** `limit` is in tokens; `continuesWithoutReasoning`: an open exchange with tools began without reasoning. */
export function toThinking(
  { reasoningEffort, toolChoice }: ModelRequest,
  { effort: form, thinksFromStart }: Dialect,
  limit: number,
  continuesWithoutReasoning: boolean,
): ThinkingFields {
  if (reasoningEffort === undefined) return {};
  if (reasoningEffort === 'none') return { thinking: { type: 'disabled' } };
  // A required call excludes reasoning.
  const mayThink = toolChoice !== 'required' && !(thinksFromStart && continuesWithoutReasoning);
  if (form === 'adaptive') {
    return {
      ...(mayThink && { thinking: { type: 'adaptive' } }),
      output_config: { effort: reasoningEffort === 'minimal' ? 'low' : reasoningEffort },
    };
  }
  const budget = Math.min(budgets[reasoningEffort], Math.floor(limit * mostReasoningShare));
  if (!mayThink || continuesWithoutReasoning || budget < leastBudget) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** A block that Anthropic's models accept back; empty for items of the responses protocol. */
export function toThought(block: SignedReasoning): JsonObject[] {
  if ('item' in block) return [];
  return 'redacted' in block
    ? [{ type: 'redacted_thinking', data: block.redacted }]
    : [{ type: 'thinking', thinking: block.text, signature: block.signature }];
}
