import type { SwitchboardError } from '../../base/errors/errors.ts';
import type { DocumentPlace } from '../../platform/documents/segments.ts';
import type { SegmentPlace } from '../../platform/documents/childChunks.ts';
import type { ChildChunk, Dataset, Segment } from '../../platform/records.ts';
import type { KnowledgeDocument } from '../documentList.ts';
import type { FolderLink } from '../files/folderLinks.ts';

/** Nodes are kept and updated, so that identity is stable. */
export type TreeNode =
  | BaseNode
  | DocumentNode
  | SegmentNode
  | ChunkNode
  | StuckNode
  | MoreNode
  | FailureNode
  | NoteNode
  | ScopeNode;

export interface BaseNode {
  type: 'base';
  dataset: Dataset;
  links: readonly FolderLink[];
  keyword?: string | undefined;
  stuck: number;
  search: string;
  sync?: { text: string; isPaused: boolean; isOn: boolean } | undefined;
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

export type PagedNode = BaseNode | DocumentNode | SegmentNode;

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
  parent?: PagedNode;
  error: SwitchboardError;
}

/** Row below the knowledge bases of a key that was made for some. */
export interface ScopeNode {
  type: 'scope';
}

export interface NoteNode {
  type: 'note';
  parent: PagedNode;
  text: string;
}

export function isHierarchical({ parent, document }: DocumentNode): boolean {
  return (document.record?.form ?? parent.dataset.form) === 'hierarchical_model';
}

export function placeOfDocument({ parent, document }: DocumentNode): DocumentPlace {
  return { datasetId: parent.dataset.id, documentId: document.id };
}

export function placeOfSegment({ parent, segment }: SegmentNode): SegmentPlace {
  return { ...placeOfDocument(parent), segmentId: segment.id };
}
