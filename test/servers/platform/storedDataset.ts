import type { FormEntry } from './apps/inputForm.ts';
import type { IndexingRun } from './indexingRun.ts';
import type { ProcessRule } from './processRule.ts';

/** The server's own words: `economy`, or the description's `economical`. */
export type Technique = 'high_quality' | 'economy' | 'economical';

export type DocumentForm = 'text_model' | 'hierarchical_model' | 'qa_model';

export interface StoredDataset {
  readonly id: string;
  name: string;
  description: string;
  permission: string;
  /** Accounts of `partial_members`. */
  memberIds: readonly string[];
  provider: 'vendor' | 'external';
  /** Null until set at the creation or by the first document; the form likewise. */
  technique: Technique | null;
  form: DocumentForm | null;
  processRule: ProcessRule | null;
  embeddingModel: string | null;
  embeddingModelProvider: string | null;
  retrievalModel: RetrievalModel;
  isApiOn: boolean;
  isBuiltInMetadataOn: boolean;
  /** Can be created on the platform's own pages only. */
  isPipeline: boolean;
  pipelineInputs: readonly FormEntry[];
  isPublished: boolean;
  readonly createdAt: number;
  updatedAt: number;
  /** Oldest first. */
  documents: StoredDocument[];
  metadata: StoredMetadataField[];
  readonly tagIds: Set<string>;
  /** Number of documents ever added, for their positions. */
  positions: number;
}

export interface RetrievalModel {
  search_method: 'keyword_search' | 'semantic_search' | 'full_text_search' | 'hybrid_search';
  reranking_enable: boolean;
  top_k: number;
  score_threshold_enabled: boolean;
  score_threshold?: number | null | undefined;
  [other: string]: unknown;
}

export interface StoredMetadataField {
  readonly id: string;
  name: string;
  readonly type: 'string' | 'number' | 'time';
}

export interface StoredDocument {
  readonly id: string;
  name: string;
  /** Changes with the content. */
  batch: string;
  uploadFileId: string;
  readonly position: number;
  /** Undefined if the upload is no text or was too large to keep. */
  text: string | undefined;
  size: number;
  /** Hexadecimal hash of the upload. */
  sha256: string;
  processRule: ProcessRule;
  form: DocumentForm;
  language: string;
  readonly createdAt: number;
  updatedAt: number;
  isEnabled: boolean;
  isArchived: boolean;
  hitCount: number;
  indexing: IndexingRun;
  segments: StoredSegment[];
  /** Values by field id. */
  metadata: Map<string, string | number | null>;
}

export interface StoredSegment {
  readonly id: string;
  readonly position: number;
  content: string;
  answer: string | null;
  keywords: string[];
  isEnabled: boolean;
  hitCount: number;
  readonly createdAt: number;
  /** Empty except in hierarchical documents. */
  childChunks: StoredChildChunk[];
}

export interface StoredChildChunk {
  readonly id: string;
  readonly position: number;
  content: string;
  readonly createdAt: number;
}
