import type { DocumentRecord } from '../platform/records.ts';
import type { Manifest } from './manifest.ts';
import type { Doubt } from './manifestRecords.ts';
import type { PlatformDocuments } from './platformDocuments.ts';

/** Writes down which documents arrived although nobody heard of it. Resolves with them. */
export async function settleDoubts(
  manifest: Manifest,
  platform: PlatformDocuments,
): Promise<{ doubt: Doubt; record: DocumentRecord }[]> {
  const arrived = [...manifest.state.doubts.values()].flatMap((doubt) => {
    const record = platform.arrival(doubt);
    return record ? [{ doubt, record }] : [];
  });
  for (const { doubt, record } of arrived) {
    const { replaces: _, ...content } = doubt;
    await manifest.append({
      ...content,
      type: 'sent',
      documentId: record.id,
      ...(record.uploadFileId !== undefined && { uploadFileId: record.uploadFileId }),
    });
  }
  return arrived;
}
