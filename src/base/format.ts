import * as l10n from '@vscode/l10n';

/** BCP 47; undefined is the system's. */
let locale: string | undefined;

/** Sets the language that numbers are written in; an unknown one leaves the system's. */
export function setFormatLocale(language: string): void {
  try {
    locale = Intl.getCanonicalLocales(language)[0];
  } catch {
    locale = undefined;
  }
}

/** The form of a text that fits the count. Languages without plurals translate both alike. */
export function plural(count: number, one: string, other: string): string {
  return count === 1 ? one : other;
}

/** With the separators of the user's language: `1,008`. */
export function formatNumber(value: number, maximumFractionDigits = 0): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits }).format(value);
}

const sizeUnits = ['KB', 'MB', 'GB', 'TB'];

/** Bytes in decimal units, with one decimal below ten: `512 B`, `1.2 KB`, `34 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${formatNumber(bytes)} B`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${formatNumber(value, value < 9.95 ? 1 : 0)} ${sizeUnits[unit] ?? ''}`;
}

/**
 * Milliseconds in the units a person would use: `340 ms`, `2.3 s`, `45 s`, `3 min 5 s`, `1 h 5 min`. `about` is for
 * waits that nobody counts: `45 s`, `3 min`, `about an hour`, `about 5 hours`.
 */
export function formatDuration(ms: number, precision: 'exact' | 'about' = 'exact'): string {
  if (precision === 'about') return formatAbout(ms);
  if (ms < 1000) return l10n.t('{0} ms', formatNumber(ms));
  if (ms < 9950) return l10n.t('{0} s', formatNumber(ms / 1000, 1));
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return l10n.t('{0} s', formatNumber(seconds));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return inTwo(l10n.t('{0} min', minutes), seconds % 60, (rest) => l10n.t('{0} s', rest));
  const hours = Math.floor(minutes / 60);
  return inTwo(l10n.t('{0} h', formatNumber(hours)), minutes % 60, (rest) => l10n.t('{0} min', rest));
}

function inTwo(first: string, rest: number, second: (rest: number) => string): string {
  return rest === 0 ? first : `${first} ${second(rest)}`;
}

function formatAbout(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return l10n.t('{0} s', formatNumber(seconds));
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 55) return l10n.t('{0} min', minutes);
  const hours = Math.round(minutes / 60);
  if (hours < 48) return plural(hours, l10n.t('about an hour'), l10n.t('about {0} hours', hours));
  return l10n.t('about {0} days', formatNumber(Math.round(hours / 24)));
}

/** A count of tokens in short: `950`, `1.5K`, `128K`, `1M`. */
export function formatCompact(count: number): string {
  if (count < 1000) return formatNumber(count);
  const thousands = count / 1000;
  if (thousands < 999.5) return `${formatNumber(thousands, thousands < 9.95 ? 1 : 0)}K`;
  const millions = count / 1_000_000;
  return `${formatNumber(millions, millions < 9.95 ? 1 : 0)}M`;
}
