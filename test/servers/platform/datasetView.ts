import { type IndexingStatus, indexingStatus } from './indexingRun.ts';
import type { ProcessRule } from './processRule.ts';
import type { DocumentForm, StoredDataset, StoredDocument, Technique } from './storedDataset.ts';

export interface DatasetView {
  id: string;
  name: string;
  description: string;
  permission: string;
  memberIds: readonly string[];
  technique: Technique | null;
  form: DocumentForm | null;
  tags: string[];
  /** Oldest first. */
  documents: DocumentView[];
}

export interface DocumentView {
  id: string;
  name: string;
  batch: string;
  status: IndexingStatus;
  isEnabled: boolean;
  isArchived: boolean;
  /** Undefined if it was no text or too large to keep. */
  text: string | undefined;
  /** Bytes of the upload. */
  size: number;
  /** Hexadecimal hash of the upload. */
  sha256: string;
  processRule: ProcessRule;
  segments: string[];
  metadata: Record<string, string | number | null>;
}

export function viewDataset(
  dataset: StoredDataset,
  tags: readonly { id: string; name: string }[],
  now: number,
): DatasetView {
  const { id, name, description, permission, memberIds, technique, form } = dataset;
  return {
    id,
    name,
    ...{ permission, memberIds },
    description,
    technique,
    form,
    tags: tags.filter((tag) => dataset.tagIds.has(tag.id)).map((tag) => tag.name),
    documents: dataset.documents.map((document) => viewDocument(dataset, document, now)),
  };
}

function viewDocument(dataset: StoredDataset, document: StoredDocument, now: number): DocumentView {
  const { id, name, batch, isEnabled, isArchived, text, size, sha256, processRule } = document;
  const values = dataset.metadata.flatMap((field): [string, string | number | null][] => {
    const value = document.metadata.get(field.id);
    return value === undefined ? [] : [[field.name, value]];
  });
  return {
    id,
    name,
    batch,
    status: indexingStatus(document.indexing, now),
    isEnabled,
    isArchived,
    text,
    size,
    sha256,
    processRule,
    segments: document.segments.map(({ content }) => content),
    metadata: Object.fromEntries(values),
  };
}
