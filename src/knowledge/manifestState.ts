import type { PendingUpload, ManifestRecord, RunRecord, SentDocument } from './manifestRecords.ts';

/** A run that has not ended, and what of it is left. */
export interface OpenRun {
  record: RunRecord;
  /** The process that sends it. */
  by: string;
  /** Names. */
  left: Set<string>;
  /** Ids of documents. */
  leftRemovals: Set<string>;
}

/** What a manifest's records come to. */
export class ManifestState {
  /** By name. */
  readonly documents = new Map<string, SentDocument>();
  readonly byId = new Map<string, SentDocument>();
  /** By name: sending was begun and its end is not known. */
  readonly pendingUploads = new Map<string, PendingUpload>();
  /** By id. */
  readonly runs = new Map<string, OpenRun>();
  /** All records that came to this. */
  records = 0;
  /** When the last of them was written, in milliseconds since the epoch. */
  lastAtMs = 0;

  apply(record: ManifestRecord): void {
    this.records++;
    this.lastAtMs = Math.max(this.lastAtMs, record.at);
    switch (record.type) {
      case 'run':
        this.runs.set(record.run, {
          record,
          by: record.by,
          left: new Set(record.items.map(({ name }) => name)),
          leftRemovals: new Set(record.removals.map(({ documentId }) => documentId)),
        });
        break;
      case 'sending':
        this.pendingUploads.set(record.name, record);
        break;
      case 'sent':
        this.pendingUploads.delete(record.name);
        this.put(record);
        // Whichever window uploaded it, no earlier run has to upload it any more.
        this.settleRuns(({ left }) => left.delete(record.name));
        break;
      case 'refused':
        this.pendingUploads.delete(record.name);
        break;
      case 'outcome': {
        const document = this.byId.get(record.documentId);
        if (document) this.put({ ...document, outcome: record.outcome });
        break;
      }
      case 'announced':
        for (const id of record.documentIds) {
          const document = this.byId.get(id);
          if (document) this.put({ announcedBy: record.by, ...document });
        }
        break;
      case 'removed': {
        const document = this.byId.get(record.documentId);
        this.byId.delete(record.documentId);
        if (document) this.documents.delete(document.name);
        this.settleRuns(({ leftRemovals }) => leftRemovals.delete(record.documentId));
        break;
      }
      case 'resumed': {
        const run = this.runs.get(record.run);
        if (run) run.by = record.by;
        break;
      }
      case 'ended':
        this.runs.delete(record.run);
        break;
    }
  }

  /** The fewest records that come to the same. */
  *snapshot(): Generator<ManifestRecord, void, void> {
    for (const { record } of this.runs.values()) yield record;
    yield* this.documents.values();
    yield* this.pendingUploads.values();
  }

  private put(document: SentDocument): void {
    // A document has one name, and a name stands for one document.
    const before = this.documents.get(document.name);
    if (before && before.documentId !== document.documentId) this.byId.delete(before.documentId);
    const elsewhere = this.byId.get(document.documentId);
    if (elsewhere && elsewhere.name !== document.name) this.documents.delete(elsewhere.name);
    this.documents.set(document.name, document);
    this.byId.set(document.documentId, document);
  }

  private settleRuns(settle: (run: OpenRun) => void): void {
    for (const [id, run] of this.runs) {
      settle(run);
      if (run.left.size === 0 && run.leftRemovals.size === 0) this.runs.delete(id);
    }
  }
}
