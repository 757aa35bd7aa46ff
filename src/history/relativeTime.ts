import * as l10n from '@vscode/l10n';
import { plural } from '../base/text/format.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export function relativeTime(atMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - atMs) / minuteMs);
  if (minutes < 1) return l10n.t('now');
  if (minutes < 60) return plural(minutes, l10n.t('1 min'), l10n.t('{0} mins', minutes));
  const days = Math.round((midnight(nowMs) - midnight(atMs)) / dayMs);
  const hours = Math.floor(minutes / 60);
  if (days < 1) return plural(hours, l10n.t('1 hr'), l10n.t('{0} hrs', hours));
  if (days === 1) return l10n.t('yesterday');
  if (days < 7) return plural(days, l10n.t('1 day'), l10n.t('{0} days', days));
  const weeks = Math.floor(days / 7);
  if (days < 30) return plural(weeks, l10n.t('1 wk'), l10n.t('{0} wks', weeks));
  const months = Math.floor(days / 30);
  if (days < 365) return plural(months, l10n.t('1 mo'), l10n.t('{0} mos', months));
  const years = Math.floor(days / 365);
  return plural(years, l10n.t('1 yr'), l10n.t('{0} yrs', years));
}

function midnight(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}
