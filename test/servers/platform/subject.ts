import type { RecordedRequest } from '../http/recordedRequest.ts';
import type { DatasetStore } from './datasetStore.ts';
import type { RequestKind } from './platformRoute.ts';
import type { StoredDataset } from './storedDataset.ts';

export interface Subject {
  readonly kind: RequestKind;
  readonly dataset: StoredDataset | undefined;
  /** The document's name, as far as the request or the store has it. */
  readonly document: string | undefined;
}

export interface SubjectFilter {
  on?: RequestKind | readonly RequestKind[];
  /** Name or id. */
  dataset?: string;
  document?: string | RegExp;
}

/** The subject of a request; before its body has arrived, only the path's part. */
export function subjectOf(
  kind: RequestKind,
  request: RecordedRequest,
  ids: readonly string[],
  store: DatasetStore,
): Subject {
  const dataset = store.findDataset(ids[0] ?? '');
  const known = dataset?.documents.find(({ id, batch }) => ids[1] === id || ids[1] === batch)?.name;
  const sent =
    request.parts.find(({ name }) => name === 'file')?.filename ??
    (request.json as { name?: unknown } | null | undefined)?.name;
  return { kind, dataset, document: typeof sent === 'string' ? sent : known };
}

/** @param otherwise the kinds for a filter that names none */
export function fits(filter: SubjectFilter, subject: Subject, otherwise: readonly RequestKind[]): boolean {
  const kinds = filter.on === undefined ? otherwise : [filter.on].flat();
  if (!kinds.includes(subject.kind)) return false;
  return fitsNames(filter, subject.dataset, subject.document);
}

export function fitsNames(
  filter: SubjectFilter,
  dataset: StoredDataset | undefined,
  document: string | undefined,
): boolean {
  const isDataset =
    filter.dataset === undefined || filter.dataset === dataset?.id || filter.dataset === dataset?.name;
  if (!isDataset || filter.document === undefined) return isDataset;
  if (document === undefined) return false;
  return typeof filter.document === 'string' ? filter.document === document : filter.document.test(document);
}
