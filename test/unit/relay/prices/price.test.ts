import assert from 'node:assert/strict';
import fc from 'fast-check';
import { costOf, sumCosts, type Price } from '../../../../src/relay/prices/price.ts';

const price: Price = { currency: 'USD', prompt: 2, completion: 8, cached: 0.5, cacheWrite: 3 };
const estimate = (amount: number) => ({ amount, currency: 'USD', kind: 'estimate' });

describe('what a request costs by a price', () => {
  it('takes what was cached out of the prompt, so that it is paid once', () => {
    assert.deepEqual(
      costOf({ promptTokens: 100, completionTokens: 10, cachedTokens: 40 }, price),
      estimate(60 * 2 + 40 * 0.5 + 80),
    );
  });

  it('adds what was cached to a prompt that is counted beside it', () => {
    assert.deepEqual(
      costOf({ promptTokens: 8, completionTokens: 20, cachedTokens: 100 }, price),
      estimate(16 + 50 + 160),
    );
  });

  it('counts what was written to the cache at its own price', () => {
    const usage = { promptTokens: 100, completionTokens: 0, cachedTokens: 40, cacheWriteTokens: 50 };
    assert.deepEqual(costOf(usage, price), estimate(10 * 2 + 40 * 0.5 + 50 * 3));
  });

  it('takes the price of the prompt where the cache has none', () => {
    const usage = { promptTokens: 100, completionTokens: 1, cachedTokens: 40, cacheWriteTokens: 10 };
    assert.deepEqual(costOf(usage, { currency: 'USD', prompt: 2, completion: 8 }), estimate(208));
  });

  it('adds what each request costs', () => {
    const perRequest = { currency: 'CNY', prompt: 0, completion: 0, request: 0.3 };
    assert.deepEqual(costOf({ promptTokens: 9, completionTokens: 9 }, perRequest), {
      ...{ amount: 0.3, currency: 'CNY', kind: 'estimate' },
    });
  });

  it('takes the prices for long prompts only beyond their limit', () => {
    const tiered: Price = {
      ...price,
      above: [
        { tokens: 100, prompt: 4, completion: 16 },
        { tokens: 200, prompt: 6, completion: 20 },
      ],
    };
    const of = (promptTokens: number) => costOf({ promptTokens, completionTokens: 1 }, tiered)?.amount;
    assert.deepEqual([of(100), of(101), of(201)], [208, 101 * 4 + 16, 201 * 6 + 20]);
  });

  it('says that it is at most that where the price is the highest of several', () => {
    assert.equal(
      costOf({ promptTokens: 1, completionTokens: 1 }, { ...price, isHighest: true })?.kind,
      'atMost',
    );
    assert.equal(
      costOf({ promptTokens: 1, completionTokens: 1 }, { ...price, isHighest: true, lacksGroup: true })?.kind,
      'withoutGroup',
    );
  });

  it('is not known of what was not counted', () => {
    assert.equal(costOf({ totalTokens: 5 }, price), undefined);
    assert.equal(costOf({ promptTokens: 5 }, price), undefined);
  });

  it('is never less than nothing, and never less for more tokens', () => {
    const count = fc.nat(1_000_000);
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        count,
        (promptTokens, completionTokens, cachedTokens, cacheWriteTokens, more) => {
          const usage = { promptTokens, completionTokens, cachedTokens, cacheWriteTokens };
          const amount = costOf(usage, price)?.amount ?? -1;
          const longer = costOf({ ...usage, completionTokens: completionTokens + more }, price)?.amount ?? -1;
          return amount >= 0 && longer >= amount;
        },
      ),
    );
  });
});

describe('the sum of costs', () => {
  it('keeps moneys apart, and is as certain as the least certain of them', () => {
    assert.deepEqual(
      sumCosts([
        { amount: 1, currency: 'USD', kind: 'charged' },
        { amount: 5, currency: 'CNY', kind: 'charged' },
        { amount: 2, currency: 'USD', kind: 'estimate' },
        { amount: 4, currency: 'USD', kind: 'charged' },
      ]),
      [
        { amount: 7, currency: 'USD', kind: 'estimate' },
        { amount: 5, currency: 'CNY', kind: 'charged' },
      ],
    );
  });
});
