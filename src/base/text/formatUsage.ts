import * as l10n from '@vscode/l10n';
import { formatNumber, locale, plural } from './format.ts';

export function formatTokens(count: number): string {
  return plural(count, l10n.t('1 token'), l10n.t('{0} tokens', formatNumber(count)));
}

/** Formats a token count: `950`, `1.5K`, `1M`; multiples of 1024, as in context windows, are divided by it. */
export function formatCompact(count: number): string {
  const thousand = count % 1000 !== 0 && count % 1024 === 0 ? 1024 : 1000;
  if (count < thousand) return formatNumber(count);
  const thousands = count / thousand;
  if (thousands < 999.5) return `${formatNumber(thousands, thousands < 9.95 ? 1 : 0)}K`;
  const millions = thousands / thousand;
  return `${formatNumber(millions, millions < 9.95 ? 1 : 0)}M`;
}

/** Formats an amount with enough digits for a small one: `$12.50`, `$0.0034`, `$0.0000021`. */
export function formatMoney(amount: number, currency: string): string {
  const small = Math.abs(amount) < 0.0001 && amount !== 0;
  const digits = Math.abs(amount) < 1 && amount !== 0 ? 4 : 2;
  const fraction = small
    ? { maximumSignificantDigits: 2 }
    : { maximumFractionDigits: digits, minimumFractionDigits: 2 };
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, ...fraction }).format(amount);
  } catch {
    // A currency symbol of the server's own.
    return `${currency}${new Intl.NumberFormat(locale, fraction).format(amount)}`;
  }
}
