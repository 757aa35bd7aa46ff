import { asObject } from '../../base/json.ts';
import type { HttpResponse } from '../../net/httpResponse.ts';
import type { Cost, Usage } from '../messages.ts';

export interface TokenPrice {
  prompt: number;
  completion: number;
  /** Read from the vendor's cache; defaults to the prompt's price. */
  cached?: number;
  cacheWrite?: number;
}

export interface Price extends TokenPrice {
  currency: string;
  request?: number;
  /** Replaces the token prices for prompts longer than `tokens`. */
  above?: readonly (TokenPrice & { tokens: number })[];
  /** The highest of several: the relay doesn't say which one applies to this key. */
  isHighest?: true;
  /** The ratio of the key's group may be unknown, so the charge may be higher. */
  lacksGroup?: true;
}

export function costOf(usage: Usage, price: Price): Cost | undefined {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  const known = cachedTokens + cacheWriteTokens;
  // Some relays count cached tokens beside the prompt, not in it.
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
  return { amount, currency: price.currency, kind: kindOf(price) };
}

function kindOf({ isHighest, lacksGroup }: Price): Cost['kind'] {
  if (lacksGroup) return 'withoutGroup';
  return isHighest ? 'atMost' : 'estimate';
}

function tierOf(price: Price, promptTokens: number): TokenPrice {
  const reached = (price.above ?? []).filter(({ tokens }) => promptTokens > tokens);
  return reached.toSorted((a, b) => b.tokens - a.tokens)[0] ?? price;
}

export function sumCosts(costs: readonly Cost[]): Cost[] {
  const sums = new Map<string, Cost>();
  for (const cost of costs) {
    const sum = sums.get(cost.currency);
    sums.set(cost.currency, sum ? plus(sum, cost) : cost);
  }
  return [...sums.values()];
}

const certainty = ['charged', 'estimate', 'atMost', 'withoutGroup'] as const;

/** A sum is as certain as its least certain part. */
function plus(a: Cost, b: Cost): Cost {
  const kind = certainty[Math.max(certainty.indexOf(a.kind), certainty.indexOf(b.kind))] ?? 'estimate';
  return { amount: a.amount + b.amount, currency: a.currency, kind };
}

/** LiteLLM sends it in a header or the last usage. One API passes on the relay's own cost, which is ignored. */
export function chargedFor({ headers }: Pick<HttpResponse, 'headers'>, usage: unknown): Cost | undefined {
  if (headers['x-oneapi-request-id'] !== undefined || headers['x-new-api-version'] !== undefined)
    return undefined;
  const inUsage = asObject(usage)?.['cost'];
  const amount = typeof inUsage === 'number' ? inUsage : Number(headers['x-litellm-response-cost']);
  return Number.isFinite(amount) && amount > 0 ? { amount, currency: 'USD', kind: 'charged' } : undefined;
}
