import type { Cost, Usage } from '../../relay/messages.ts';
import { sumCosts } from '../../relay/prices/price.ts';
import type { ChatItem, RequestUsage } from './items.ts';

/** Costs of a turn's requests, oldest first; undefined unless the index is the turn's last answer. */
export function usageOfTurn(items: readonly ChatItem[], answerAt: number): RequestUsage[] | undefined {
  let next = answerAt + 1;
  while (next < items.length && !isSaid(items[next]!)) next++;
  if (items[next]?.type === 'answer') return undefined;
  const requests: RequestUsage[][] = [];
  for (let at = answerAt; at >= 0; at--) {
    const item = items[at]!;
    if (item.type === 'user') break;
    if (item.type === 'answer' && item.requests) requests.push(item.requests);
  }
  return requests.length > 0 ? requests.toReversed().flat() : undefined;
}

function isSaid({ type }: ChatItem): boolean {
  return type === 'answer' || type === 'user';
}

export interface UsageSum {
  tokens: Tokens;
  costs: Cost[];
  isPartial: boolean;
}

export type Tokens = Omit<Usage, 'cost'>;

export function sumOfUsage(requests: readonly RequestUsage[]): UsageSum {
  const costs = requests.flatMap(({ usage }) => usage.cost ?? []);
  const isPartial = costs.length > 0 && costs.length < requests.length;
  return { tokens: sumOfTokens(requests), costs: sumCosts(costs), isPartial };
}

function sumOfTokens(requests: readonly RequestUsage[]): Tokens {
  const sum: Tokens = {};
  for (const { usage } of requests) {
    const { cost: _cost, ...counts } = usage;
    for (const [name, tokens] of Object.entries(counts) as [keyof Tokens, number | undefined][]) {
      if (tokens !== undefined) sum[name] = (sum[name] ?? 0) + tokens;
    }
  }
  return sum;
}

/** The sum as one request's usage, without cost if there are several currencies (only behind chained relays). */
export function asOneUsage({ tokens, costs, isPartial }: UsageSum): Usage {
  const [cost] = costs;
  return { ...tokens, ...(cost && costs.length === 1 && !isPartial && { cost }) };
}
