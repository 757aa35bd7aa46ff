import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import type { IndexingSettings, PlatformClient } from '../platform/platformClient.ts';
import type { Dataset } from '../platform/records.ts';
import { type AddTarget, gatherSources } from './gatherSources.ts';
import { indexingSettings } from './indexingSettings.ts';
import type { KnowledgeOptions } from './knowledgeOptions.ts';
import type { SkippedFile } from './skippedFile.ts';
import type { LocalFiles } from './localFiles.ts';
import type { Manifest } from './manifest.ts';
import { plannedDocument, type PlannedDocument } from './plannedDocument.ts';
import { type PlannedRemoval, plannedRemovals } from './plannedRemovals.ts';
import { isReplaced, listDocuments, type PlatformDocuments } from './platformDocuments.ts';
import type { SendItem } from './runWork.ts';
import { reconcile } from './reconcile.ts';

export interface AddRequest {
  datasetId: string;
  /** Absolute paths of files and folders, or text that was selected. */
  targets: readonly AddTarget[];
  /** A sync looks for what is gone, too; `targets` is then the one linked folder. */
  isSync: boolean;
}

export interface UploadPlan {
  dataset: Dataset;
  documents: readonly PlannedDocument[];
  skipped: readonly SkippedFile[];
  /** Documents whose files are gone; only in a sync. */
  removals: readonly PlannedRemoval[];
  /** Documents of this manifest that the sync keeps. */
  keeps: number;
  settings: IndexingSettings;
  isSync: boolean;
}

export interface PlanNeeds {
  client: PlatformClient;
  files: LocalFiles;
  options: KnowledgeOptions;
  manifest: Manifest;
  /** Ids of documents whose indexing does not move. */
  stuck: ReadonlySet<string>;
  now(): number;
}

/** Looks at the files, the manifest and the platform, and says what would be done. */
export async function planUpload(
  { client, files, options, manifest, stuck, now }: PlanNeeds,
  { datasetId, targets, isSync }: AddRequest,
  signal: AbortSignal,
  onLooked: () => void,
): Promise<UploadPlan> {
  const { dataset, platform } = await lookAtPlatform(client, datasetId, signal);
  await reconcile(manifest, platform, now());
  const { state } = manifest;
  const { candidates, skipped } = await gatherSources(files, options, state, targets, signal, onLooked);
  const documents = candidates.map((candidate) =>
    plannedDocument(candidate, state, platform, { isSync, stuck }),
  );
  const settings = indexingSettings(dataset, options);
  const [target] = targets;
  const { removals, keeps, ...marked } =
    isSync && target
      ? plannedRemovals(
          { path: target.path, shown: files.shownPath(target.path) },
          documents,
          skipped,
          state,
          platform,
        )
      : { removals: [], keeps: 0, documents };
  return { dataset, documents: marked.documents, skipped, removals, keeps, settings, isSync };
}

/** Sends again what was chosen before, and removes what was to be removed, as far as it is not done meanwhile. */
export async function planAgain(
  { client, options, manifest, stuck, now }: Omit<PlanNeeds, 'files'>,
  datasetId: string,
  items: readonly SendItem[],
  removals: readonly PlannedRemoval[],
  signal: AbortSignal,
): Promise<UploadPlan> {
  const { dataset, platform } = await lookAtPlatform(client, datasetId, signal);
  await reconcile(manifest, platform, now());
  return {
    dataset,
    documents: items
      .map((item) =>
        plannedDocument({ ...item, isUnsaved: false }, manifest.state, platform, { isSync: false, stuck }),
      )
      .filter(({ change }) => change !== 'unchanged')
      .map((document) => ({ ...document, isSelected: replacesAsBefore(document, items) })),
    skipped: [],
    removals: removals.filter(({ documentId }) => platform.byId.has(documentId)),
    keeps: 0,
    settings: indexingSettings(dataset, options),
    isSync: false,
  };
}

/** Not so when it would now replace what somebody else put there: nobody was asked about that. */
function replacesAsBefore({ name, change, replaces }: PlannedDocument, items: readonly SendItem[]): boolean {
  if (change !== 'conflict' || !replaces) return true;
  const before = items.find((item) => item.name === name)?.replaces;
  return before?.id === replaces.id && !isReplaced(before.uploadFileId, replaces);
}

export async function lookAtPlatform(
  client: PlatformClient,
  datasetId: string,
  signal: AbortSignal,
): Promise<{ dataset: Dataset; platform: PlatformDocuments }> {
  const [dataset, platform] = await Promise.all([
    client.datasets.get(datasetId, signal),
    listDocuments(client, datasetId, signal),
  ]);
  if (dataset.isExternal) {
    throw new SwitchboardError(
      'request',
      l10n.t('The knowledge base "{0}" is external and read-only. Choose another one.', dataset.name),
    );
  }
  return { dataset, platform };
}
