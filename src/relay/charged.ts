import { asObject } from '../base/json.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import type { Cost } from './messages.ts';

/**
 * What the relay says that it charged for a request; undefined where it says nothing. LiteLLM has a header for it on a
 * whole answer; when it streams, only the last usage tells, since the headers went before anything was spent. Both say
 * nothing, or 0, of a model without a price. The One API family passes on the cost that a vendor told the relay: that is not the user's.
 */
export function chargedFor({ headers }: Pick<HttpResponse, 'headers'>, usage: unknown): Cost | undefined {
  if (headers['x-oneapi-request-id'] !== undefined || headers['x-new-api-version'] !== undefined)
    return undefined;
  const inUsage = asObject(usage)?.['cost'];
  const amount = typeof inUsage === 'number' ? inUsage : Number(headers['x-litellm-response-cost']);
  return Number.isFinite(amount) && amount > 0 ? { amount, currency: 'USD', kind: 'charged' } : undefined;
}
