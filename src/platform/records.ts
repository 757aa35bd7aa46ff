/** What the platform's dataset calls give, in our words; everything a server may leave out is optional. Source: platform-api.md 7. */

/** The spec's words; a server that says `economy` is read as `economical`. */
export type IndexingTechnique = 'high_quality' | 'economical';

export type DocumentForm = 'text_model' | 'hierarchical_model' | 'qa_model';

export interface Dataset {
  id: string;
  name: string;
  description: string;
  /** Undefined as long as no document was added. */
  technique?: IndexingTechnique;
  /** Undefined as long as no document was added. */
  form?: DocumentForm;
  /** Of another system: it can be searched, but is read-only. */
  isExternal: boolean;
  /** Filled by a pipeline that was set up on the platform: see `PipelineSource`. */
  isPipeline?: boolean;
  /** Undefined where it is not known, or not any more. */
  documentCount?: number;
  wordCount: number;
  embeddingModel?: string;
  embeddingModelProvider?: string;
  /** False: its embedding model is not available, so indexing and searching fail. */
  isEmbeddingAvailable?: boolean;
  /** False: its API access is switched off, so it is listed and nothing more. */
  isApiEnabled?: boolean;
  /** What a search uses that names nothing of its own; unread, to be sent back changed. */
  retrievalModel?: Record<string, unknown>;
  tags: readonly { id: string; name: string }[];
}

/** One page of a list. Pages count from 1. */
export interface Page<T> {
  items: T[];
  /** Whether to ask for the next page, which may turn out empty. */
  hasMore: boolean;
  total?: number;
}

/** How far a document is. `unknown` is a state of a newer server: it is still going on. */
export type IndexingState =
  | 'waiting'
  | 'parsing'
  | 'cleaning'
  | 'splitting'
  | 'indexing'
  | 'completed'
  | 'error'
  | 'paused'
  | 'unknown';

/** What the platform itself shows of a document. */
export type DisplayStatus =
  | 'queuing'
  | 'indexing'
  | 'paused'
  | 'error'
  | 'available'
  | 'disabled'
  | 'archived'
  | 'unknown';

export interface DocumentRecord {
  id: string;
  name: string;
  position?: number;
  state: IndexingState;
  display: DisplayStatus;
  /** The server's reason when `state` is `error`. */
  error?: string;
  isEnabled: boolean;
  isArchived: boolean;
  wordCount?: number;
  tokens?: number;
  hitCount?: number;
  form?: DocumentForm;
  /** Another one after each new content, so it tells that somebody replaced the document. */
  uploadFileId?: string;
  /** Unix milliseconds. */
  createdAtMs?: number;
  metadata: readonly DocumentMetadata[];
}

export interface DocumentMetadata {
  id: string;
  name: string;
  value: string | number | null;
  type?: string;
}

/** A document that the server took; `batch` is what its indexing is asked by. */
export interface AcceptedDocument {
  document: DocumentRecord;
  batch: string;
}

/** How far the indexing of one document is. */
export interface IndexingProgress {
  documentId: string;
  state: IndexingState;
  error?: string;
  completedSegments?: number;
  totalSegments?: number;
}

export interface Segment {
  id: string;
  documentId: string;
  /** 1-based place in the document. */
  position?: number;
  content: string;
  answer?: string;
  keywords: readonly string[];
  isEnabled: boolean;
  /** `waiting`, `indexing`, `completed`, `error`, `re_segment` or a newer one. */
  status?: string;
  error?: string;
  wordCount?: number;
  tokens?: number;
  hitCount?: number;
}

export interface ChildChunk {
  id: string;
  segmentId?: string;
  position?: number;
  content: string;
  wordCount?: number;
}

/** A segment that a search found. */
export interface FoundSegment {
  segment: Segment;
  documentName: string;
  /** 0 to 1; keyword search may give none. */
  score?: number;
  childChunks: readonly { id: string; content: string; score?: number }[];
}

export type MetadataType = 'string' | 'number' | 'time';

export interface MetadataField {
  id: string;
  name: string;
  type: string;
  /** In how many documents it has a value. */
  count?: number;
}

export interface Tag {
  id: string;
  name: string;
  bindingCount?: number;
}

/** A model that the platform can use for embedding or reranking. */
export interface PlatformModel {
  provider: string;
  model: string;
  label: string;
  isActive: boolean;
}

/** Where the pipeline of a knowledge base takes documents from. */
export interface PipelineSource {
  id: string;
  title: string;
  /** It takes files that are uploaded for it; others read pages, drives or sites on the platform's side. */
  takesLocalFiles: boolean;
  /** It asks for more than files. */
  needsInputs: boolean;
}

/** What came of starting a pipeline: indexing goes on afterwards, as for other documents. */
export interface StartedPipeline {
  /** Empty where the server does not tell. */
  documents: readonly { id: string; error?: string }[];
}
