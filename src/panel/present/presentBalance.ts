import * as l10n from '@vscode/l10n';
import { formatMoney, formatNumber } from '../../base/text/format.ts';
import type { Balance } from '../../relay/prices/balance.ts';

export function presentBalance(name: string, balance: Balance | undefined): string {
  if (!balance) return l10n.t("{0} doesn't report a balance.", name);
  const { left, currency } = balance;
  const amount = (value: number) =>
    currency === undefined ? l10n.t('{0} units', formatNumber(value)) : formatMoney(value, currency);
  const used = amount(balance.used);
  return left === undefined
    ? l10n.t('{0}: no limit for this key, {1} used.', name, used)
    : l10n.t('{0}: {1} left, {2} used.', name, amount(left), used);
}
