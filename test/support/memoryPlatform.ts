// The part of `PlatformClient` that knowledge bases need, in memory.
import { buffer } from 'node:stream/consumers';
import { SwitchboardError } from '../../src/base/errors/errors.ts';
import type { PlatformClient } from '../../src/platform/platformClient.ts';
import type { DocumentCalls, IndexingSettings } from '../../src/platform/documents/documents.ts';
import type {
  AcceptedDocument,
  Dataset,
  DocumentRecord,
  FoundSegment,
  IndexingProgress,
  IndexingState,
} from '../../src/platform/records.ts';
import { emptyDataset } from './emptyDataset.ts';

export interface StoredDocument {
  record: DocumentRecord;
  content: string;
  batch: string;
  progress: { done: number; of: number };
}

export interface MemoryCall {
  method: string;
  name?: string;
  datasetId?: string;
}

export class MemoryPlatform {
  dataset: Dataset = emptyDataset('d-1');
  /** By id. */
  readonly documents = new Map<string, StoredDocument>();
  /** Contents in the order of acceptance, by document name. */
  readonly accepted: { name: string; content: string; how: string; settings: IndexingSettings }[] = [];
  readonly calls: MemoryCall[] = [];
  readonly found = new Map<string, FoundSegment[] | SwitchboardError>();
  /** Runs before a call: may throw, or block. */
  before: (call: MemoryCall) => Promise<void> | void = () => {};
  /** Runs after a call, before its answer. */
  after: (call: MemoryCall) => Promise<void> | void = () => {};
  private counter = 0;

  readonly client: PlatformClient = {
    testConnection: unused,
    serverVersion: undefined,
    datasets: {
      list: (signal) => this.call({ method: 'datasets.list' }, signal, () => [{ ...this.dataset }]),
      get: (id, signal) =>
        this.call({ method: 'datasets.get', datasetId: id }, signal, () => this.datasetOf(id)),
      create: (dataset, signal) =>
        this.call({ method: 'datasets.create' }, signal, () => ({
          ...this.dataset,
          name: dataset.name,
          id: 'd-2',
        })),
      update: (_, change, signal) =>
        this.call({ method: 'datasets.update' }, signal, () => Object.assign(this.dataset, change)),
      delete: (_, signal) => this.call({ method: 'datasets.delete' }, signal, () => this.documents.clear()),
      retrieve: (datasetId, _, signal) =>
        this.call({ method: 'datasets.retrieve', datasetId }, signal, () => {
          const found = this.found.get(datasetId) ?? [];
          if (found instanceof SwitchboardError) throw found;
          return found;
        }),
    },
    agentBases: { open: unused, search: unused },
    documents: this.documentCalls(),
    segments: {
      list: ({ documentId }, _, signal) =>
        this.call({ method: 'segments.list' }, signal, () => ({
          items: [],
          hasMore: false,
          total: this.stored(documentId).progress.of,
        })),
      get: unused,
      create: unused,
      update: unused,
      delete: unused,
    },
    childChunks: { list: unused, create: unused, update: unused, delete: unused },
    metadata: {
      list: unused,
      create: unused,
      rename: unused,
      delete: unused,
      builtIn: unused,
      setBuiltIn: unused,
      setValues: unused,
    },
    tags: {
      list: unused,
      create: unused,
      rename: unused,
      delete: unused,
      bind: unused,
      unbind: unused,
      of: unused,
    },
    pipelines: { sources: unused, upload: unused, run: unused },
    models: unused,
  };

  put(name: string, content: string): DocumentRecord {
    return this.store(name, content, undefined).record;
  }

  byName(name: string): StoredDocument {
    const found = [...this.documents.values()].find(({ record }) => record.name === name);
    if (!found) throw new Error(`There is no document ${name}`);
    return found;
  }

  names(): string[] {
    return [...this.documents.values()].map(({ record }) => record.name).toSorted();
  }

  index(state: IndexingState, progress?: { done: number; of: number }, name?: string): void {
    for (const stored of this.documents.values()) {
      if (name !== undefined && stored.record.name !== name) continue;
      stored.record = {
        ...stored.record,
        state,
        display: state === 'completed' ? 'available' : state === 'error' ? 'error' : 'indexing',
        ...(state === 'error' && { error: 'The model is out.' }),
      };
      if (progress) stored.progress = progress;
    }
  }

  count(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  private documentCalls(): DocumentCalls {
    return {
      createByText: (datasetId, { name, text, ...settings }, signal) =>
        this.call({ method: 'create', name, datasetId }, signal, () =>
          this.accept('text', datasetId, name, text, settings, this.enabled(name)),
        ),
      createByFile: async (datasetId, { name, open }, settings, signal, onProgress) => {
        const content = await this.read(open, onProgress);
        return this.call({ method: 'create', name, datasetId }, signal, () =>
          this.accept('file', datasetId, name, content, settings, this.enabled(name)),
        );
      },
      updateByText: (datasetId, documentId, { name, text, ...settings }, signal) =>
        this.call({ method: 'update', name, datasetId }, signal, () =>
          this.accept('text', datasetId, name, text, settings, this.available(documentId)),
        ),
      updateByFile: async (datasetId, documentId, { name, open }, settings, signal, onProgress) => {
        const content = await this.read(open, onProgress);
        return this.call({ method: 'update', name, datasetId }, signal, () =>
          this.accept('file', datasetId, name, content, settings, this.available(documentId)),
        );
      },
      list: (datasetId, { page, limit, keyword = '' }, signal) =>
        this.call({ method: 'list', datasetId }, signal, () => {
          this.datasetOf(datasetId);
          const all = [...this.documents.values()]
            .map(({ record }) => ({ ...record }))
            .filter(({ name }) => name.includes(keyword));
          const items = all.slice((page - 1) * limit, page * limit);
          return { items, hasMore: items.length === limit, total: all.length };
        }),
      get: (_, id, signal) => this.call({ method: 'get' }, signal, () => ({ ...this.stored(id).record })),
      delete: (_, id, signal) =>
        this.call({ method: 'delete', name: this.documents.get(id)?.record.name ?? id }, signal, () => {
          this.stored(id);
          this.documents.delete(id);
        }),
      setStatus: (_, ids, action, signal) =>
        this.call({ method: 'setStatus' }, signal, () => {
          for (const id of ids) {
            const stored = this.stored(id);
            stored.record =
              action === 'un_archive'
                ? { ...stored.record, isArchived: false }
                : { ...stored.record, isEnabled: action === 'enable' };
          }
        }),
      downloadUrl: unused,
      downloadArchive: unused,
      download: unused,
      indexingStatus: (_, batch, signal) =>
        this.call({ method: 'indexingStatus' }, signal, (): IndexingProgress[] | undefined => {
          const stored = [...this.documents.values()].find((document) => document.batch === batch);
          return (
            stored && [
              {
                documentId: stored.record.id,
                state: stored.record.state,
                ...(stored.record.error !== undefined && { error: stored.record.error }),
                completedSegments: stored.progress.done,
                totalSegments: stored.progress.of,
              },
            ]
          );
        }),
    };
  }

  private async call<T>(call: MemoryCall, signal: AbortSignal, act: () => T): Promise<T> {
    this.calls.push(call);
    await this.before(call);
    signal.throwIfAborted();
    const result = act();
    await this.after(call);
    signal.throwIfAborted();
    return result;
  }

  private async read(
    open: () => NodeJS.ReadableStream,
    onProgress: ((sentBytes: number) => void) | undefined,
  ): Promise<string> {
    const bytes = await buffer(open());
    onProgress?.(bytes.length);
    return bytes.toString();
  }

  private accept(
    how: string,
    datasetId: string,
    name: string,
    content: string,
    settings: IndexingSettings,
    before: StoredDocument | undefined,
  ): AcceptedDocument {
    this.datasetOf(datasetId);
    this.accepted.push({ name, content, how, settings });
    const { record, batch } = this.store(name, content, before);
    const { technique, form } = settings;
    this.dataset = { ...this.dataset, technique, form, documentCount: this.documents.size };
    return { document: { ...record }, batch };
  }

  private store(name: string, content: string, before: StoredDocument | undefined): StoredDocument {
    const number = ++this.counter;
    const record: DocumentRecord = {
      id: before?.record.id ?? `doc-${number}`,
      name,
      state: 'waiting',
      display: 'queuing',
      isEnabled: true,
      isArchived: false,
      uploadFileId: `file-${number}`,
      metadata: [],
    };
    const stored = { record, content, batch: `batch-${number}`, progress: { done: 0, of: 0 } };
    this.documents.set(record.id, stored);
    return stored;
  }

  private enabled(name: string): StoredDocument | undefined {
    return [...this.documents.values()].find(({ record }) => record.name === name && record.isEnabled);
  }

  private available(id: string): StoredDocument {
    const stored = this.stored(id);
    const { state, isEnabled, isArchived } = stored.record;
    if (state === 'completed' && isEnabled && !isArchived) return stored;
    throw new SwitchboardError('request', 'Document is not available', { status: 400 });
  }

  private stored(id: string): StoredDocument {
    const stored = this.documents.get(id);
    if (!stored) throw new SwitchboardError('request', 'Document not found', { status: 404 });
    return stored;
  }

  private datasetOf(id: string): Dataset {
    if (id !== this.dataset.id) throw new SwitchboardError('request', 'Dataset not found', { status: 404 });
    return { ...this.dataset };
  }
}

function unused(): never {
  throw new Error('Knowledge bases do not need this.');
}
