import * as z from 'zod/mini';
import { asObject } from '../base/json.ts';
import { loosely } from '../base/schemas.ts';
import type { Price, TokenPrice } from './price.ts';

// What relays tell of prices, read loosely: what is no price that a request can be reckoned with is no price.

/** By model. */
export type Prices = ReadonlyMap<string, Price>;

/** In which money a new-api shows amounts; its prices are kept in dollars. */
export interface ShownMoney {
  currency: string;
  /** Of that money for a dollar. */
  perDollar: number;
  /** Raw units in a dollar. */
  quotaPerUnit: number;
  /** A money of the site's own: its balances are told in dollars all the same. */
  isCustom?: true;
}

const amount = z.number().check(z.nonnegative());

/** An amount of money, as a number or as one in words. OpenRouter says -1 where it varies. */
const amountOf = loosely(
  z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(Number)),
);

const dollars = { currency: 'USD', perDollar: 1, quotaPerUnit: 500_000 } satisfies ShownMoney;

// OpenRouter

const listedSchema = z.object({
  id: z.string(),
  pricing: z.object({
    prompt: amountOf,
    completion: amountOf,
    request: amountOf,
    input_cache_read: amountOf,
    input_cache_write: amountOf,
  }),
});

/** The prices in a list of models as OpenRouter has them; empty for any other list. */
export function pricesInList(body: unknown): Prices {
  const prices = new Map<string, Price>();
  for (const entry of listIn(body)) {
    const { data } = listedSchema.safeParse(entry);
    if (!data) continue;
    const {
      prompt,
      completion,
      request,
      input_cache_read: cached,
      input_cache_write: written,
    } = data.pricing;
    const price = toTokenPrice(prompt, completion, cached, written);
    if (price) prices.set(data.id, { currency: 'USD', ...price, ...(isAmount(request) && { request }) });
  }
  return prices;
}

// new-api

const statusSchema = z.object({
  quota_per_unit: loosely(z.number().check(z.positive())),
  quota_display_type: loosely(z.string()),
  display_in_currency: loosely(z.boolean()),
  usd_exchange_rate: loosely(z.number().check(z.positive())),
  custom_currency_symbol: loosely(z.string().check(z.minLength(1), z.maxLength(8))),
  custom_currency_exchange_rate: loosely(z.number().check(z.positive())),
});

/** The money of `GET /api/status`; undefined where the site shows raw units, or a money of which the rate is missing. */
export function shownMoney(body: unknown): ShownMoney | undefined {
  const data = asObject(asObject(body)?.['data']);
  if (!data) return dollars;
  const status = statusSchema.parse(data);
  const { quota_per_unit: quotaPerUnit = dollars.quotaPerUnit } = status;
  // Older versions know only whether it is money.
  const type = status.quota_display_type ?? (status.display_in_currency === false ? 'TOKENS' : 'USD');
  const inMoney = (currency: string | undefined, perDollar: number | undefined) =>
    currency !== undefined && perDollar !== undefined ? { currency, perDollar, quotaPerUnit } : undefined;
  switch (type) {
    case 'USD':
      return inMoney('USD', 1);
    case 'CNY':
      return inMoney('CNY', status.usd_exchange_rate);
    case 'CUSTOM':
      return isCustom(inMoney(status.custom_currency_symbol, status.custom_currency_exchange_rate));
    default:
      return undefined;
  }
}

function isCustom(money: ShownMoney | undefined): ShownMoney | undefined {
  return money && { ...money, isCustom: true };
}

const pricingSchema = z.object({
  data: z.array(z.unknown()),
  group_ratio: loosely(z.record(z.string(), z.unknown())),
});

const pricedSchema = z.object({
  model_name: z.string(),
  /** 0: for tokens, 1: for a request. */
  quota_type: z.number(),
  model_ratio: loosely(amount),
  completion_ratio: loosely(amount),
  cache_ratio: loosely(amount),
  create_cache_ratio: loosely(amount),
  model_price: loosely(amount),
  enable_groups: z.array(z.string()),
  billing_mode: loosely(z.string()),
});

/** What writing to the cache takes on a new-api that says nothing else, of the price of the prompt. */
const cacheWriteRatio = 1.25;

/** Whether a body is that of a new-api's `GET /api/pricing`. */
export function isNewApiPricing(body: unknown): boolean {
  return pricingSchema.safeParse(body).success;
}

/**
 * The prices of `GET /api/pricing`, or undefined when the body is something else. The key is in one of the groups of a
 * model, and no call says in which: where they differ, the highest ratio counts.
 */
export function newApiPrices(body: unknown, money: ShownMoney): Prices | undefined {
  const { data } = pricingSchema.safeParse(body);
  if (!data) return undefined;
  const prices = new Map<string, Price>();
  for (const entry of data.data) {
    const priced = pricedSchema.safeParse(entry).data;
    const ratios = priced && ratiosOf(priced.enable_groups, data.group_ratio ?? {});
    // Expressions are the relay's own to evaluate.
    if (!priced || !ratios || priced.billing_mode === 'tiered_expr') continue;
    const price = newApiPrice(priced, Math.max(...ratios), money);
    const isHighest = new Set(ratios).size > 1;
    if (price)
      prices.set(priced.model_name, {
        ...price,
        currency: money.currency,
        ...(isHighest && { isHighest }),
      });
  }
  return prices;
}

/** Undefined where no group with a ratio may use the model. */
function ratiosOf(groups: readonly string[], ratios: Record<string, unknown>): number[] | undefined {
  const names = groups.includes('all') ? Object.keys(ratios) : groups;
  const known = names
    .map((name) => (Object.hasOwn(ratios, name) ? ratios[name] : undefined))
    .filter(isAmount);
  return known.length > 0 ? known : undefined;
}

function newApiPrice(
  priced: z.infer<typeof pricedSchema>,
  groupRatio: number,
  { perDollar, quotaPerUnit }: ShownMoney,
): Omit<Price, 'currency'> | undefined {
  const { model_ratio: ratio, completion_ratio: completionRatio, model_price: perRequest } = priced;
  if (priced.quota_type === 1) {
    if (perRequest === undefined) return undefined;
    return { prompt: 0, completion: 0, request: perRequest * perDollar * groupRatio };
  }
  if (priced.quota_type !== 0 || ratio === undefined || completionRatio === undefined) return undefined;
  const prompt = (ratio * perDollar * groupRatio) / quotaPerUnit;
  return {
    prompt,
    completion: prompt * completionRatio,
    ...(priced.cache_ratio !== undefined && { cached: prompt * priced.cache_ratio }),
    cacheWrite: prompt * (priced.create_cache_ratio ?? cacheWriteRatio),
  };
}

// LiteLLM

const infoSchema = z.object({
  model_name: z.string(),
  model_info: z.record(z.string(), z.unknown()),
});

/** The prices of `GET /model/info`, or undefined when the body is something else. */
export function litellmPrices(body: unknown): Prices | undefined {
  const outer = asObject(body);
  if (!Array.isArray(outer?.['data'])) return undefined;
  const prices = new Map<string, Price>();
  for (const entry of listIn(body)) {
    const { data } = infoSchema.safeParse(entry);
    if (!data) continue;
    const price = infoPrice(data.model_info, '');
    if (!price) continue;
    const found = { currency: 'USD', ...price, ...tiersOf(data.model_info) };
    const known = prices.get(data.model_name);
    prices.set(data.model_name, known ? higher(known, found) : found);
  }
  return prices;
}

function infoPrice(info: Record<string, unknown>, suffix: string): TokenPrice | undefined {
  const of = (name: string) => info[`${name}${suffix}`];
  return toTokenPrice(
    of('input_cost_per_token'),
    of('output_cost_per_token'),
    of('cache_read_input_token_cost'),
    of('cache_creation_input_token_cost'),
  );
}

function tiersOf(info: Record<string, unknown>): Pick<Price, 'above'> {
  const above = Object.keys(info).flatMap((name) => {
    const [, suffix = '', thousands = ''] = /^input_cost_per_token(_above_(\d+)k_tokens)$/.exec(name) ?? [];
    const price = suffix ? infoPrice(info, suffix) : undefined;
    return price ? [{ ...price, tokens: Number(thousands) * 1000 }] : [];
  });
  return above.length > 0 ? { above } : {};
}

/** Several deployments may serve a model, and any of them may answer. */
function higher(a: Price, b: Price): Price {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  return { ...(b.prompt + b.completion > a.prompt + a.completion ? b : a), isHighest: true };
}

function listIn(body: unknown): readonly unknown[] {
  const list = asObject(body)?.['data'];
  return Array.isArray(list) ? list : [];
}

function toTokenPrice(
  prompt: unknown,
  completion: unknown,
  cached: unknown,
  cacheWrite: unknown,
): TokenPrice | undefined {
  if (!isAmount(prompt) || !isAmount(completion)) return undefined;
  return {
    prompt,
    completion,
    ...(isAmount(cached) && { cached }),
    ...(isAmount(cacheWrite) && { cacheWrite }),
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
