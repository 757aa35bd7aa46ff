import type { Manifest } from './manifest.ts';
import type { Doubt } from './manifestRecords.ts';
import type { PlatformDocuments } from './platformDocuments.ts';

/** A server that has not finished with a document by then has lost it. */
const forgottenMs = 60 * 60_000;

/** Writes down which documents arrived although nobody heard of it. Resolves with them. */
export async function settleDoubts(
  manifest: Manifest,
  platform: PlatformDocuments,
  now: number,
): Promise<Doubt[]> {
  const arrived: Doubt[] = [];
  for (const doubt of [...manifest.state.doubts.values()]) {
    const record = platform.arrival(doubt);
    if (record) {
      const { replaces: _, ...content } = doubt;
      const { id: documentId, uploadFileId } = record;
      await manifest.append({
        ...content,
        type: 'sent',
        documentId,
        ...(uploadFileId !== undefined && { uploadFileId }),
      });
      arrived.push(doubt);
    } else if (now - doubt.at > forgottenMs) {
      // A document of that name that appears from now on is somebody else's.
      await manifest.append({ type: 'refused', at: now, name: doubt.name });
    }
  }
  return arrived;
}
