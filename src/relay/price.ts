import type { Cost, Usage } from './messages.ts';

/** What a relay takes for a model, each for a token. */
export interface TokenPrice {
  prompt: number;
  completion: number;
  /** Read from the vendor's cache; as the prompt where the relay has no price of its own for it. */
  cached?: number;
  /** Written to the vendor's cache, by the same rule. */
  cacheWrite?: number;
}

/** What a relay says that it takes for a model. */
export interface Price extends TokenPrice {
  /** ISO 4217, or the relay's own sign. */
  currency: string;
  /** For each request, beside its tokens. */
  request?: number;
  /** In place of the price of tokens, where the prompt has more tokens than this. */
  above?: readonly (TokenPrice & { tokens: number })[];
  /** The highest of several: the relay does not say which of them is taken for this key. */
  isHighest?: true;
}

/** What a request costs by a price; undefined where too little was counted. */
export function costOf(usage: Usage, price: Price): Cost | undefined {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  const known = cachedTokens + cacheWriteTokens;
  // Some count what was cached beside the prompt instead of in it.
  const isBeside = cachedTokens > promptTokens;
  const all = isBeside ? promptTokens + known : promptTokens;
  const fresh = Math.max(0, all - known);
  const { prompt, completion, cached = prompt, cacheWrite = prompt } = tierOf(price, all);
  const amount =
    (price.request ?? 0) +
    fresh * prompt +
    cachedTokens * cached +
    cacheWriteTokens * cacheWrite +
    completionTokens * completion;
  return { amount, currency: price.currency, kind: price.isHighest ? 'atMost' : 'estimate' };
}

function tierOf(price: Price, promptTokens: number): TokenPrice {
  const reached = (price.above ?? []).filter(({ tokens }) => promptTokens > tokens);
  return reached.toSorted((a, b) => b.tokens - a.tokens)[0] ?? price;
}

/** The sums of costs, one for each currency, in the order in which they occur. */
export function sumCosts(costs: readonly Cost[]): Cost[] {
  const sums = new Map<string, Cost>();
  for (const cost of costs) {
    const sum = sums.get(cost.currency);
    sums.set(cost.currency, sum ? plus(sum, cost) : cost);
  }
  return [...sums.values()];
}

const certainty = ['charged', 'estimate', 'atMost'] as const;

/** A sum is as certain as what is least certain in it. */
function plus(a: Cost, b: Cost): Cost {
  const kind = certainty[Math.max(certainty.indexOf(a.kind), certainty.indexOf(b.kind))] ?? 'estimate';
  return { amount: a.amount + b.amount, currency: a.currency, kind };
}
