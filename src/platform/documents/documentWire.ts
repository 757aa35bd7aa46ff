import * as z from 'zod/mini';
import { asObject } from '../../base/json.ts';
import type { AcceptedDocument, DocumentMetadata, DocumentRecord, IndexingProgress } from '../records.ts';
import { loosely } from '../../base/lenientSchemas.ts';
import { count, documentForm, flag, id, readList, text, withKnown } from '../platformWire.ts';

const state = loosely(
  z.enum(['waiting', 'parsing', 'cleaning', 'splitting', 'indexing', 'completed', 'error', 'paused']),
);
const display = loosely(
  z.enum(['queuing', 'indexing', 'paused', 'error', 'available', 'disabled', 'archived']),
);

const documentSchema = z.object({
  id,
  name: text,
  position: count,
  indexing_status: state,
  display_status: display,
  error: text,
  enabled: flag,
  archived: flag,
  word_count: count,
  tokens: count,
  hit_count: count,
  doc_form: documentForm,
  created_at: count,
  data_source_info: loosely(z.looseObject({ upload_file_id: text })),
  data_source_detail_dict: loosely(z.looseObject({ upload_file: loosely(z.looseObject({ id: text })) })),
});

export function readDocument(json: unknown): DocumentRecord | undefined {
  const { data: wire } = documentSchema.safeParse(json);
  if (!wire) return undefined;
  return withKnown<DocumentRecord>({
    id: wire.id,
    name: wire.name ?? '',
    position: wire.position,
    state: wire.indexing_status ?? 'unknown',
    display: wire.display_status ?? 'unknown',
    error: wire.error || undefined,
    isEnabled: wire.enabled ?? true,
    isArchived: wire.archived ?? false,
    wordCount: wire.word_count,
    tokens: wire.tokens,
    hitCount: wire.hit_count,
    form: wire.doc_form,
    uploadFileId:
      wire.data_source_info?.upload_file_id || wire.data_source_detail_dict?.upload_file?.id || undefined,
    createdAtMs: wire.created_at === undefined ? undefined : wire.created_at * 1000,
    metadata: readList(asObject(json)?.['doc_metadata'], readMetadataValue),
  });
}

const metadataSchema = z.object({
  id,
  name: z.string(),
  type: text,
  value: loosely(z.union([z.string(), z.number()])),
});

function readMetadataValue(json: unknown): DocumentMetadata | undefined {
  const { data: wire } = metadataSchema.safeParse(json);
  return wire && withKnown({ id: wire.id, name: wire.name, type: wire.type, value: wire.value ?? null });
}

export function readAccepted(json: unknown): AcceptedDocument | undefined {
  const outer = asObject(json);
  const document = readDocument(outer?.['document']);
  return document && { document, batch: text.parse(outer?.['batch']) ?? '' };
}

const progressSchema = z.object({
  id,
  indexing_status: state,
  error: text,
  completed_segments: count,
  total_segments: count,
});

export function readProgress(json: unknown): IndexingProgress | undefined {
  const { data: wire } = progressSchema.safeParse(json);
  if (!wire) return undefined;
  return withKnown<IndexingProgress>({
    documentId: wire.id,
    state: wire.indexing_status ?? 'unknown',
    error: wire.error || undefined,
    completedSegments: wire.completed_segments,
    totalSegments: wire.total_segments,
  });
}
