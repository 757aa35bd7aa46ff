import type { FoundSegment } from './source.ts';

/** Apart from `source.ts`, whose schemas would bring zod into the first use. */
export function segmentKey({ datasetId, documentId, segmentId }: FoundSegment): string {
  return JSON.stringify([datasetId, documentId, segmentId]);
}

export const longestKeptContent = 20_000;
