import * as l10n from '@vscode/l10n';
import { messageOf, SwitchboardError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import { untilAborted } from '../../base/async/promises.ts';
import type { Spending, SpendingEntry, SpendingFile, Spent } from './spendingFile.ts';

/** `chat.dailyBudget`: daily spending allowed without asking. */
export interface BudgetLimits {
  /** In the relay's currency; currencies are counted separately. */
  money?: number;
  /** Input and output. */
  tokens?: number;
}

export type BudgetReason =
  | {
      type: 'money';
      limit: number;
      spent: number;
      next: number;
      currency: string;
      lacksGroup?: true;
    }
  | { type: 'tokens'; limit: number; spent: number; next: number }
  | { type: 'priceUnknown'; model: string };

export type BudgetAnswer = 'once' | 'today' | 'stop';

export interface DailyBudgetDependencies {
  spending: Pick<SpendingFile, 'begin' | 'note' | 'allow' | 'today'>;
  limits(): BudgetLimits;
  ask(reason: BudgetReason, signal: AbortSignal): Promise<BudgetAnswer>;
  newId(): string;
  log: Log;
}

export interface Reservation {
  /** Never rejects. */
  settle(spending: Spending): Promise<void>;
}

const nothing: Spending = { tokens: 0 };

export class DailyBudget {
  /** Requests are checked one by one, so that two can't both claim the last room. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: DailyBudgetDependencies) {}

  get isLimited(): boolean {
    const { money, tokens } = this.deps.limits();
    return money !== undefined || tokens !== undefined;
  }

  /** Throws `budget` if declined, `storage` if spending is unreadable. `onAsk` is absent if nobody may be asked. */
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
      // An abandoned wait doesn't let the next request overtake earlier ones.
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
      // Write before check: of two windows that do this at once, at least one sees both.
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

/** @param spent includes the next request */
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
  // A token budget also counts requests without a price.
  if (!next.money) return tokens === undefined ? { type: 'priceUnknown', model } : undefined;
  const { amount, currency, lacksGroup } = next.money;
  const all = spent.money.get(currency) ?? 0;
  return all > money
    ? {
        type: 'money',
        limit: money,
        spent: all - amount,
        next: amount,
        currency,
        ...(lacksGroup && { lacksGroup }),
      }
    : undefined;
}

/** Changed limits make a new budget, which an earlier permission doesn't cover. */
function keyOf({ money, tokens }: BudgetLimits): string {
  return JSON.stringify([money ?? null, tokens ?? null]);
}

function stopped(): SwitchboardError {
  return new SwitchboardError('budget', l10n.t('Stopped at your daily budget. Nothing was sent.'));
}
