import type { Manifest } from './manifest.ts';
import type { PendingUpload } from './manifestRecords.ts';
import type { PlatformDocuments } from './platformDocuments.ts';

/** A server that has not finished with a document by then has lost it. */
const forgottenMs = 60 * 60_000;

/** Writes down which documents arrived although nobody heard of it. Resolves with them. */
export async function reconcile(
  manifest: Manifest,
  platform: PlatformDocuments,
  now: number,
): Promise<PendingUpload[]> {
  const arrived: PendingUpload[] = [];
  for (const pending of [...manifest.state.pendingUploads.values()]) {
    const record = platform.arrival(pending);
    if (record) {
      const { replaces: _, ...content } = pending;
      const { id: documentId, uploadFileId } = record;
      await manifest.append({
        ...content,
        type: 'sent',
        documentId,
        ...(uploadFileId !== undefined && { uploadFileId }),
      });
      arrived.push(pending);
    } else if (now - pending.at > forgottenMs) {
      // A document of that name that appears from now on is somebody else's.
      await manifest.append({ type: 'refused', at: now, name: pending.name });
    }
  }
  return arrived;
}
