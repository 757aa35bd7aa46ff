import * as z from 'zod/mini';
import { asObject } from '../../base/json.ts';
import { loosely } from '../../base/lenientSchemas.ts';
import type { Price, TokenPrice } from './price.ts';

export type Prices = ReadonlyMap<string, Price>;

/** new-api's display currency; its prices are stored in dollars. */
export interface ShownMoney {
  currency: string;
  perDollar: number;
  quotaPerUnit: number;
  /** The site's own currency: balances are in dollars anyway. */
  isCustom?: true;
}

const amount = z.number().check(z.nonnegative());

/** A number, or a number as text. OpenRouter's -1 means variable. */
const amountOf = loosely(
  z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(Number)),
);

const dollars = { currency: 'USD', perDollar: 1, quotaPerUnit: 500_000 } satisfies ShownMoney;

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

const statusSchema = z.object({
  quota_per_unit: loosely(z.number().check(z.positive())),
  quota_display_type: loosely(z.string()),
  display_in_currency: loosely(z.boolean()),
  usd_exchange_rate: loosely(z.number().check(z.positive())),
  custom_currency_symbol: loosely(z.string().check(z.minLength(1), z.maxLength(8))),
  custom_currency_exchange_rate: loosely(z.number().check(z.positive())),
});

/** The currency in `GET /api/status`; undefined if the site shows raw units, or has no exchange rate. */
export function shownMoney(body: unknown): ShownMoney | undefined {
  const data = asObject(asObject(body)?.['data']);
  if (!data) return dollars;
  const status = statusSchema.parse(data);
  const { quota_per_unit: quotaPerUnit = dollars.quotaPerUnit } = status;
  // Older versions only know if it is money.
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
  /** 0: per token, 1: per request. */
  quota_type: z.number(),
  model_ratio: loosely(amount),
  completion_ratio: loosely(amount),
  cache_ratio: loosely(amount),
  create_cache_ratio: loosely(amount),
  model_price: loosely(amount),
  enable_groups: z.array(z.string()),
  billing_mode: loosely(z.string()),
});

/** new-api's default price of cache writes, relative to the prompt. */
const cacheWriteRatio = 1.25;

export function isNewApiPricing(body: unknown): boolean {
  return pricingSchema.safeParse(body).success;
}

/** The key's group is unknown, so the highest ratio counts; the public page lacks the ratios of private groups. */
export function newApiPrices(body: unknown, money: ShownMoney): Prices | undefined {
  const { data } = pricingSchema.safeParse(body);
  if (!data) return undefined;
  const prices = new Map<string, Price>();
  const ratios = new Map(Object.entries(data.group_ratio ?? {}).filter(isRatio));
  const entries = data.data.flatMap((entry) => pricedSchema.safeParse(entry).data ?? []);
  const isUnknown = (group: string) => group !== anyGroup && !ratios.has(group);
  const hasUnknown = entries.some(({ enable_groups: groups }) => groups.some(isUnknown));
  for (const priced of entries) {
    const { enable_groups: groups } = priced;
    // Only the relay can evaluate expressions.
    if (groups.length === 0 || priced.billing_mode === 'tiered_expr') continue;
    const isForAll = groups.includes(anyGroup);
    const known = isForAll ? [...ratios.values()] : groups.flatMap((group) => ratios.get(group) ?? []);
    const lacksGroup = known.length === 0 || (isForAll ? hasUnknown : groups.some(isUnknown));
    const price = newApiPrice(priced, known.length > 0 ? Math.max(...known) : 1, money);
    const isHighest = new Set(known).size > 1;
    if (price)
      prices.set(priced.model_name, {
        ...price,
        currency: money.currency,
        ...(isHighest && { isHighest }),
        ...(lacksGroup && { lacksGroup }),
      });
  }
  return prices;
}

const anyGroup = 'all';

function isRatio(entry: [string, unknown]): entry is [string, number] {
  return isAmount(entry[1]);
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

const infoSchema = z.object({
  model_name: z.string(),
  model_info: z.record(z.string(), z.unknown()),
});

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

/** Any of a model's deployments may answer. */
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
