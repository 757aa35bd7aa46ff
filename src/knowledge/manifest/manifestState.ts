import type { PendingUpload, ManifestRecord, RunRecord, SentDocument } from './manifestRecords.ts';

export interface OpenRun {
  record: RunRecord;
  by: string;
  left: Set<string>;
  leftRemovals: Set<string>;
}

export class ManifestState {
  readonly documents = new Map<string, SentDocument>();
  readonly byId = new Map<string, SentDocument>();
  readonly pendingUploads = new Map<string, PendingUpload>();
  readonly runs = new Map<string, OpenRun>();
  records = 0;
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
        // Uploaded by any window, it is done for earlier runs, too.
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

  *snapshot(): Generator<ManifestRecord, void, void> {
    for (const { record } of this.runs.values()) yield record;
    yield* this.documents.values();
    yield* this.pendingUploads.values();
  }

  private put(document: SentDocument): void {
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
