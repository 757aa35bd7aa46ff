import { invalidParam, notFound, refusal } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';
import type { Call } from './platformRoute.ts';
import type { StoredDataset, StoredDocument, StoredSegment } from './storedDataset.ts';

export function datasetOf({ store }: PlatformContext, { ids }: Call): StoredDataset {
  const dataset = store.findDataset(ids[0] ?? '');
  if (!dataset) throw notFound('Dataset not found.');
  if (!dataset.isApiOn) throw refusal(403, 'forbidden', 'Dataset api access is not enabled.');
  return dataset;
}

/** For uploads: the refusals of older versions differ. */
export function uploadDatasetOf(context: PlatformContext, call: Call): StoredDataset {
  if (!context.version.isAtLeast('1.10') && !context.store.findDataset(call.ids[0] ?? '')) {
    throw invalidParam('Dataset does not exist.');
  }
  const dataset = datasetOf(context, call);
  if (dataset.provider === 'external') throw invalidParam('External datasets are not supported.');
  return dataset;
}

export function documentOf(
  dataset: StoredDataset,
  { ids }: Call,
  message = 'Document not found.',
): StoredDocument {
  const document = dataset.documents.find(({ id }) => id === ids[1]?.toLowerCase());
  if (!document) throw notFound(message);
  return document;
}

export function segmentOf(document: StoredDocument, { ids }: Call): StoredSegment {
  const segment = document.segments.find(({ id }) => id === ids[2]?.toLowerCase());
  if (!segment) throw notFound('Segment not found.');
  return segment;
}
