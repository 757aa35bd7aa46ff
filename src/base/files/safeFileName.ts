import { oneLine } from '../text/oneLine.ts';

/** Stands for a slash in names of documents that are uploaded as files: the platform refuses the slash itself. */
export const slashLookalike = '\u2215';

export function withSlashes(documentName: string): string {
  return documentName.replaceAll(slashLookalike, '/');
}

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

export function safeFileName(name: string, fallback: string): string {
  const safe = oneLine(name, 120)
    .replace(/[\\/:*?"<>|…⟨⟩∕]/g, '-')
    .replace(/^[. ]+|[. ]+$/g, '');
  return safe === '' || reserved.test(safe) ? fallback : safe;
}
