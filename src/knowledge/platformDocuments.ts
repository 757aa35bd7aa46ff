import type { PlatformClient } from '../platform/platformClient.ts';
import type { DocumentRecord } from '../platform/records.ts';
import { eachPage } from '../platform/platformWire.ts';
import type { PendingUpload } from './manifest/manifestRecords.ts';

export class PlatformDocuments {
  readonly byId = new Map<string, DocumentRecord>();
  /** Among several with one name, the one that an upload would replace. */
  readonly byName = new Map<string, DocumentRecord>();

  constructor(records: Iterable<DocumentRecord>) {
    for (const record of records) {
      this.byId.set(record.id, record);
      const other = this.byName.get(record.name);
      if (!other || (record.isEnabled && !other.isEnabled)) this.byName.set(record.name, record);
    }
  }

  /** The new or changed document of an interrupted upload; undefined if the server can't tell contents. */
  arrival({ name, replaces }: Pick<PendingUpload, 'name' | 'replaces'>): DocumentRecord | undefined {
    const found = (replaces && this.byId.get(replaces.id)) ?? this.byName.get(name);
    if (!found || found.id !== replaces?.id) return found;
    return isReplaced(replaces.uploadFileId, found) ? found : undefined;
  }
}

/** True if the document's content isn't the one of `uploadFileId`; false if the server doesn't tell. */
export function isReplaced(uploadFileId: string | undefined, record: DocumentRecord): boolean {
  return (
    uploadFileId !== undefined && record.uploadFileId !== undefined && record.uploadFileId !== uploadFileId
  );
}

export async function listDocuments(
  client: PlatformClient,
  datasetId: string,
  signal: AbortSignal,
  keyword?: string,
): Promise<PlatformDocuments> {
  const records = new Map<string, DocumentRecord>();
  for await (const page of documentPages(client, datasetId, signal, keyword)) {
    for (const record of page) records.set(record.id, record);
  }
  return new PlatformDocuments(records.values());
}

export function documentPages(
  client: PlatformClient,
  datasetId: string,
  signal: AbortSignal,
  keyword?: string,
): AsyncGenerator<readonly DocumentRecord[], void, void> {
  return eachPage((query) =>
    client.documents.list(datasetId, { ...query, ...(keyword !== undefined && { keyword }) }, signal),
  );
}
