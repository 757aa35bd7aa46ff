import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson } from '../../../../src/base/json.ts';
import {
  litellmPrices,
  newApiPrices,
  pricesInList,
  shownMoney,
} from '../../../../src/relay/prices/readPrices.ts';
import litellm from '../../../fixtures/recorded/litellm-prices.txt';
import { findRecorded, readRecorded } from '../../../support/recorded.ts';

const dollars = { currency: 'USD', perDollar: 1, quotaPerUnit: 500_000 };

/** From new-api's source; nothing was recorded. */
const pricing = (model: object, groupRatio: object = { default: 1 }) => ({
  success: true,
  data: [
    {
      model_name: 'm',
      quota_type: 0,
      model_ratio: 1,
      model_price: 0,
      completion_ratio: 4,
      enable_groups: ['default'],
      supported_endpoint_types: ['openai'],
      ...model,
    },
  ],
  group_ratio: groupRatio,
  usable_group: { default: 'default' },
});
const newApi = (model: object, groupRatio?: object, money = dollars) =>
  newApiPrices(pricing(model, groupRatio), money)?.get('m');
const rounded = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'number' ? Number(each.toPrecision(9)) : each,
  ) as unknown;

describe("new-api's prices", () => {
  it('are ratios of two dollars for a million tokens', () => {
    assert.deepEqual(rounded(newApi({ cache_ratio: 0.25, create_cache_ratio: 2 })), {
      ...{ currency: 'USD', prompt: 2e-6, completion: 8e-6, cached: 0.5e-6, cacheWrite: 4e-6 },
    });
  });

  it('are multiplied with the ratio of the group', () => {
    assert.deepEqual(rounded(newApi({}, { default: 0.5 })), {
      ...{ currency: 'USD', prompt: 1e-6, completion: 4e-6, cacheWrite: 1.25e-6 },
    });
    assert.equal(
      newApi({ quota_type: 1, model_price: 0.1 }, { default: 3 })?.request?.toFixed(6),
      '0.300000',
    );
  });

  it('are at most those of the dearest group that may use the model, since the group of a key is not told', () => {
    const found = newApi({ enable_groups: ['default', 'vip'] }, { default: 1, vip: 0.5, svip: 9 });
    assert.deepEqual([found?.prompt, found?.isHighest], [2e-6, true]);
    assert.deepEqual(newApi({ enable_groups: ['all'] }, { a: 1, b: 3 })?.prompt, 6e-6);
    assert.equal(newApi({ enable_groups: ['a', 'b'] }, { a: 2, b: 2 })?.isHighest, undefined);
  });

  it('are no upper limit where a model is open to groups whose ratio is not told', () => {
    const ratios = { default: 1, vip: 0.5 };
    const hidden = newApi({ enable_groups: ['default', 'vip', 'svip'] }, ratios);
    assert.deepEqual([hidden?.prompt, hidden?.lacksGroup], [2e-6, true]);
    for (const name of ['svip', 'constructor']) {
      const alone = newApi({ enable_groups: [name] }, ratios);
      assert.deepEqual([alone?.prompt, alone?.lacksGroup], [2e-6, true]);
    }
    assert.equal(newApi({ enable_groups: ['default', 'vip'] }, ratios)?.lacksGroup, undefined);
    assert.equal(newApi({ enable_groups: ['all'] }, ratios)?.lacksGroup, undefined);
  });

  it('are none for every group either where the site has one that is not told', () => {
    const open = pricing({ enable_groups: ['all'] });
    const [hidden] = pricing({ model_name: 'other', enable_groups: ['svip'] }).data;
    const prices = newApiPrices({ ...open, data: [...open.data, hidden] }, dollars);
    assert.equal(prices?.get('m')?.lacksGroup, true);
  });

  it('are none where they cannot be reckoned with', () => {
    assert.equal(newApi({ enable_groups: [] }), undefined);
    assert.equal(newApi({ billing_mode: 'tiered_expr', billing_expr: 'p * 2' }), undefined);
    assert.equal(newApi({ model_ratio: -1 }), undefined);
    assert.equal(newApi({ quota_type: 7 }), undefined);
    assert.equal(newApiPrices({ success: false, message: 'no' }, dollars), undefined);
    assert.equal(newApiPrices('<html>', dollars), undefined);
  });

  it('are told in the money that the site shows', () => {
    const money = shownMoney({
      data: { quota_per_unit: 500_000, quota_display_type: 'CNY', usd_exchange_rate: 7 },
    });
    assert.deepEqual(money, { currency: 'CNY', perDollar: 7, quotaPerUnit: 500_000 });
    assert.equal(newApi({}, { default: 1 }, money)?.prompt.toFixed(9), '0.000014000');
    assert.deepEqual(shownMoney({ data: { quota_per_unit: 1000 } }), {
      currency: 'USD',
      perDollar: 1,
      quotaPerUnit: 1000,
    });
    assert.deepEqual(shownMoney(undefined), dollars);
    assert.deepEqual(
      shownMoney({
        data: { quota_display_type: 'CUSTOM', custom_currency_symbol: '₡', custom_currency_exchange_rate: 2 },
      }),
      { currency: '₡', perDollar: 2, quotaPerUnit: 500_000, isCustom: true },
    );
  });

  it('are none where the site shows raw units, or no rate of its money', () => {
    assert.equal(shownMoney({ data: { quota_display_type: 'TOKENS' } }), undefined);
    assert.equal(shownMoney({ data: { display_in_currency: false } }), undefined);
    assert.equal(shownMoney({ data: { quota_display_type: 'CNY' } }), undefined);
  });
});

describe("LiteLLM's prices", () => {
  const recorded = parseJson(findRecorded(readRecorded(litellm), 'GET /model/info').body);

  it('are those of its list, and none of a model whose price it does not know', () => {
    const prices = litellmPrices(recorded);
    assert.deepEqual([...(prices?.keys() ?? [])], ['priced', 'gpt-4.1', 'tiered']);
    const priced = { currency: 'USD', prompt: 2e-6, completion: 8e-6, cached: 5e-7 };
    assert.deepEqual(prices?.get('priced'), priced);
    assert.deepEqual(prices?.get('gpt-4.1'), priced);
    assert.deepEqual(prices?.get('tiered'), {
      ...{ currency: 'USD', prompt: 3e-6, completion: 1.5e-5, cached: 3e-7, cacheWrite: 3.75e-6 },
      above: [{ tokens: 200_000, prompt: 6e-6, completion: 2.25e-5 }],
    });
  });

  it('are at most the highest where several deployments serve a model', () => {
    const entry = (input: number) => ({
      model_name: 'm',
      model_info: { input_cost_per_token: input, output_cost_per_token: 1 },
    });
    const of = (...inputs: number[]) => litellmPrices({ data: inputs.map(entry) })?.get('m');
    assert.deepEqual(of(1, 3, 2), { currency: 'USD', prompt: 3, completion: 1, isHighest: true });
    assert.equal(of(1, 1)?.isHighest, undefined);
  });

  it('are not looked for in another answer', () => {
    assert.equal(litellmPrices({ detail: 'Not Found' }), undefined);
    assert.equal(litellmPrices([]), undefined);
  });
});

describe("OpenRouter's prices", () => {
  const of = (prices: object) => pricesInList({ data: [{ id: 'a/m', pricing: prices }] }).get('a/m');

  it('are texts in its list', () => {
    const prices = {
      prompt: '0.000003',
      completion: '0.000015',
      input_cache_read: '0.0000003',
      request: '0.01',
    };
    assert.deepEqual(of(prices), {
      currency: 'USD',
      prompt: 3e-6,
      completion: 1.5e-5,
      cached: 3e-7,
      request: 0.01,
    });
    assert.deepEqual(of({ prompt: '0', completion: '0' }), { currency: 'USD', prompt: 0, completion: 0 });
  });

  it('are none where they vary or are no amounts', () => {
    assert.equal(of({ prompt: '-1', completion: '-1' }), undefined);
    assert.equal(of({ prompt: 'free', completion: '1' }), undefined);
    assert.equal(of({ prompt: '', completion: '1' }), undefined);
    assert.equal(of({ prompt: 'Infinity', completion: '1' }), undefined);
  });
});

describe('hostile prices', () => {
  it('come to no price that is less than nothing or no number', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (a, b, c) => {
        const entry = {
          ...{ model_name: 'm', id: 'm', quota_type: 0, model_ratio: a, completion_ratio: b, cache_ratio: c },
          ...{ enable_groups: ['g'], pricing: { prompt: a, completion: b, request: c } },
          model_info: { input_cost_per_token: a, output_cost_per_token: b, cache_read_input_token_cost: c },
        };
        const body = { data: [entry, a], group_ratio: { g: c } };
        const found = [newApiPrices(body, dollars), litellmPrices(body), pricesInList(body)];
        return found
          .flatMap((prices) => [...(prices?.values() ?? [])])
          .flatMap((price) => Object.values(price))
          .every((value) => typeof value !== 'number' || (Number.isFinite(value) && value >= 0));
      }),
    );
  });
});
