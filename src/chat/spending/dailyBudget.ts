import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { messageOf } from '../../base/messageOf.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { Spending, SpendingEntry, SpendingFile, Spent } from './spendingFile.ts';

/** `chat.dailyBudget`: what may be spent on a day without asking. */
export interface BudgetLimits {
  /** In the relay's money; each currency is counted by itself. */
  money?: number;
  /** In and out. */
  tokens?: number;
}

/** Why the user is asked before a request. */
export type BudgetReason =
  | { type: 'money'; limit: number; spent: number; next: number; currency: string }
  | { type: 'tokens'; limit: number; spent: number; next: number }
  /** There is a budget of money, and the relay tells no price of the model. */
  | { type: 'priceUnknown'; model: string };

export type BudgetAnswer = 'once' | 'today' | 'stop';

export interface DailyBudgetDependencies {
  spending: Pick<SpendingFile, 'begin' | 'note' | 'allow' | 'today'>;
  limits(): BudgetLimits;
  /** @param signal aborted when nobody waits for the answer any more */
  ask(reason: BudgetReason, signal: AbortSignal): Promise<BudgetAnswer>;
  newId(): string;
  log: Log;
}

/** A request that has a place in the budget until it is known what it took. */
export interface Reservation {
  /** Never rejects. */
  settle(spending: Spending): Promise<void>;
}

const nothing: Spending = { tokens: 0 };

/** Keeps what this machine spends on a day within the user's budget, by asking before a request that would pass it. */
export class DailyBudget {
  /** Requests are looked at one by one, so that two of them cannot both have the last room. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: DailyBudgetDependencies) {}

  get isLimited(): boolean {
    const { money, tokens } = this.deps.limits();
    return money !== undefined || tokens !== undefined;
  }

  /**
   * Makes room for a request, which other windows see from then on. Throws `budget` when the user does not want it, and
   * `storage` when it cannot be known what was spent.
   * @param onAsk the user is being asked; absent where nobody is to be
   */
  async reserve(
    model: string,
    next: Spending,
    signal: AbortSignal,
    onAsk?: () => void,
  ): Promise<Reservation> {
    const { spending, newId } = this.deps;
    const entry = spending.begin(newId());
    if (this.isLimited) {
      const before = this.last;
      const checked = untilAborted(before, signal).then(() => this.check(model, entry, next, signal, onAsk));
      // Who leaves while waiting does not let the next one pass those before.
      this.last = Promise.allSettled([before, checked]);
      await checked;
    }
    return { settle: (taken) => this.note(entry, taken) };
  }

  private async check(
    model: string,
    entry: SpendingEntry,
    next: Spending,
    signal: AbortSignal,
    onAsk: (() => void) | undefined,
  ): Promise<void> {
    const { spending, limits, ask } = this.deps;
    const limit = limits();
    try {
      // First a place, then a look: of two windows that do the same at the same time, at least one sees both.
      await spending.note(entry, next);
      const spent = await spending.today();
      const reason = reasonToAsk(model, limit, next, spent);
      if (!reason || spent.allowed.has(keyOf(limit))) return;
      await spending.note(entry, nothing);
      if (!onAsk) throw stopped();
      onAsk();
      const answer = await ask(reason, signal);
      signal.throwIfAborted();
      if (answer === 'stop') throw stopped();
      if (answer === 'today') await spending.allow(keyOf(limit));
      await spending.note(entry, next);
    } catch (error) {
      if (error instanceof SwitchboardError || signal.aborted) throw error;
      throw new SwitchboardError(
        'storage',
        l10n.t("The daily budget couldn't be checked: {0}", messageOf(error)),
        { cause: error },
      );
    }
  }

  private async note(entry: SpendingEntry, taken: Spending): Promise<void> {
    try {
      await this.deps.spending.note(entry, taken);
    } catch (error) {
      this.deps.log.warn(`What a request took was not noted: ${messageOf(error)}`);
    }
  }
}

/** @param spent with what is next */
function reasonToAsk(
  model: string,
  { money, tokens }: BudgetLimits,
  next: Spending,
  spent: Spent,
): BudgetReason | undefined {
  if (tokens !== undefined && spent.tokens > tokens) {
    return { type: 'tokens', limit: tokens, spent: spent.tokens - next.tokens, next: next.tokens };
  }
  if (money === undefined) return undefined;
  // A budget of tokens counts what has no price, too.
  if (!next.money) return tokens === undefined ? { type: 'priceUnknown', model } : undefined;
  const { amount, currency } = next.money;
  const all = spent.money.get(currency) ?? 0;
  return all > money
    ? { type: 'money', limit: money, spent: all - amount, next: amount, currency }
    : undefined;
}

/** What was let be passed is another budget once it is changed. */
function keyOf({ money, tokens }: BudgetLimits): string {
  return JSON.stringify([money ?? null, tokens ?? null]);
}

function stopped(): SwitchboardError {
  return new SwitchboardError(
    'budget',
    l10n.t('You stopped before the daily budget was passed. Nothing was sent; Retry asks again.'),
  );
}
