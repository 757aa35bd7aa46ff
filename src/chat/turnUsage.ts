import type { Cost, Usage } from '../relay/messages.ts';
import { sumCosts } from '../relay/price.ts';
import type { ChatItem, RequestUsage } from './items.ts';

/** What the requests of a turn cost, oldest first, for the last answer of the turn, which stands there; undefined for any other. */
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

/** What several requests took together. */
export interface UsageSum {
  tokens: Tokens;
  /** For each money that any of them cost. */
  costs: Cost[];
  /** Of some requests, but not of all, it is known what they cost. */
  isPartial: boolean;
}

export type Tokens = Omit<Usage, 'cost'>;

/** Each figure as the sum of those that were told. */
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

/** The same as of one request. Its cost is none where there are several moneys, which only another relay in between makes. */
export function asOneUsage({ tokens, costs, isPartial }: UsageSum): Usage {
  const [cost] = costs;
  return { ...tokens, ...(cost && costs.length === 1 && !isPartial && { cost }) };
}
