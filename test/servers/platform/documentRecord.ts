import { extname } from 'node:path';
import { indexedSegments, indexingStatus, stepsDone } from './indexingRun.ts';
import type { PlatformContext } from './platformContext.ts';
import { countTextTokens } from './splitText.ts';
import type { StoredDataset, StoredDocument } from './storedDataset.ts';
import { account, seconds } from './wireParts.ts';

export function documentRecord(
  { store }: PlatformContext,
  dataset: StoredDataset,
  document: StoredDocument,
): object {
  const status = indexingStatus(document.indexing, store.now());
  const isDone = status === 'completed';
  return {
    id: document.id,
    position: document.position,
    data_source_type: 'upload_file',
    data_source_info: { upload_file_id: document.uploadFileId },
    data_source_detail_dict: { upload_file: uploadFile(document) },
    dataset_process_rule_id: document.batch,
    name: document.name,
    created_from: 'api',
    created_by: account,
    created_at: seconds(document.createdAt),
    tokens: isDone ? tokensOf(document) : 0,
    indexing_status: status,
    error: status === 'error' ? document.indexing.error : null,
    enabled: document.isEnabled,
    disabled_at: document.isEnabled ? null : seconds(document.updatedAt),
    disabled_by: document.isEnabled ? null : account,
    archived: document.isArchived,
    display_status: displayStatus(document, store.now()),
    word_count: isDone ? (document.text?.length ?? 0) : 0,
    hit_count: document.hitCount,
    doc_form: document.form,
    doc_metadata: metadataOf(dataset, document),
    summary_index_status: null,
    need_summary: false,
  };
}

function uploadFile({ uploadFileId, name, size, updatedAt }: StoredDocument): object {
  const extension = extname(name).slice(1);
  const mime = { mime_type: extension === 'md' ? 'text/markdown' : 'text/plain' };
  return {
    id: uploadFileId,
    name,
    size,
    extension,
    ...mime,
    created_by: account,
    created_at: seconds(updatedAt),
  };
}

/** The reply to a creation: indexing hasn't begun, however fast it will be. */
export function acceptedRecord(
  context: PlatformContext,
  dataset: StoredDataset,
  document: StoredDocument,
): object {
  const fresh = {
    indexing_status: 'waiting',
    display_status: 'queuing',
    error: null,
    tokens: 0,
    word_count: 0,
  };
  return { document: { ...documentRecord(context, dataset, document), ...fresh }, batch: document.batch };
}

/** Recorded. */
const automaticRules = {
  pre_processing_rules: [
    { id: 'remove_extra_spaces', enabled: true },
    { id: 'remove_urls_emails', enabled: false },
  ],
  segmentation: { delimiter: '\n', max_tokens: 500, chunk_overlap: 50 },
};

/** Fields that only the route of one document has, beside the metadata. */
export function documentDetail(
  context: PlatformContext,
  dataset: StoredDataset,
  document: StoredDocument,
): object {
  const { segments, processRule } = document;
  const rule = { rules: automaticRules, ...processRule };
  const length = segments.reduce((sum, { content }) => sum + content.length, 0);
  return {
    ...documentRecord(context, dataset, document),
    data_source_info: { upload_file: uploadFile(document) },
    dataset_process_rule: rule,
    document_process_rule: { id: document.batch, dataset_id: dataset.id, ...rule },
    completed_at: seconds(document.updatedAt),
    updated_at: seconds(document.updatedAt),
    indexing_latency: 1,
    doc_type: null,
    doc_language: document.language,
    segment_count: segments.length,
    average_segment_length: segments.length === 0 ? 0 : Math.round(length / segments.length),
  };
}

export function displayStatus(document: StoredDocument, now: number): string {
  switch (indexingStatus(document.indexing, now)) {
    case 'waiting':
      return 'queuing';
    case 'paused':
      return 'paused';
    case 'error':
      return 'error';
    case 'completed':
      if (document.isArchived) return 'archived';
      return document.isEnabled ? 'available' : 'disabled';
    default:
      return 'indexing';
  }
}

export function indexingRecord(document: StoredDocument, now: number): object {
  const { indexing, segments } = document;
  const done = stepsDone(indexing, now);
  const status = indexingStatus(indexing, now);
  const timeOf = (step: number): number | null => (done >= step ? seconds(indexing.startedAt) + step : null);
  return {
    id: document.id,
    indexing_status: status,
    processing_started_at: timeOf(1),
    parsing_completed_at: timeOf(2),
    cleaning_completed_at: timeOf(3),
    splitting_completed_at: timeOf(4),
    completed_at: status === 'completed' ? timeOf(5) : null,
    paused_at: status === 'paused' ? timeOf(4) : null,
    error: status === 'error' ? indexing.error : null,
    stopped_at: null,
    completed_segments: indexedSegments(indexing, segments.length, now),
    total_segments: done >= 4 ? segments.length : 0,
  };
}

export function metadataOf(dataset: StoredDataset, document: StoredDocument): object[] | null {
  const values = dataset.metadata.flatMap(({ id, name, type }) => {
    const value = document.metadata.get(id);
    return value === undefined ? [] : [{ id, name, type, value }];
  });
  const builtIn = dataset.isBuiltInMetadataOn
    ? [
        { id: 'built-in', name: 'document_name', type: 'string', value: document.name },
        { id: 'built-in', name: 'uploader', type: 'string', value: 'sandbox' },
        { id: 'built-in', name: 'upload_date', type: 'time', value: seconds(document.createdAt) },
        { id: 'built-in', name: 'last_update_date', type: 'time', value: seconds(document.updatedAt) },
        { id: 'built-in', name: 'source', type: 'string', value: 'file_upload' },
      ]
    : [];
  return values.length + builtIn.length === 0 ? null : [...values, ...builtIn];
}

function tokensOf({ segments }: StoredDocument): number {
  return segments.reduce((sum, { content }) => sum + countTextTokens(content), 0);
}
