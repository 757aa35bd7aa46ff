import * as l10n from '@vscode/l10n';
import { formatNumber, locale, plural } from './format.ts';

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

const timeFormats = new Map<string | undefined, Intl.DateTimeFormat>();

export function formatTime(epochMs: number): string {
  const format =
    timeFormats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  timeFormats.set(locale, format);
  return format.format(epochMs);
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
