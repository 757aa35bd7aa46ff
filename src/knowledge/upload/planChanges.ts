import { indexingSettings } from '../indexing/indexingSettings.ts';
import { reconcile } from '../indexing/reconcile.ts';
import type { SentDocument } from '../manifest/manifestRecords.ts';
import { documentPages, PlatformDocuments } from '../platformDocuments.ts';
import type { PlatformClient } from '../../platform/platformClient.ts';
import { isNotFound } from '../../platform/platformErrors.ts';
import type { DocumentRecord } from '../../platform/records.ts';
import { type Candidate, gatherSources } from './gatherSources.ts';
import { plannedDocument } from './plannedDocument.ts';
import { plannedRemovals } from './plannedRemovals.ts';
import type { UploadDependencies } from './uploadPipeline.ts';
import type { UploadPlan } from './uploadPlan.ts';

export interface ChangesRequest {
  datasetId: string;
  folder: string;
  paths: readonly string[];
}

/** Above this, reading the list of all documents takes fewer requests. */
const mostSingleLookups = 100;

export async function planChanges(
  deps: UploadDependencies,
  { datasetId, folder, paths }: ChangesRequest,
  signal: AbortSignal,
): Promise<UploadPlan> {
  const { client, files, options, manifest } = deps;
  const dataset = await client.datasets.get(datasetId, signal);
  const shown = new Set(paths.map((path) => files.shownPath(path)));
  const targets = paths.map((path) => ({ type: 'path' as const, path }));
  const gathered = await gatherSources(files, options, manifest.state, targets, signal, () => undefined);
  // A link leads elsewhere, and a sync of the whole folder doesn't follow links.
  const candidates = gathered.candidates.filter(({ origin }) => isBelowAny(shown, origin.path));
  const skipped = gathered.skipped.filter(({ reason }) => reason !== 'missing');

  const ofPaths = [...manifest.state.documents.values()].filter(({ path }) => isBelowAny(shown, path));
  const platform = await lookUp(deps, datasetId, candidates, ofPaths, signal);
  const state = { documents: new Map(ofPaths.map((sent) => [sent.name, sent])) };
  const facts = { isSync: true, stuck: new Set<string>() };
  const documents = candidates.map((candidate) =>
    plannedDocument(candidate, manifest.state, platform, facts),
  );
  const place = { path: folder, shown: files.shownPath(folder) };
  return {
    dataset,
    ...plannedRemovals(place, documents, skipped, state, platform),
    skipped,
    settings: indexingSettings(dataset, options),
    isSync: true,
  };
}

/** The platform's documents that matter: those of the changed files, and of uploads without a known end. */
async function lookUp(
  { client, manifest, clock }: UploadDependencies,
  datasetId: string,
  candidates: readonly Candidate[],
  ofPaths: readonly SentDocument[],
  signal: AbortSignal,
): Promise<PlatformDocuments> {
  const found = new Map<string, DocumentRecord>();
  const names = new Set(candidates.map(({ name }) => name));
  for (const { name } of ofPaths) names.add(name);
  for (const name of manifest.state.pendingUploads.keys()) names.add(name);
  if (names.size > mostSingleLookups) {
    for await (const page of documentPages(client, datasetId, signal)) {
      for (const record of page) found.set(record.id, record);
    }
  } else {
    const lookUpName = async (name: string) => {
      for await (const page of documentPages(client, datasetId, signal, name)) {
        for (const record of page) found.set(record.id, record);
      }
      const known = manifest.state.documents.get(name);
      if (!known || found.has(known.documentId)) return;
      // It may have been renamed on the platform.
      const record = await ifThere(client, datasetId, known.documentId, signal);
      if (record) found.set(record.id, record);
    };
    const left = names.values();
    const worker = async () => {
      for (const name of left) await lookUpName(name);
    };
    await Promise.all(Array.from({ length: 4 }, worker));
  }
  const platform = new PlatformDocuments(found.values());
  await reconcile(manifest, platform, clock.now());
  return platform;
}

async function ifThere(
  { documents }: PlatformClient,
  datasetId: string,
  documentId: string,
  signal: AbortSignal,
): Promise<DocumentRecord | undefined> {
  try {
    return await documents.get(datasetId, documentId, signal);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isBelowAny(paths: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (paths.has(path.slice(0, end))) return true;
  }
  return paths.has('');
}
