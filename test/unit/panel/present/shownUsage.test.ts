import assert from 'node:assert/strict';
import { sumOfUsage } from '../../../../src/chat/conversation/turnUsage.ts';
import type { Cost, Usage } from '../../../../src/relay/messages.ts';
import { toShownSum } from '../../../../src/panel/present/shownUsage.ts';

const cost = (amount: number, more: Partial<Cost> = {}): Cost => ({
  ...{ amount, currency: 'USD', kind: 'charged' },
  ...more,
});
const shown = (...usages: Usage[]) => toShownSum(sumOfUsage(usages.map((usage) => ({ usage }))));

describe('what a turn took, as it is shown', () => {
  it('is the sum of its requests in tokens and money', () => {
    assert.deepEqual(
      shown(
        { promptTokens: 10, completionTokens: 2, cachedTokens: 4, cost: cost(0.002) },
        { promptTokens: 20, completionTokens: 3, cost: cost(0.0103) },
      ),
      { promptTokens: 30, completionTokens: 5, cachedTokens: 4, cost: '$0.0123' },
    );
  });

  it('says what is reckoned, and what is not all of it', () => {
    assert.equal(shown({ cost: cost(1.5, { kind: 'estimate' }) }).cost, '$1.50 (estimate)');
    assert.equal(shown({ cost: cost(1.5, { kind: 'atMost' }) }).cost, 'at most $1.50 (estimate)');
    const withoutGroup = { cost: cost(0.001, { kind: 'withoutGroup' }) };
    assert.equal(shown(withoutGroup).cost, "about $0.001, without your group's ratio");
    assert.equal(shown(withoutGroup, { cost: cost(0.002) }).cost, "about $0.003, without your group's ratio");
    assert.equal(shown(withoutGroup, { promptTokens: 1 }).cost, shown(withoutGroup).cost);
    assert.equal(shown({ cost: cost(1.5) }, { promptTokens: 1 }).cost, 'at least $1.50');
  });

  it('is tokens alone where no price is known', () => {
    assert.deepEqual(shown({ promptTokens: 1 }), { promptTokens: 1 });
  });

  it('keeps the moneys of several relays apart', () => {
    assert.equal(shown({ cost: cost(2) }, { cost: cost(3, { currency: 'CNY' }) }).cost, '$2.00 + CN¥3.00');
  });
});
