/** Records of the knowledge base API; fields that a server may omit are optional. Source: platform-api.md 7. */

/** The spec's terms; a server's `economy` is read as `economical`. */
export type IndexingTechnique = 'high_quality' | 'economical';

export type DocumentForm = 'text_model' | 'hierarchical_model' | 'qa_model';

/** Who sees a knowledge base in the console; `only_me` is the workspace's owner for those made with a key. */
export type DatasetPermission = 'only_me' | 'all_team_members' | 'partial_members';

export interface Dataset {
  id: string;
  name: string;
  description: string;
  technique?: IndexingTechnique;
  form?: DocumentForm;
  isExternal: boolean;
  isUnsearchable?: boolean;
  /** True for an agent knowledge base: it is only searched, and by calls of its own. */
  isAgent?: boolean;
  isPipeline?: boolean;
  documentCount?: number;
  wordCount: number;
  embeddingModel?: string;
  embeddingModelProvider?: string;
  /** False: its embedding model is unavailable, so indexing and searching fail. */
  isEmbeddingAvailable?: boolean;
  permission?: DatasetPermission;
  createdBy?: string;
  /** Further accounts that see it (`partial_members`); only known if it was requested by itself. */
  memberIds?: readonly string[];
  isApiEnabled?: boolean;
  /** Why a knowledge base that the user added couldn't be read; the other fields are then what was known. */
  problem?: string;
  /** Default search settings, kept unparsed to be sent back changed. */
  retrievalModel?: Record<string, unknown>;
  tags: readonly { id: string; name: string }[];
}

export interface Page<T> {
  items: T[];
  hasMore: boolean;
  total?: number;
}

/** The page of a list to read, counted from 1, and the number of records in it. */
export type PageQuery = {
  page: number;
  limit: number;
  keyword?: string;
};

/** `unknown`: a newer server's state, treated as still indexing. */
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
  error?: string;
  isEnabled: boolean;
  isArchived: boolean;
  wordCount?: number;
  tokens?: number;
  hitCount?: number;
  form?: DocumentForm;
  /** Changes with the content, so it shows whether the document was replaced. */
  uploadFileId?: string;
  createdAtMs?: number;
  metadata: readonly DocumentMetadata[];
}

export interface DocumentMetadata {
  id: string;
  name: string;
  value: string | number | null;
  type?: string;
}

export interface AcceptedDocument {
  document: DocumentRecord;
  batch: string;
}

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

export interface FoundSegment {
  segment: Segment;
  documentName: string;
  /** 0 to 1; keyword search may return none. */
  score?: number;
  childChunks: readonly { id: string; content: string; score?: number }[];
}

export type MetadataType = 'string' | 'number' | 'time';

export interface MetadataField {
  id: string;
  name: string;
  type: string;
  count?: number;
}

export interface Tag {
  id: string;
  name: string;
  bindingCount?: number;
}

export interface PlatformModel {
  provider: string;
  model: string;
  label: string;
  isActive: boolean;
}

export interface PipelineSource {
  id: string;
  title: string;
  /** Accepts uploaded files; others read pages, drives or sites on the server. */
  takesLocalFiles: boolean;
}

export interface PipelineFile {
  id: string;
  name: string;
}

export interface StartedPipeline {
  documents: readonly { id: string; error?: string }[];
}
