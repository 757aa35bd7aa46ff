import type { SwitchboardError } from '../../base/errors.ts';
import type { DocumentPlace, SegmentPlace } from '../../platform/platformClient.ts';
import type { ChildChunk, Dataset, Segment } from '../../platform/records.ts';
import type { KnowledgeDocument } from '../documentList.ts';
import type { FolderLink } from '../folderLinks.ts';

/** A line of the tree. The same thing keeps the same node, whose content is brought up to date. */
export type TreeNode =
  | BaseNode
  | DocumentNode
  | SegmentNode
  | ChunkNode
  | StuckNode
  | MoreNode
  | FailureNode
  | NoteNode;

export interface BaseNode {
  type: 'base';
  dataset: Dataset;
  links: readonly FolderLink[];
  /** Of the filter in force. */
  keyword?: string | undefined;
  /** How many documents' indexing does not move. */
  stuck: number;
  /** What is set here of how it is searched, in words; may be empty. */
  search: string;
}

export interface DocumentNode {
  type: 'document';
  parent: BaseNode;
  document: KnowledgeDocument;
}

export interface SegmentNode {
  type: 'segment';
  parent: DocumentNode;
  segment: Segment;
}

export interface ChunkNode {
  type: 'chunk';
  parent: SegmentNode;
  chunk: ChildChunk;
}

/** Whatever has children that come in pages. */
export type PagedNode = BaseNode | DocumentNode | SegmentNode;

/** Sends again what is stuck. */
export interface StuckNode {
  type: 'stuck';
  parent: BaseNode;
}

export interface MoreNode {
  type: 'more';
  parent: PagedNode;
  shown: number;
  total?: number | undefined;
}

export interface FailureNode {
  type: 'failure';
  /** Absent when the list of knowledge bases failed. */
  parent?: PagedNode;
  error: SwitchboardError;
}

export interface NoteNode {
  type: 'note';
  parent: PagedNode;
  text: string;
}

/** Whether the platform keeps child chunks for the document's segments. */
export function isHierarchical({ parent, document }: DocumentNode): boolean {
  return (document.record?.form ?? parent.dataset.form) === 'hierarchical_model';
}

export function placeOfDocument({ parent, document }: DocumentNode): DocumentPlace {
  return { datasetId: parent.dataset.id, documentId: document.id };
}

export function placeOfSegment({ parent, segment }: SegmentNode): SegmentPlace {
  return { ...placeOfDocument(parent), segmentId: segment.id };
}
