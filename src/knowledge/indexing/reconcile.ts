import type { Manifest } from '../manifest/manifest.ts';
import type { PendingUpload } from '../manifest/manifestRecords.ts';
import type { PlatformDocuments } from '../platformDocuments.ts';

/** After that, a server has lost an unfinished document. */
const forgottenMs = 60 * 60_000;

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
      // A later document of that name is someone else's.
      await manifest.append({ type: 'refused', at: now, name: pending.name });
    }
  }
  return arrived;
}
