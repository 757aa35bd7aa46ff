import type { Usage } from '../relay/messages.ts';
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

/** Each figure as the sum of those that were told. */
export function sumOfUsage(requests: readonly RequestUsage[]): Usage {
  const sum: Usage = {};
  for (const { usage } of requests) {
    for (const [name, tokens] of Object.entries(usage) as [keyof Usage, number | undefined][]) {
      if (tokens !== undefined) sum[name] = (sum[name] ?? 0) + tokens;
    }
  }
  return sum;
}
