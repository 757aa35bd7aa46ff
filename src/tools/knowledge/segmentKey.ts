import type { FoundSegment } from './source.ts';

/** What identifies a segment on its platform. */
export function segmentKey({ datasetId, documentId, segmentId }: FoundSegment): string {
  return JSON.stringify([datasetId, documentId, segmentId]);
}
