import type { FormEntry } from './apps/inputForm.ts';
import type { IndexingRun } from './indexingRun.ts';
import type { ProcessRule } from './processRule.ts';

/** A technique in the server's own word: `economy`, or the description's `economical`. */
export type Technique = 'high_quality' | 'economy' | 'economical';

export type DocumentForm = 'text_model' | 'hierarchical_model' | 'qa_model';

/** A knowledge base as the platform keeps it. */
export interface StoredDataset {
  readonly id: string;
  name: string;
  description: string;
  permission: string;
  /** Accounts of `partial_members`. */
  memberIds: readonly string[];
  provider: 'vendor' | 'external';
  /** Null until it is created with one or the first document brings one; the form likewise. */
  technique: Technique | null;
  form: DocumentForm | null;
  processRule: ProcessRule | null;
  embeddingModel: string | null;
  embeddingModelProvider: string | null;
  retrievalModel: RetrievalModel;
  /** Whether its API is switched on. */
  isApiOn: boolean;
  isBuiltInMetadataOn: boolean;
  /** Only the platform's own pages make such. */
  isPipeline: boolean;
  /** Of its pipeline. */
  pipelineInputs: readonly FormEntry[];
  isPublished: boolean;
  readonly createdAt: number;
  updatedAt: number;
  /** Oldest first. */
  documents: StoredDocument[];
  metadata: StoredMetadataField[];
  readonly tagIds: Set<string>;
  /** How many documents it ever had, for their positions. */
  positions: number;
}

/** How a knowledge base is searched. */
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
  /** Another one after each new content. */
  batch: string;
  uploadFileId: string;
  readonly position: number;
  /** What was sent; undefined when the bytes are no text or were too many to keep. */
  text: string | undefined;
  /** Of what was sent. */
  size: number;
  /** Of what was sent, in hexadecimal digits. */
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
  /** Values by the id of their field. */
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
  /** Empty but in hierarchical documents. */
  childChunks: StoredChildChunk[];
}

export interface StoredChildChunk {
  readonly id: string;
  readonly position: number;
  content: string;
  readonly createdAt: number;
}
