import * as z from 'zod/mini';
import type { SwitchboardError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { loosely } from '../base/schemas.ts';
import { shownMoney, type ShownMoney } from './readPrices.ts';
import { explainRefusedKey } from './refusedKey.ts';
import { getJson, readRefusal, type RelayContext } from './relayCall.ts';

/** What a relay tells of the money that is left. */
export interface Balance {
  used: number;
  /** Undefined where nothing limits it. */
  left?: number;
  /** ISO 4217 or the relay's own sign; undefined where the relay counts in units of its own. */
  currency?: string;
}

const maxBytes = 64 * 1024;
/** What new-api calls the limit of a key that has none. */
const unlimited = 100_000_000;

const amount = z.number();

const subscriptionSchema = z.object({ hard_limit_usd: amount });
const usedSchema = z.object({ total_usage: amount });

/** OpenRouter's form. */
const keySchema = z.object({
  data: z.object({ usage: amount, limit_remaining: z.nullable(amount) }),
});

/** LiteLLM's form. */
const keyInfoSchema = z.object({
  info: z.object({ spend: amount, max_budget: loosely(z.nullable(amount)) }),
});

/**
 * What is left of the key's money, or of the account's, as the relay has it; undefined where it tells neither. Asked when the
 * user wants to know. Throws a `SwitchboardError` where it could not be asked, or refuses the key.
 */
export async function readBalance(context: RelayContext, signal: AbortSignal): Promise<Balance | undefined> {
  const get = (path: string) => read(context, path, signal);
  const subscription = subscriptionSchema.safeParse(await get('/v1/dashboard/billing/subscription')).data;
  if (subscription) {
    const used = usedSchema.safeParse(await get('/v1/dashboard/billing/usage')).data;
    if (!used) return undefined;
    const money = shownMoney(await get('/api/status'));
    return newApiBalance(subscription.hard_limit_usd, used.total_usage, money);
  }
  const key = keySchema.safeParse(await get('/v1/key')).data?.data;
  if (key) return balanceOf(key.usage, key.limit_remaining ?? undefined, 'USD');
  const info = keyInfoSchema.safeParse(await get('/key/info')).data?.info;
  if (!info) return undefined;
  const { spend, max_budget: limit } = info;
  return balanceOf(spend, limit === null || limit === undefined ? undefined : limit - spend, 'USD');
}

/** @param hundredths of the money that the limit is in, as the API has it */
function newApiBalance(limit: number, hundredths: number, money: ShownMoney | undefined): Balance {
  const rate = money?.isCustom ? money.perDollar : 1;
  const used = hundredths / 100;
  const left = limit >= unlimited ? undefined : (limit - used) * rate;
  return balanceOf(used * rate, left, money?.currency);
}

function balanceOf(used: number, left: number | undefined, currency: string | undefined): Balance {
  return { used, ...(left !== undefined && { left }), ...(currency !== undefined && { currency }) };
}

/**
 * The body as JSON; undefined where the relay has no such page. Servers without one answer 404, their console's HTML, or,
 * LiteLLM without its database, 500. What keeps the user from every page of the relay is thrown: it does not mean that the
 * relay tells nothing.
 */
async function read(context: RelayContext, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await getJson(context, path, signal);
  if (response.status === 200) return parseJson(await response.text(maxBytes));
  const refusal = await readRefusal(response, context.connection);
  if (keepsOut(refusal)) throw await explainRefusedKey(context, refusal, signal);
  return undefined;
}

/** A 403 without a code may come from a front proxy that has closed this page alone. */
function keepsOut({ code, serverCode }: SwitchboardError): boolean {
  return (
    code === 'key' ||
    code === 'network-not-allowed' ||
    code === 'rate-limit' ||
    (code === 'not-permitted' && serverCode !== undefined)
  );
}
