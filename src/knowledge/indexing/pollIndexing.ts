import type { PlatformClient } from '../../platform/platformClient.ts';
import { isNotFound } from '../../platform/platformErrors.ts';
import type { DocumentRecord, IndexingProgress } from '../../platform/records.ts';
import type { SentDocument } from '../manifest/manifestRecords.ts';
import { documentPages } from '../platformDocuments.ts';

export interface PolledDocument {
  record?: DocumentRecord;
  progress?: IndexingProgress;
}

/** Up to this number, documents are requested one by one; more through the list. */
const few = 3;
const mostAsked = { indexing: 3, completed: 10 };

export async function pollIndexing(
  client: PlatformClient,
  datasetId: string,
  pending: readonly SentDocument[],
  signal: AbortSignal,
): Promise<Map<string, PolledDocument>> {
  const polled = new Map<string, PolledDocument>();
  if (pending.length <= few) {
    for (const sent of pending) polled.set(sent.documentId, await pollOne(client, datasetId, sent, signal));
    return polled;
  }
  const missing = new Map(pending.map((sent) => [sent.documentId, sent]));
  const left = { ...mostAsked };
  for await (const page of documentPages(client, datasetId, signal)) {
    for (const record of page) {
      const sent = missing.get(record.id);
      if (!sent) continue;
      missing.delete(record.id);
      const { state } = record;
      const hasProgress = state === 'indexing' || state === 'completed';
      const progress =
        hasProgress && left[state]-- > 0 ? await progressOf(client, datasetId, sent, signal) : undefined;
      polled.set(record.id, { record, ...(progress && { progress }) });
    }
    if (missing.size === 0) break;
  }
  for (const id of missing.keys()) polled.set(id, {});
  return polled;
}

async function pollOne(
  client: PlatformClient,
  datasetId: string,
  sent: SentDocument,
  signal: AbortSignal,
): Promise<PolledDocument> {
  const progress = await progressOf(client, datasetId, sent, signal);
  if (progress && progress.state !== 'completed') return { progress };
  const record = await client.documents.get(datasetId, sent.documentId, signal).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (!record) return {};
  const counted =
    progress ?? (record.state === 'completed' ? await count(client, datasetId, record, signal) : undefined);
  return { record, ...(counted && { progress: counted }) };
}

async function progressOf(
  client: PlatformClient,
  datasetId: string,
  { batch, documentId }: SentDocument,
  signal: AbortSignal,
): Promise<IndexingProgress | undefined> {
  if (batch === undefined) return undefined;
  const all = await client.documents.indexingStatus(datasetId, batch, signal);
  return all?.find((progress) => progress.documentId === documentId);
}

async function count(
  client: PlatformClient,
  datasetId: string,
  { id: documentId }: DocumentRecord,
  signal: AbortSignal,
): Promise<IndexingProgress | undefined> {
  const { total } = await client.segments.list({ datasetId, documentId }, { page: 1, limit: 1 }, signal);
  return total === undefined ? undefined : { documentId, state: 'completed', totalSegments: total };
}
