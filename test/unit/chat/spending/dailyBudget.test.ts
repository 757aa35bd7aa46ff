import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import {
  type BudgetAnswer,
  type BudgetLimits,
  type BudgetReason,
  DailyBudget,
} from '../../../../src/chat/spending/dailyBudget.ts';
import type { Spending } from '../../../../src/chat/spending/spendingFile.ts';
import { MemorySpending } from '../../../support/memorySpending.ts';
import { silentLog } from '../../../support/silentLog.ts';

const dollars = (amount: number, tokens = 1): Spending => ({ tokens, money: { amount, currency: 'USD' } });
const running = new AbortController().signal;

/** A window with a budget; the script answers questions, then "stop". */
function windowWith(
  limits: BudgetLimits,
  answers: (BudgetAnswer | Promise<BudgetAnswer>)[] = [],
  spending = new MemorySpending(),
) {
  const asked: BudgetReason[] = [];
  let ids = 0;
  const budget = new DailyBudget({
    spending,
    limits: () => ({ ...limits }),
    ask: async (reason) => {
      asked.push(reason);
      return answers.shift() ?? 'stop';
    },
    newId: () => `${spending.entries.size}-${++ids}-${Math.random()}`,
    log: silentLog,
  });
  const spend = async (next: Spending, taken = next) => {
    const { settle } = await budget.reserve('m', next, running, () => undefined);
    await settle(taken);
  };
  return { budget, asked, spending, spend, limits };
}

describe('the daily budget', () => {
  it('lets everything pass where there is none', async () => {
    const { spend, asked } = windowWith({});
    await spend(dollars(1000, 1e9));
    assert.deepEqual(asked, []);
  });

  it('asks before the request that would pass it, and not before one that just reaches it', async () => {
    const { spend, asked } = windowWith({ money: 5 });
    await spend(dollars(3));
    await spend(dollars(2));
    assert.deepEqual(asked, []);
    await assert.rejects(spend(dollars(0.25)), { code: 'budget' });
    assert.deepEqual(asked, [{ type: 'money', limit: 5, spent: 5, next: 0.25, currency: 'USD' }]);
  });

  it('asks about no request that is known to cost nothing', async () => {
    const { spend, asked } = windowWith({ money: 5 });
    await spend(dollars(5));
    await spend(dollars(0));
    assert.deepEqual(asked, []);
  });

  it('asks before every request where it is nothing', async () => {
    for (const limits of [{ money: 0 }, { tokens: 0 }]) {
      const { spend, asked } = windowWith(limits);
      await assert.rejects(spend(dollars(1)), { code: 'budget' });
      assert.equal(asked.length, 1);
    }
  });

  it('says when the figures are without the ratio of a group', async () => {
    const { spend, asked } = windowWith({ money: 1 });
    const money = { amount: 2, currency: 'USD', lacksGroup: true as const };
    await assert.rejects(spend({ tokens: 1, money }), { code: 'budget' });
    const figures = { limit: 1, spent: 0, next: 2, currency: 'USD' };
    assert.deepEqual(asked, [{ type: 'money', ...figures, lacksGroup: true }]);
  });

  it('counts what a request took in place of what it was taken for', async () => {
    const { spend, asked } = windowWith({ money: 5 });
    await spend(dollars(4), dollars(1));
    await spend(dollars(4), dollars(4));
    assert.deepEqual(asked, []);
    await assert.rejects(spend(dollars(0.5)));
    assert.equal(asked.length, 1);
  });

  it('counts nothing of a request that was not sent', async () => {
    const { spend, spending } = windowWith({ money: 1 });
    await assert.rejects(spend(dollars(2)));
    assert.equal((await spending.today()).money.get('USD') ?? 0, 0);
  });

  it('is asked about for each request that is let through once', async () => {
    const { spend, asked } = windowWith({ money: 1 }, ['once', 'once']);
    await spend(dollars(2));
    await spend(dollars(2));
    assert.deepEqual(
      asked.map((reason) => 'spent' in reason && reason.spent),
      [0, 2],
    );
  });

  it('counts a request that was let through before it is known what it took', async () => {
    const { budget, spending } = windowWith({ money: 1 }, ['once']);
    await budget.reserve('m', dollars(2), running, () => undefined);
    assert.equal((await spending.today()).money.get('USD'), 2);
  });

  it('is passed for the rest of the day in all windows, until it is changed', async () => {
    const here = windowWith({ money: 1 }, ['today']);
    await here.spend(dollars(2));
    await here.spend(dollars(2));
    assert.equal(here.asked.length, 1);
    const there = windowWith({ money: 1 }, [], here.spending);
    await there.spend(dollars(2));
    assert.deepEqual(there.asked, []);
    here.limits.money = 3;
    await assert.rejects(here.spend(dollars(1)));
  });

  it('is passed as it was when it was asked about, not as it became meanwhile', async () => {
    const limits: BudgetLimits = { money: 1 };
    let answer: (answer: BudgetAnswer) => void = () => undefined;
    const { spend, spending } = windowWith(limits, [new Promise((resolve) => (answer = resolve))]);
    const spent = spend(dollars(2));
    await setImmediate();
    limits.money = 100;
    answer('today');
    await spent;
    assert.deepEqual([...spending.allowed], ['[1,null]']);
  });

  it('fails no request that it let through and that cannot be noted at its end', async () => {
    const { budget, spending } = windowWith({ money: 5 });
    const { settle } = await budget.reserve('m', dollars(1), running);
    spending.note = () => Promise.reject(new Error('EIO'));
    await settle(dollars(2));
  });

  it('is asked about again when its tokens are changed', async () => {
    const { spend, limits, asked } = windowWith({ tokens: 100 }, ['today']);
    await spend({ tokens: 200 });
    limits.tokens = 300;
    await assert.rejects(spend({ tokens: 200 }), { code: 'budget' });
    assert.equal(asked.length, 2);
  });

  it('is that of all windows together', async () => {
    const here = windowWith({ money: 5 });
    await here.spend(dollars(4));
    const there = windowWith({ money: 5 }, [], here.spending);
    await assert.rejects(there.spend(dollars(2)), { code: 'budget' });
    assert.deepEqual(there.asked, [{ type: 'money', limit: 5, spent: 4, next: 2, currency: 'USD' }]);
  });

  it('counts requests that are on their way, so that two at once do not pass it together', async () => {
    const { budget, asked } = windowWith({ money: 5 });
    const reserve = () => budget.reserve('m', dollars(3), running, () => undefined);
    const [first, second] = await Promise.allSettled([reserve(), reserve()]);
    assert.deepEqual([first?.status, second?.status, asked.length], ['fulfilled', 'rejected', 1]);
  });

  it('asks one question at a time', async () => {
    let answer: (answer: BudgetAnswer) => void = () => undefined;
    const { budget, asked } = windowWith({ money: 1 }, [new Promise((resolve) => (answer = resolve))]);
    const reserve = () => budget.reserve('m', dollars(3), running, () => undefined);
    const both = Promise.all([reserve(), reserve()]);
    await setImmediate();
    await setImmediate();
    assert.equal(asked.length, 1);
    answer('today');
    await both;
    assert.equal(asked.length, 1);
  });

  it('is not waited for by a turn that is stopped', async () => {
    const { budget } = windowWith({ money: 1 }, [new Promise(() => undefined)]);
    budget.reserve('m', dollars(3), running, () => undefined).catch(() => undefined);
    const stopped = new AbortController();
    const waiting = budget.reserve('m', dollars(1), stopped.signal, () => undefined);
    stopped.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
  });

  it('is still asked about in turn when a request between was stopped', async () => {
    const { budget, asked } = windowWith({ money: 1 }, [new Promise(() => undefined)]);
    const reserve = (signal = running) => budget.reserve('m', dollars(3), signal, () => undefined);
    reserve().catch(() => undefined);
    const stopped = new AbortController();
    const waiting = reserve(stopped.signal);
    stopped.abort();
    await assert.rejects(waiting);
    reserve().catch(() => undefined);
    await setImmediate();
    await setImmediate();
    assert.equal(asked.length, 1);
  });

  it('lets nothing through that was stopped while the user was asked, and counts nothing of it', async () => {
    const stop = new AbortController();
    let answer: (answer: BudgetAnswer) => void = () => undefined;
    const { budget, spending } = windowWith({ money: 1 }, [new Promise((resolve) => (answer = resolve))]);
    const reserving = budget.reserve('m', dollars(3), stop.signal, () => undefined);
    await setImmediate();
    stop.abort();
    answer('today');
    await assert.rejects(reserving, { name: 'AbortError' });
    const { money, allowed } = await spending.today();
    assert.deepEqual([money.get('USD') ?? 0, allowed.size], [0, 0]);
  });

  it('counts each money by itself', async () => {
    const { spend, asked } = windowWith({ money: 5 });
    await spend(dollars(4));
    await spend({ tokens: 1, money: { amount: 4, currency: 'CNY' } });
    assert.deepEqual(asked, []);
  });

  it('counts tokens whether they have a price or not', async () => {
    const { spend, asked } = windowWith({ tokens: 100 });
    await spend(dollars(1, 60));
    await spend({ tokens: 40 });
    await assert.rejects(spend({ tokens: 1 }));
    assert.deepEqual(asked, [{ type: 'tokens', limit: 100, spent: 100, next: 1 }]);
  });

  it('asks where only money is limited and the price is not known', async () => {
    const { spend, asked } = windowWith({ money: 5 });
    await assert.rejects(spend({ tokens: 1 }));
    assert.deepEqual(asked, [{ type: 'priceUnknown', model: 'm' }]);
    const both = windowWith({ money: 5, tokens: 100 });
    await both.spend({ tokens: 1 });
    assert.deepEqual(both.asked, []);
  });

  it('sends nothing where it cannot be known what was spent', async () => {
    const { spend, spending } = windowWith({ money: 5 });
    spending.today = () => Promise.reject(new Error('EIO'));
    await assert.rejects(spend(dollars(1)), { code: 'storage', message: /EIO/ });
  });
});
