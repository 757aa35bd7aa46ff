import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from './format.ts';

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

export function textSize({ characters, lines }: { characters: number; lines: number }): string {
  const count = formatNumber(characters);
  return plural(
    lines,
    l10n.t('{0} characters', count),
    l10n.t('{0} characters, {1} lines', count, formatNumber(lines)),
  );
}
