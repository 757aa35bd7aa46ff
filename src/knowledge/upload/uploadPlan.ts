import type { IndexingSettings } from '../../platform/documents/documents.ts';
import type { Dataset } from '../../platform/records.ts';
import type { PlannedDocument } from './plannedDocument.ts';
import type { PlannedRemoval } from './plannedRemovals.ts';
import type { SkippedFile } from './skippedFile.ts';

export interface UploadPlan {
  dataset: Dataset;
  documents: readonly PlannedDocument[];
  skipped: readonly SkippedFile[];
  removals: readonly PlannedRemoval[];
  keeps: number;
  settings: IndexingSettings;
  isSync: boolean;
}

export type UploadItem = Pick<
  PlannedDocument,
  'name' | 'origin' | 'how' | 'source' | 'sentAs' | 'replaces' | 'renamedFrom'
>;

export interface UploadWork {
  id: string;
  dataset: Dataset;
  settings: IndexingSettings;
  items: readonly UploadItem[];
  removals: readonly PlannedRemoval[];
  /** Runs unattended: only planned contents are sent, and the rest of an ended run is planned again. */
  isAutomatic?: boolean;
}
