import { createHash, randomUUID } from 'node:crypto';
import { type IndexingOutcome, type IndexingPace, indexingStatus } from './indexingRun.ts';
import type { ProcessRule } from './processRule.ts';
import { type Hit, SearchIndex } from './searchIndex.ts';
import { segmentationError, segmentDocument } from './segmentDocument.ts';
import type {
  DocumentForm,
  RetrievalModel,
  StoredDataset,
  StoredDocument,
  Technique,
} from './storedDataset.ts';

export interface StoredTag {
  readonly id: string;
  name: string;
}

export interface DatasetInput {
  name: string;
  description?: string | undefined;
  permission?: string | undefined;
  provider?: 'vendor' | 'external' | undefined;
  technique?: Technique | null | undefined;
  embeddingModel?: string | null | undefined;
  embeddingModelProvider?: string | null | undefined;
  retrievalModel?: RetrievalModel | null | undefined;
}

export interface DocumentInput {
  name: string;
  /** Undefined if it isn't text. */
  text: string | undefined;
  /** Defaults to the text's. */
  size?: number;
  sha256?: string;
  processRule: ProcessRule;
  form: DocumentForm;
  language?: string;
}

/** Replaces the indexing at the server's pace. */
export interface IndexingFate {
  pace?: IndexingPace;
  outcome?: IndexingOutcome;
  error?: string;
  /** Indexed, but without a segment. */
  isEmpty?: boolean;
}

/** The platform's data in memory, independent of HTTP and wire formats. */
export class DatasetStore {
  /** Oldest first. */
  readonly datasets: StoredDataset[] = [];
  readonly tags: StoredTag[] = [];
  readonly #indexes = new Map<StoredDataset, SearchIndex>();
  readonly #pace: IndexingPace;
  readonly #now: () => number;
  #batches = 0;

  constructor(pace: IndexingPace, now: () => number) {
    this.#pace = pace;
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  findDataset(id: string): StoredDataset | undefined {
    return this.datasets.find((dataset) => dataset.id === id.toLowerCase());
  }

  addDataset(input: DatasetInput): StoredDataset {
    const now = this.#now();
    const dataset: StoredDataset = {
      id: randomUUID(),
      name: input.name,
      description: input.description ?? '',
      permission: input.permission ?? 'only_me',
      memberIds: [],
      provider: input.provider ?? 'vendor',
      technique: input.technique ?? null,
      form: null,
      processRule: null,
      embeddingModel: input.embeddingModel ?? null,
      embeddingModelProvider: input.embeddingModelProvider ?? null,
      retrievalModel: input.retrievalModel ?? {
        search_method: input.technique === 'high_quality' ? 'semantic_search' : 'keyword_search',
        reranking_enable: false,
        reranking_model: { reranking_provider_name: '', reranking_model_name: '' },
        top_k: 4,
        score_threshold_enabled: false,
      },
      isApiOn: true,
      isBuiltInMetadataOn: false,
      isPipeline: false,
      pipelineInputs: [],
      isPublished: true,
      createdAt: now,
      updatedAt: now,
      documents: [],
      metadata: [],
      tagIds: new Set(),
      positions: 0,
    };
    this.datasets.push(dataset);
    return dataset;
  }

  deleteDataset(dataset: StoredDataset): void {
    this.datasets.splice(this.datasets.indexOf(dataset), 1);
    this.#indexes.delete(dataset);
  }

  addDocument(dataset: StoredDataset, input: DocumentInput, fate: IndexingFate = {}): StoredDocument {
    const now = this.#now();
    dataset.positions += 1;
    const document: StoredDocument = {
      id: randomUUID(),
      position: dataset.positions,
      createdAt: now,
      isEnabled: true,
      isArchived: false,
      hitCount: 0,
      metadata: new Map(),
      ...this.#index(input, fate),
    };
    dataset.documents.push(document);
    this.changed(dataset);
    return document;
  }

  /** Gives a document new content: it keeps its id and gets a new batch. */
  replaceDocument(
    dataset: StoredDataset,
    document: StoredDocument,
    input: DocumentInput,
    fate: IndexingFate = {},
  ): void {
    Object.assign(document, this.#index(input, fate));
    this.changed(dataset);
  }

  deleteDocument(dataset: StoredDataset, document: StoredDocument): void {
    dataset.documents = dataset.documents.filter((other) => other !== document);
    this.changed(dataset);
  }

  /** To be called whenever segments came, went or changed. */
  changed(dataset: StoredDataset): void {
    dataset.updatedAt = this.#now();
    this.#indexes.delete(dataset);
  }

  isAvailable(document: StoredDocument): boolean {
    const isCompleted = indexingStatus(document.indexing, this.#now()) === 'completed';
    return isCompleted && document.isEnabled && !document.isArchived;
  }

  search(dataset: StoredDataset, query: string): Hit[] {
    let index = this.#indexes.get(dataset);
    if (!index) {
      index = new SearchIndex(dataset);
      this.#indexes.set(dataset, index);
    }
    return index.search(query, (document, segment) => segment.isEnabled && this.isAvailable(document));
  }

  #index(input: DocumentInput, fate: IndexingFate) {
    const now = this.#now();
    const { text, processRule, form } = input;
    const mistake = segmentationError(processRule);
    const error = fate.error ?? mistake ?? null;
    const bytes = Buffer.from(text ?? '');
    return {
      name: input.name,
      batch: this.#nextBatch(now),
      uploadFileId: randomUUID(),
      text,
      size: input.size ?? bytes.length,
      sha256: input.sha256 ?? createHash('sha256').update(bytes).digest('hex'),
      processRule,
      form,
      language: input.language ?? 'English',
      updatedAt: now,
      indexing: {
        pace: fate.pace ?? this.#pace,
        outcome: fate.outcome ?? (mistake === undefined ? ('completed' as const) : ('error' as const)),
        error,
        startedAt: now,
        looks: 0,
      },
      // Unreadable files are found by name.
      segments:
        fate.isEmpty || error !== null ? [] : segmentDocument(text ?? input.name, processRule, form, now),
    };
  }

  /** The time to the second and six more digits. */
  #nextBatch(now: number): string {
    this.#batches += 1;
    const second = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14);
    return second + String(100_000 + this.#batches);
  }
}
