import { oneLine } from '../text/oneLine.ts';

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Makes a file name that is safe on every system: no separators, no hidden characters. */
export function safeFileName(name: string, fallback: string): string {
  const safe = oneLine(name, 120)
    .replace(/[\\/:*?"<>|…⟨⟩∕]/g, '-')
    .replace(/^[. ]+|[. ]+$/g, '');
  return safe === '' || reserved.test(safe) ? fallback : safe;
}
