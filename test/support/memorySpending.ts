import type { Spending, SpendingFile } from '../../src/chat/spending/spendingFile.ts';

/** Spending without a file; two windows may share it. */
export class MemorySpending implements Pick<SpendingFile, 'begin' | 'note' | 'allow' | 'today'> {
  readonly entries = new Map<string, Spending>();
  readonly allowed = new Set<string>();

  begin(id: string) {
    return { id, day: '2026-01-01' };
  }

  async note({ id }: { id: string }, spending: Spending): Promise<void> {
    this.entries.set(id, spending);
  }

  async allow(budget: string): Promise<void> {
    this.allowed.add(budget);
  }

  async today() {
    const money = new Map<string, number>();
    let tokens = 0;
    for (const each of this.entries.values()) {
      tokens += each.tokens;
      const { amount = 0, currency } = each.money ?? {};
      if (currency) money.set(currency, (money.get(currency) ?? 0) + amount);
    }
    return { tokens, money, allowed: this.allowed };
  }
}
