import type { Readable } from 'node:stream';
import { createChildChunkCalls } from './childChunks.ts';
import { createDatasetCalls } from './datasets.ts';
import { createDocumentCalls } from './documents.ts';
import { createMetadataCalls } from './metadata.ts';
import { listModels } from './models.ts';
import { createPipelineCalls } from './pipelines.ts';
import { createCaller, type PlatformContext } from './platformCall.ts';
import type {
  AcceptedDocument,
  ChildChunk,
  Dataset,
  DocumentForm,
  DocumentRecord,
  DisplayStatus,
  FoundSegment,
  IndexingProgress,
  IndexingTechnique,
  MetadataField,
  MetadataType,
  Page,
  PipelineSource,
  PlatformModel,
  Segment,
  StartedPipeline,
  Tag,
} from './records.ts';
import type { ProcessRule } from './processRule.ts';
import type { SearchSettings } from './searchSettings.ts';
import { createSegmentCalls } from './segments.ts';
import { createTagCalls } from './tags.ts';
import { testDatasetKey } from './testConnection.ts';

/**
 * One platform with one dataset key, which opens all knowledge bases of its workspace. Every method throws a
 * `SwitchboardError`; what a server's version lacks throws one that `isMissingOnServer` recognises. Holds nothing open.
 * Only reads are retried; what creates or changes is sent once, but for the corrected second try in the server's
 * dialect and for the rate limits that refuse before anything was done.
 */
export interface PlatformClient {
  /**
   * Tries the key at the smallest call that it opens; servers have no call for that purpose. Resolves with the number
   * of knowledge bases. Throws `key`, which says so if the key is an app's.
   */
  testConnection(signal: AbortSignal): Promise<number>;
  datasets: DatasetCalls;
  documents: DocumentCalls;
  segments: SegmentCalls;
  childChunks: ChildChunkCalls;
  metadata: MetadataCalls;
  tags: TagCalls;
  pipelines: PipelineCalls;
  /** Empty when the server has none, or does not tell. */
  models(type: 'text-embedding' | 'rerank', signal: AbortSignal): Promise<PlatformModel[]>;
}

export interface NewDataset {
  /** 1 to 40 characters. */
  name: string;
  description?: string;
  technique?: IndexingTechnique;
  permission?: 'only_me' | 'all_team_members';
  embeddingModel?: { provider: string; model: string };
  retrievalModel?: Record<string, unknown>;
}

export interface DatasetCalls {
  /** All pages. */
  list(signal: AbortSignal): Promise<Dataset[]>;
  get(id: string, signal: AbortSignal): Promise<Dataset>;
  create(dataset: NewDataset, signal: AbortSignal): Promise<Dataset>;
  update(id: string, change: Partial<NewDataset>, signal: AbortSignal): Promise<Dataset>;
  delete(id: string, signal: AbortSignal): Promise<void>;
  /** `query` is cut to the server's 250 characters; the caller says so. */
  retrieve(id: string, query: RetrieveQuery, signal: AbortSignal): Promise<FoundSegment[]>;
}

export interface RetrieveQuery {
  query: string;
  /** How many segments; the knowledge base's own number otherwise. */
  topK?: number;
  /** The knowledge base, for what its own search settings are; read when not given. */
  dataset?: Dataset;
  /** What of its search settings is another one here; only with `topK`. */
  settings?: SearchSettings | undefined;
}

/** How a document is indexed; always sent whole. */
export interface IndexingSettings {
  technique: IndexingTechnique;
  processRule: ProcessRule;
  form: DocumentForm;
  /** Only for the first document of a knowledge base that has none yet. */
  embeddingModel?: { provider: string; model: string };
}

/** A file to send. `open` is called again for a second try. */
export interface UploadFile {
  /** Without slashes, with an extension the platform reads. */
  name: string;
  /** Bytes that `open` will give. */
  size: number;
  open(): Readable;
}

export interface DocumentCalls {
  /** E3. A name that the knowledge base has is replaced: same id, new batch. */
  createByText(
    datasetId: string,
    document: { name: string; text: string } & IndexingSettings,
    signal: AbortSignal,
  ): Promise<AcceptedDocument>;
  /** E4, streamed; `onProgress` hears the bytes sent of the file. */
  createByFile(
    datasetId: string,
    file: UploadFile,
    settings: IndexingSettings,
    signal: AbortSignal,
    onProgress?: (sentBytes: number) => void,
  ): Promise<AcceptedDocument>;
  updateByText(
    datasetId: string,
    documentId: string,
    document: { name: string; text: string } & IndexingSettings,
    signal: AbortSignal,
  ): Promise<AcceptedDocument>;
  updateByFile(
    datasetId: string,
    documentId: string,
    file: UploadFile,
    settings: IndexingSettings,
    signal: AbortSignal,
    onProgress?: (sentBytes: number) => void,
  ): Promise<AcceptedDocument>;
  list(
    datasetId: string,
    query: { page: number; limit: number; keyword?: string; status?: DisplayStatus },
    signal: AbortSignal,
  ): Promise<Page<DocumentRecord>>;
  /** Asks the list where the server has no such call. */
  get(datasetId: string, documentId: string, signal: AbortSignal): Promise<DocumentRecord>;
  delete(datasetId: string, documentId: string, signal: AbortSignal): Promise<void>;
  setStatus(
    datasetId: string,
    documentIds: readonly string[],
    action: 'enable' | 'disable' | 'archive' | 'un_archive',
    signal: AbortSignal,
  ): Promise<void>;
  /** A signed address of the original file. */
  downloadUrl(datasetId: string, documentId: string, signal: AbortSignal): Promise<string>;
  /** The file at such an address, piece by piece, up to `maxDownloadBytes`. Without the key. */
  download(address: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Undefined when the batch is unknown or was replaced by a newer upload of the same name. */
  indexingStatus(
    datasetId: string,
    batch: string,
    signal: AbortSignal,
  ): Promise<IndexingProgress[] | undefined>;
}

/** The place of a segment. */
export interface DocumentPlace {
  datasetId: string;
  documentId: string;
}

export interface NewSegment {
  content: string;
  answer?: string;
  keywords?: readonly string[];
}

export interface SegmentCalls {
  list(
    place: DocumentPlace,
    query: { page: number; limit: number; keyword?: string },
    signal: AbortSignal,
  ): Promise<Page<Segment>>;
  get(place: DocumentPlace, segmentId: string, signal: AbortSignal): Promise<Segment>;
  create(place: DocumentPlace, segments: readonly NewSegment[], signal: AbortSignal): Promise<Segment[]>;
  update(
    place: DocumentPlace,
    segmentId: string,
    change: Partial<NewSegment> & { isEnabled?: boolean; regenerateChildChunks?: boolean },
    signal: AbortSignal,
  ): Promise<Segment>;
  delete(place: DocumentPlace, segmentId: string, signal: AbortSignal): Promise<void>;
}

export interface SegmentPlace extends DocumentPlace {
  segmentId: string;
}

/** Of hierarchical knowledge bases. */
export interface ChildChunkCalls {
  list(
    place: SegmentPlace,
    query: { page: number; limit: number; keyword?: string },
    signal: AbortSignal,
  ): Promise<Page<ChildChunk>>;
  create(place: SegmentPlace, content: string, signal: AbortSignal): Promise<ChildChunk>;
  update(place: SegmentPlace, chunkId: string, content: string, signal: AbortSignal): Promise<ChildChunk>;
  delete(place: SegmentPlace, chunkId: string, signal: AbortSignal): Promise<void>;
}

export interface MetadataCalls {
  list(datasetId: string, signal: AbortSignal): Promise<{ fields: MetadataField[]; isBuiltInOn: boolean }>;
  create(
    datasetId: string,
    field: { name: string; type: MetadataType },
    signal: AbortSignal,
  ): Promise<MetadataField>;
  rename(datasetId: string, fieldId: string, name: string, signal: AbortSignal): Promise<MetadataField>;
  delete(datasetId: string, fieldId: string, signal: AbortSignal): Promise<void>;
  builtIn(datasetId: string, signal: AbortSignal): Promise<{ name: string; type: string }[]>;
  setBuiltIn(datasetId: string, isOn: boolean, signal: AbortSignal): Promise<void>;
  /** Other values of the documents stay as they are. */
  setValues(
    datasetId: string,
    values: readonly {
      documentId: string;
      values: readonly { id: string; name: string; value: string | number | null }[];
    }[],
    signal: AbortSignal,
  ): Promise<void>;
}

export interface TagCalls {
  list(signal: AbortSignal): Promise<Tag[]>;
  create(name: string, signal: AbortSignal): Promise<Tag>;
  rename(tagId: string, name: string, signal: AbortSignal): Promise<Tag>;
  delete(tagId: string, signal: AbortSignal): Promise<void>;
  bind(datasetId: string, tagIds: readonly string[], signal: AbortSignal): Promise<void>;
  unbind(datasetId: string, tagId: string, signal: AbortSignal): Promise<void>;
  of(datasetId: string, signal: AbortSignal): Promise<{ id: string; name: string }[]>;
}

/** Of knowledge bases that are filled by a pipeline, as it was published. */
export interface PipelineCalls {
  sources(datasetId: string, signal: AbortSignal): Promise<PipelineSource[]>;
  /** Resolves with the id that a run names the file by. */
  upload(file: UploadFile, signal: AbortSignal): Promise<string>;
  /** Runs it over files, each of which becomes a document; nothing is replaced. */
  run(
    datasetId: string,
    run: { sourceId: string; files: readonly { id: string; name: string }[] },
    signal: AbortSignal,
  ): Promise<StartedPipeline>;
}

export function createPlatformClient(context: PlatformContext): PlatformClient {
  const caller = createCaller(context, 'knowledge');
  const documents = createDocumentCalls(caller, context);
  const datasets = createDatasetCalls(caller, context);
  return {
    testConnection: async (signal) =>
      (await testDatasetKey(context, signal)) ?? (await datasets.list(signal)).length,
    datasets,
    documents,
    segments: createSegmentCalls(caller, context),
    childChunks: createChildChunkCalls(caller, context),
    metadata: createMetadataCalls(caller, documents),
    tags: createTagCalls(caller, context),
    pipelines: createPipelineCalls(caller),
    models: (type, signal) => listModels(caller, type, signal),
  };
}
