import { createHmac, randomBytes } from 'node:crypto';
import type { StoredDataset, StoredDocument } from './storedDataset.ts';

const secret = randomBytes(16);

export function fileUrl(host: string, { uploadFileId }: StoredDocument): string {
  return `http://${host}/files/${uploadFileId}/file-preview?sign=${signature(uploadFileId)}`;
}

/** The document whose upload the address names, if the signature is right. */
export function fileOf(
  datasets: readonly StoredDataset[],
  uploadFileId: string,
  sign: string | null,
): StoredDocument | undefined {
  if (sign !== signature(uploadFileId)) return undefined;
  return datasets.flatMap(({ documents }) => documents).find((one) => one.uploadFileId === uploadFileId);
}

function signature(uploadFileId: string): string {
  return createHmac('sha256', secret).update(uploadFileId).digest('base64url');
}
