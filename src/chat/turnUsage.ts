import type { Usage } from '../relay/messages.ts';
import type { ChatItem, RequestUsage } from './conversation.ts';

/** What the requests of a turn cost, oldest first, for the last answer of the turn; undefined for any other. */
export function usageOfTurn(items: readonly ChatItem[], answerId: string): RequestUsage[] | undefined {
  const index = items.findLastIndex(({ id }) => id === answerId);
  const next = items.slice(index + 1).find(({ type }) => type === 'answer' || type === 'user');
  if (next?.type === 'answer') return undefined;
  const requests: RequestUsage[] = [];
  for (let at = index; at >= 0; at--) {
    const item = items[at]!;
    if (item.type === 'user') break;
    if (item.type === 'answer') requests.unshift(...(item.requests ?? []));
  }
  return requests.length > 0 ? requests : undefined;
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
