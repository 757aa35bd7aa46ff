import type { SwitchboardError } from '../../base/errors/errors.ts';
import type { Dataset } from '../../platform/records.ts';
import type { PlannedRemoval } from './plannedRemovals.ts';
import type { UploadItem, UploadWork } from './uploadPlan.ts';

export interface UploadReport {
  dataset: Dataset;
  added: readonly string[];
  updated: readonly string[];
  removed: readonly string[];
  failed: readonly { name: string; error: SwitchboardError; isRemoval: boolean }[];
  notSent: number;
  isCancelled: boolean;
}

export interface UploadOutcome {
  report: UploadReport;
  failedItems: readonly UploadItem[];
  failedRemovals: readonly PlannedRemoval[];
}

type ItemResult = { type: 'added' | 'updated' } | { type: 'failed'; error: SwitchboardError };

export class UploadResults {
  private readonly items = new Map<string, ItemResult>();
  /** By document id; the error if it failed. */
  private readonly removals = new Map<string, SwitchboardError | undefined>();

  constructor(private readonly work: Pick<UploadWork, 'dataset' | 'items' | 'removals'>) {}

  get done(): number {
    return this.items.size + this.removals.size;
  }

  sent({ name, replaces }: UploadItem): void {
    this.items.set(name, { type: replaces ? 'updated' : 'added' });
  }

  notSent({ name }: UploadItem, error: SwitchboardError): void {
    this.items.set(name, { type: 'failed', error });
  }

  removed({ documentId }: PlannedRemoval): void {
    this.removals.set(documentId, undefined);
  }

  notRemoved({ documentId }: PlannedRemoval, error: SwitchboardError): void {
    this.removals.set(documentId, error);
  }

  isSent(name: string): boolean {
    const type = this.items.get(name)?.type;
    return type === 'added' || type === 'updated';
  }

  hasFailed(name: string): boolean {
    return this.items.get(name)?.type === 'failed';
  }

  get itemsLeft(): UploadItem[] {
    return this.work.items.filter(({ name }) => !this.items.has(name));
  }

  outcome(): UploadOutcome {
    const { dataset, items, removals } = this.work;
    const namesOf = (type: ItemResult['type']) =>
      items.filter(({ name }) => this.items.get(name)?.type === type).map(({ name }) => name);
    const failedItems = items.filter(({ name }) => this.hasFailed(name));
    const failedRemovals = removals.filter(({ documentId }) => this.removals.get(documentId));
    const notSent = items.length - this.items.size;
    return {
      report: {
        dataset,
        added: namesOf('added'),
        updated: namesOf('updated'),
        removed: removals
          .filter(({ documentId }) => this.removals.has(documentId) && !this.removals.get(documentId))
          .map(({ name }) => name),
        failed: [
          ...failedItems.flatMap(({ name }) => {
            const result = this.items.get(name);
            return result?.type === 'failed' ? [{ name, error: result.error, isRemoval: false }] : [];
          }),
          ...failedRemovals.flatMap(({ name, documentId }) => {
            const error = this.removals.get(documentId);
            return error ? [{ name, error, isRemoval: true }] : [];
          }),
        ],
        notSent,
        isCancelled: notSent > 0 || this.removals.size < removals.length,
      },
      failedItems,
      failedRemovals,
    };
  }
}
