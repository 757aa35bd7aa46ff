import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { IndexingSettings, PlatformClient } from '../platform/platformClient.ts';
import type { Dataset } from '../platform/records.ts';
import type { DocumentList } from './documentList.ts';
import type { KnowledgeOptions } from './knowledgeOptions.ts';
import type { LocalFiles } from './localFiles.ts';
import type { Manifest } from './manifest.ts';
import type { RunItem, RunRecord } from './manifestRecords.ts';
import type { PlannedDocument } from './plannedDocument.ts';
import type { PlannedRemoval } from './plannedRemovals.ts';

/** A document to send. */
export type SendItem = Pick<
  PlannedDocument,
  'name' | 'origin' | 'how' | 'source' | 'replaces' | 'renamedFrom'
>;

/** What was confirmed. */
export interface RunWork {
  id: string;
  dataset: Dataset;
  settings: IndexingSettings;
  items: readonly SendItem[];
  removals: readonly PlannedRemoval[];
}

/** What a run works with. */
export interface RunNeeds {
  client: PlatformClient;
  files: LocalFiles;
  options: KnowledgeOptions;
  manifest: Manifest;
  list: DocumentList;
  /** `now` in milliseconds since the epoch. */
  clock: Clock;
  log: Log;
  /** The window closes: what is not done then is left for the next one. */
  closing: AbortSignal;
  /** Something was sent whose indexing is to be watched. */
  onSent(): void;
}

/** What is needed to finish a run in another window. A selection's text is not part of it. */
export function runRecord(
  { id, dataset, settings, items, removals }: RunWork,
  at: number,
  by: string,
): RunRecord {
  const { technique, processRule } = settings;
  return {
    type: 'run',
    at,
    run: id,
    datasetName: dataset.name,
    by,
    settings: { technique, processRule },
    items: items.map(({ origin, how, source, ...item }) => ({
      name: item.name,
      path: origin.path,
      ...(origin.lines && { lines: origin.lines }),
      how,
      realPath: source.realPath,
      hash: source.hash,
      size: source.size,
      ...(source.type === 'file' && { mtimeMs: source.mtimeMs }),
      ...replacedBy(item),
    })),
    removals: removals.map(({ documentId, name, path, reason }) => ({ documentId, name, path, reason })),
  };
}

/** By which one tells later whether the document was replaced. */
export function replacedBy({ replaces }: Pick<SendItem, 'replaces'>): Pick<RunItem, 'replaces'> {
  if (!replaces) return {};
  const { id, uploadFileId } = replaces;
  return { replaces: { id, ...(uploadFileId !== undefined && { uploadFileId }) } };
}
