import type { PlatformClient } from '../platform/platformClient.ts';
import type { DocumentRecord } from '../platform/records.ts';
import type { PendingUpload } from './manifestRecords.ts';

export const pageSize = 100;

/** The documents of a knowledge base at one moment. */
export class PlatformDocuments {
  readonly byId = new Map<string, DocumentRecord>();
  /** Of several of one name the one that a new document of that name would replace. */
  readonly byName = new Map<string, DocumentRecord>();

  constructor(records: Iterable<DocumentRecord>) {
    for (const record of records) {
      this.byId.set(record.id, record);
      const other = this.byName.get(record.name);
      if (!other || (record.isEnabled && !other.isEnabled)) this.byName.set(record.name, record);
    }
  }

  /**
   * The document of a sending whose end is not known, if it arrived: one that was not there before, or that has
   * other content than before. Undefined too when the server does not tell one content from another; then it is sent
   * again, which replaces it.
   */
  arrival({ name, replaces }: Pick<PendingUpload, 'name' | 'replaces'>): DocumentRecord | undefined {
    const found = (replaces && this.byId.get(replaces.id)) ?? this.byName.get(name);
    if (!found || found.id !== replaces?.id) return found;
    return isReplaced(replaces.uploadFileId, found) ? found : undefined;
  }
}

/** Whether the document has other content than what `uploadFileId` stands for; false where the server does not tell. */
export function isReplaced(uploadFileId: string | undefined, record: DocumentRecord): boolean {
  return (
    uploadFileId !== undefined && record.uploadFileId !== undefined && record.uploadFileId !== uploadFileId
  );
}

/** All pages; with a keyword, those whose name holds it. */
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

/** Page after page, until the server has no more or gives nothing new. */
export async function* documentPages(
  client: PlatformClient,
  datasetId: string,
  signal: AbortSignal,
  keyword?: string,
): AsyncGenerator<readonly DocumentRecord[], void, void> {
  const seen = new Set<string>();
  for (let page = 1; ; page++) {
    const query = { page, limit: pageSize, ...(keyword !== undefined && { keyword }) };
    const { items, hasMore } = await client.documents.list(datasetId, query, signal);
    const before = seen.size;
    for (const { id } of items) seen.add(id);
    yield items;
    if (!hasMore || seen.size === before) return;
  }
}
