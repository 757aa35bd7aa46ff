import * as z from 'zod/mini';
import type { SwitchboardError } from '../../base/errors/errors.ts';
import { parseJson } from '../../base/json.ts';
import { loosely } from '../../base/lenientSchemas.ts';
import { shownMoney, type ShownMoney } from './readPrices.ts';
import { explainRefusedKey } from '../errors/refusedKey.ts';
import { getJson, readRefusal, type RelayContext } from '../relayCall.ts';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/text/format.ts';
import { formatMoney } from '../../base/text/formatUsage.ts';

export interface Balance {
  used: number;
  left?: number;
  /** ISO 4217 or the relay's own sign; undefined for the relay's own units. */
  currency?: string;
}

const maxBytes = 64 * 1024;
/** new-api's limit of an unlimited key. */
const unlimited = 100_000_000;

const amount = z.number();

const subscriptionSchema = z.object({ hard_limit_usd: amount });
const usedSchema = z.object({ total_usage: amount });

const keySchema = z.object({
  data: z.object({ usage: amount, limit_remaining: z.nullable(amount) }),
});

const keyInfoSchema = z.object({
  info: z.object({ spend: amount, max_budget: loosely(z.nullable(amount)) }),
});

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

function newApiBalance(limit: number, hundredths: number, money: ShownMoney | undefined): Balance {
  const rate = money?.isCustom ? money.perDollar : 1;
  const used = hundredths / 100;
  const left = limit >= unlimited ? undefined : (limit - used) * rate;
  return balanceOf(used * rate, left, money?.currency);
}

function balanceOf(used: number, left: number | undefined, currency: string | undefined): Balance {
  return { used, ...(left !== undefined && { left }), ...(currency !== undefined && { currency }) };
}

/** Undefined without such a page: 404, HTML, LiteLLM's 500 without a database. Throws failures of all pages. */
async function read(context: RelayContext, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await getJson(context, path, signal);
  if (response.status === 200) return parseJson(await response.text(maxBytes));
  const refusal = await readRefusal(response, context.connection);
  if (keepsOut(refusal)) throw await explainRefusedKey(context, refusal, signal);
  return undefined;
}

/** A 403 without a code may come from a proxy that blocks only this page. */
function keepsOut({ code, serverCode }: SwitchboardError): boolean {
  return (
    code === 'key' ||
    code === 'network-not-allowed' ||
    code === 'rate-limit' ||
    (code === 'not-permitted' && serverCode !== undefined)
  );
}

export function presentBalance(name: string, balance: Balance | undefined): string {
  if (!balance) return l10n.t("{0} doesn't report a balance.", name);
  const { left, currency } = balance;
  const shown = (value: number) =>
    currency === undefined ? l10n.t('{0} units', formatNumber(value)) : formatMoney(value, currency);
  const used = shown(balance.used);
  return left === undefined
    ? l10n.t('{0}: no limit for this key, {1} used.', name, used)
    : l10n.t('{0}: {1} left, {2} used.', name, shown(left), used);
}
