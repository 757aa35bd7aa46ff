import { countTextTokens } from './splitText.ts';
import type { StoredChildChunk, StoredDocument, StoredSegment } from './storedDataset.ts';
import { account, seconds } from './wireParts.ts';

export function segmentRecord(document: StoredDocument, segment: StoredSegment): object {
  return {
    id: segment.id,
    position: segment.position,
    document_id: document.id,
    content: segment.content,
    sign_content: segment.content,
    answer: segment.answer,
    word_count: segment.content.length,
    tokens: countTextTokens(segment.content),
    keywords: segment.keywords,
    index_node_id: segment.id,
    index_node_hash: segment.id.replaceAll('-', ''),
    hit_count: segment.hitCount,
    enabled: segment.isEnabled,
    disabled_at: null,
    disabled_by: null,
    status: 'completed',
    created_by: account,
    created_at: seconds(segment.createdAt),
    updated_at: seconds(segment.createdAt),
    updated_by: null,
    indexing_at: seconds(segment.createdAt),
    completed_at: seconds(segment.createdAt),
    error: null,
    stopped_at: null,
    child_chunks: segment.childChunks.map((chunk) => childChunkRecord(segment, chunk)),
    attachments: [],
    summary: null,
  };
}

export function childChunkRecord(segment: StoredSegment, chunk: StoredChildChunk): object {
  return {
    id: chunk.id,
    segment_id: segment.id,
    content: chunk.content,
    position: chunk.position,
    word_count: chunk.content.length,
    type: 'automatic',
    created_at: seconds(chunk.createdAt),
    updated_at: seconds(chunk.createdAt),
  };
}
