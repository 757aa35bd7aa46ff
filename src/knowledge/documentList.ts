import type { Clock } from '../base/clock.ts';
import { withSlashes } from '../base/files/safeFileName.ts';
import { isCancelled, type SwitchboardError } from '../base/errors/errors.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import { isNotFound } from '../platform/platformErrors.ts';
import type { DocumentRecord } from '../platform/records.ts';
import { maxPageSize } from '../platform/platformWire.ts';
import type { DocumentOrigin } from './files/documentName.ts';
import { documentStatus, type DocumentStatus, outcomeOf } from './indexing/documentStatus.ts';
import type { KnowledgeBases } from './knowledgeBases.ts';
import type { Manifests } from './manifest/manifests.ts';
import { toUploadError } from './upload/sendDocument.ts';

export interface DocumentsState {
  type: 'notLoaded' | 'loading' | 'ready' | 'failed';
  /** Uploads first, then the server's order; each document once. */
  documents: readonly KnowledgeDocument[];
  hasMore: boolean;
  stuck: readonly KnowledgeDocument[];
  total?: number;
  keyword?: string;
  error?: SwitchboardError;
}

export interface KnowledgeDocument {
  id: string;
  name: string;
  record?: DocumentRecord;
  status: DocumentStatus;
  origin?: DocumentOrigin;
}

export interface InFlight {
  name: string;
  origin: DocumentOrigin;
  replaces?: DocumentRecord;
}

export interface Sent {
  documentId: string;
  name: string;
  origin: DocumentOrigin;
}

interface Entry {
  documentId: string | undefined;
  name: string;
  origin: DocumentOrigin;
  record: DocumentRecord | undefined;
  status: DocumentStatus;
}

export interface DocumentListDependencies {
  client: PlatformClient;
  datasetId: string;
  manifests: Manifests;
  bases: KnowledgeBases;
  clock: Clock;
  onChange(): void;
}

export class DocumentList {
  private readonly inFlight = new Map<string, Entry>();
  private readonly loaded = new Map<string, DocumentRecord>();
  private type: DocumentsState['type'] = 'notLoaded';
  private error: SwitchboardError | undefined;
  private keyword: string | undefined;
  private total: number | undefined;
  private nextPage = 1;
  private hasNext = false;
  private loading: Promise<void> | undefined;
  /** Counts filters, to discard pages of earlier ones. */
  private filters = 0;
  private shown: DocumentsState | undefined;

  constructor(private readonly deps: DocumentListDependencies) {}

  get state(): DocumentsState {
    this.shown ??= {
      type: this.type,
      documents: [...this.documents()],
      hasMore: this.hasNext,
      stuck: this.stuck,
      ...(this.total !== undefined && { total: this.total }),
      ...(this.keyword !== undefined && { keyword: this.keyword }),
      ...(this.error && { error: this.error }),
    };
    return this.shown;
  }

  get stuck(): KnowledgeDocument[] {
    return [...this.inFlight.values()].flatMap(({ documentId: id, name, origin, record, status }) =>
      id !== undefined && status.type === 'stuck'
        ? [{ id, name: withSlashes(name), origin, status, ...(record && { record }) }]
        : [],
    );
  }

  /** Loads the next page, or reloads the first if there is none. Concurrent calls are one. */
  async load(signal: AbortSignal): Promise<void> {
    // Origins are shown with the documents.
    await this.deps.manifests.readable(this.deps.datasetId);
    if (!this.loading) {
      const loading = this.loadPage(signal).finally(() => {
        if (this.loading === loading) this.loading = undefined;
      });
      this.loading = loading;
    }
    return this.loading;
  }

  reload(signal: AbortSignal): Promise<void> {
    this.filter(this.keyword);
    return this.load(signal);
  }

  filter(keyword: string | undefined): void {
    this.filters++;
    this.loading = undefined;
    this.keyword = keyword;
    this.forget('notLoaded');
  }

  record(documentId: string): DocumentRecord | undefined {
    return this.loaded.get(documentId);
  }

  async setEnabled(documentId: string, isEnabled: boolean, signal: AbortSignal): Promise<void> {
    const { client, datasetId } = this.deps;
    await client.documents.setStatus(datasetId, [documentId], isEnabled ? 'enable' : 'disable', signal);
    this.update([documentId], (record) => ({
      ...record,
      isEnabled,
      display: isEnabled ? 'available' : 'disabled',
    }));
  }

  /** Deletes one by one. A failure doesn't stop the rest; the first one is thrown at the end. */
  async delete(documentIds: readonly string[], signal: AbortSignal): Promise<void> {
    const { client, datasetId, manifests, bases, clock } = this.deps;
    const manifest = await manifests.of(datasetId);
    let failure: unknown;
    for (const documentId of documentIds) {
      try {
        await client.documents.delete(datasetId, documentId, signal).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
        this.removed([documentId]);
        if (manifest.state.byId.has(documentId)) {
          await manifest.append({ type: 'removed', at: clock.now(), documentId });
        }
      } catch (error) {
        if (signal.aborted) throw toUploadError(error);
        failure ??= error;
      }
    }
    void bases.refresh(datasetId);
    if (failure !== undefined) throw toUploadError(failure);
  }

  toSend(items: readonly InFlight[]): void {
    for (const item of items) this.put(item, { type: 'toSend' }, item.replaces);
    this.changed();
  }

  sending(item: InFlight, sentBytes: number, totalBytes: number): void {
    this.put(item, { type: 'sending', sentBytes, totalBytes }, item.replaces);
    this.changed();
  }

  sent(item: InFlight, record: DocumentRecord): void {
    const isNew = !item.replaces && !this.loaded.has(record.id);
    if (isNew && this.total !== undefined && this.keyword === undefined) this.total++;
    this.put(item, documentStatus(record), record);
    this.changed();
  }

  notSent(item: InFlight, error: SwitchboardError): void {
    this.put(item, { type: 'notSent', error }, item.replaces);
    this.changed();
  }

  withdraw(items: readonly InFlight[]): void {
    for (const { name } of items) this.inFlight.delete(name);
    if (items.length > 0) this.changed();
  }

  observe(sent: Sent, status: DocumentStatus, news: DocumentRecord | undefined): void {
    const { documentId, name, origin } = sent;
    const known = this.inFlight.get(name);
    // The status is about the version before the running upload.
    if (known && isLocal(known.status)) return;
    const isOnPage = this.loaded.has(documentId);
    if (news && isOnPage) this.loaded.set(documentId, news);
    const record = news ?? this.loaded.get(documentId) ?? known?.record;
    if (isOnPage && outcomeOf(status)) this.inFlight.delete(name);
    else this.inFlight.set(name, { documentId, name, origin, status, record });
    this.changed();
  }

  private update(documentIds: readonly string[], change: (record: DocumentRecord) => DocumentRecord): void {
    const ids = new Set(documentIds);
    for (const id of ids) {
      const record = this.loaded.get(id);
      if (record) this.loaded.set(id, change(record));
    }
    for (const entry of this.inFlight.values()) {
      if (!entry.record || !ids.has(entry.record.id) || isLocal(entry.status)) continue;
      entry.record = change(entry.record);
      entry.status = documentStatus(entry.record);
    }
    this.changed();
  }

  removed(documentIds: readonly string[]): void {
    const ids = new Set(documentIds);
    for (const id of ids) {
      if (this.loaded.delete(id) && this.total !== undefined) this.total--;
    }
    for (const [name, { documentId }] of this.inFlight) {
      if (documentId !== undefined && ids.has(documentId)) this.inFlight.delete(name);
    }
    this.changed();
  }

  private async loadPage(signal: AbortSignal): Promise<void> {
    const { client, datasetId, bases } = this.deps;
    const { filters } = this;
    const before = this.type;
    const page = this.hasNext ? this.nextPage : 1;
    this.type = 'loading';
    this.error = undefined;
    this.changed();
    try {
      const { items, hasMore, total } = await client.documents.list(
        datasetId,
        { page, limit: maxPageSize, ...(this.keyword !== undefined && { keyword: this.keyword }) },
        signal,
      );
      if (filters !== this.filters) return;
      if (page === 1) this.loaded.clear();
      // Some servers answer every page with the first.
      const hasNew = items.some(({ id }) => !this.loaded.has(id));
      for (const record of items) this.loaded.set(record.id, record);
      this.type = 'ready';
      this.total = total;
      this.nextPage = page + 1;
      this.hasNext = hasMore && hasNew;
      this.dropArrived();
      if (this.keyword === undefined && total !== undefined) bases.counted(datasetId, total);
    } catch (error) {
      if (filters !== this.filters) return;
      bases.failed(datasetId, error);
      this.type = isCancelled(error) || signal.aborted ? before : 'failed';
      if (this.type === 'failed') this.error = toUploadError(error);
      throw error;
    } finally {
      if (filters === this.filters) this.changed();
    }
  }

  private forget(type: DocumentsState['type']): void {
    this.type = type;
    this.loaded.clear();
    this.error = undefined;
    this.total = undefined;
    this.nextPage = 1;
    this.hasNext = false;
    this.changed();
  }

  private dropArrived(): void {
    for (const [name, { documentId, status }] of this.inFlight) {
      const isOnPage = documentId !== undefined && this.loaded.has(documentId);
      if (isOnPage && outcomeOf(status)) this.inFlight.delete(name);
    }
  }

  private put({ name, origin }: InFlight, status: DocumentStatus, record: DocumentRecord | undefined): void {
    this.inFlight.set(name, { documentId: record?.id, name, origin, status, record });
  }

  private *documents(): Generator<KnowledgeDocument, void, void> {
    const ids = new Set<string>();
    const keyword = this.keyword?.toLowerCase() ?? '';
    for (const { documentId, name, origin, record, status } of this.inFlight.values()) {
      const id = documentId ?? `new:${name}`;
      ids.add(id);
      if (!name.toLowerCase().includes(keyword)) continue;
      yield { id, name: withSlashes(name), origin, status, ...(record && { record }) };
    }
    const { manifests, datasetId } = this.deps;
    const sent = manifests.known(datasetId)?.state.byId;
    for (const record of this.loaded.values()) {
      if (ids.has(record.id)) continue;
      const own = sent?.get(record.id);
      const totalSegments = own?.outcome?.segments;
      yield {
        id: record.id,
        name: withSlashes(record.name),
        record,
        status: documentStatus({ ...record, totalSegments }),
        ...(own && { origin: { path: own.path, ...(own.lines && { lines: own.lines }) } }),
      };
    }
  }

  private changed(): void {
    this.shown = undefined;
    this.deps.onChange();
  }
}

function isLocal({ type }: DocumentStatus): boolean {
  return type === 'toSend' || type === 'sending' || type === 'notSent';
}
