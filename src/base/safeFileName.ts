import { oneLine } from './oneLine.ts';

/** Names that Windows keeps for devices, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A name of others as that of one file, on any system: it leads to no other folder, and hides nothing. */
export function safeFileName(name: string, fallback: string): string {
  const safe = oneLine(name, 120)
    .replace(/[\\/:*?"<>|…⟨⟩∕]/g, '-')
    .replace(/^[. ]+|[. ]+$/g, '');
  return safe === '' || reserved.test(safe) ? fallback : safe;
}
