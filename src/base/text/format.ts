import * as l10n from '@vscode/l10n';

/** A BCP 47 tag; undefined for the system's locale. */
let locale: string | undefined;
/** By maximum fraction digits; creating a format is slow. */
const formats = new Map<number, Intl.NumberFormat>();
let timeFormat: Intl.DateTimeFormat | undefined;

export function setFormatLocale(language: string): void {
  try {
    locale = Intl.getCanonicalLocales(language)[0];
  } catch {
    locale = undefined;
  }
  formats.clear();
  timeFormat = undefined;
}

/** Chooses a form by count. Languages without plurals translate both alike. */
export function plural(count: number, one: string, other: string): string {
  return count === 1 ? one : other;
}

export function formatNumber(value: number, maximumFractionDigits = 0): string {
  const format =
    formats.get(maximumFractionDigits) ?? new Intl.NumberFormat(locale, { maximumFractionDigits });
  formats.set(maximumFractionDigits, format);
  return format.format(value);
}

export function textSize({ characters, lines }: { characters: number; lines: number }): string {
  const count = formatNumber(characters);
  return plural(
    lines,
    l10n.t('{0} characters', count),
    l10n.t('{0} characters, {1} lines', count, formatNumber(lines)),
  );
}

/** In bytes. The editor and the platform count sizes in powers of 1024. */
export const megabyte = 1024 * 1024;

const sizeUnits = ['KB', 'MB', 'GB', 'TB'];

export function formatSize(bytes: number): string {
  const { value, unit } = scaled(bytes);
  return `${formatNumber(value, value < 9.95 ? 1 : 0)} ${unit}`;
}

/** Formats a size above a limit, rounded up, with enough decimals to differ from the limit. */
export function formatSizeOver(bytes: number, limit: number): string {
  const { value, unit } = scaled(bytes);
  for (const digits of [1, 2, 3]) {
    const text = `${formatNumber(Math.ceil(value * 10 ** digits) / 10 ** digits, digits)} ${unit}`;
    if (text !== formatSize(limit)) return text;
  }
  return `${formatNumber(bytes)} B`;
}

function scaled(bytes: number): { value: number; unit: string } {
  if (bytes < 999.5) return { value: bytes, unit: 'B' };
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1024;
    unit++;
  }
  return { value, unit: sizeUnits[unit] ?? '' };
}

/** Formats milliseconds: `340 ms`, `2.3 s`, `3 min 5 s`, `1 h 5 min`; with `about`: `45 s`, `3 min`, `about an hour`. */
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

export function formatTime(epochMs: number): string {
  timeFormat ??= new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return timeFormat.format(epochMs);
}

export function formatDay(epochMs: number): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }).format(epochMs);
}

/** The local date as 2026-01-31, which sorts as text. */
export function localDate(date: Date): string {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

export function formatTokens(count: number): string {
  return plural(count, l10n.t('1 token'), l10n.t('{0} tokens', formatNumber(count)));
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

/** Formats a token count: `950`, `1.5K`, `1M`; multiples of 1024, as in context windows, are divided by it. */
export function formatCompact(count: number): string {
  const thousand = count % 1000 !== 0 && count % 1024 === 0 ? 1024 : 1000;
  if (count < thousand) return formatNumber(count);
  const thousands = count / thousand;
  if (thousands < 999.5) return `${formatNumber(thousands, thousands < 9.95 ? 1 : 0)}K`;
  const millions = thousands / thousand;
  return `${formatNumber(millions, millions < 9.95 ? 1 : 0)}M`;
}
