import type { DisplayStatus, IndexingState } from '../platform/records.ts';
import type { DocumentStatus } from './knowledge.ts';
import type { Outcome } from './manifestRecords.ts';

/** What is known of a document on the platform: its record, the progress of its batch, or both. */
export interface DocumentFacts {
  state: IndexingState;
  display?: DisplayStatus;
  error?: string | undefined;
  isEnabled?: boolean;
  isArchived?: boolean;
  wordCount?: number;
  completedSegments?: number | undefined;
  totalSegments?: number | undefined;
}

/** A document's state in words of our own. */
export function documentStatus(facts: DocumentFacts): DocumentStatus {
  const { state, display, error, completedSegments: done, totalSegments: of } = facts;
  if (facts.isArchived || display === 'archived') return { type: 'archived' };
  switch (state) {
    case 'error':
      return { type: 'failed', ...(error !== undefined && { reason: error }) };
    case 'paused':
      return { type: 'paused' };
    case 'completed':
      if (facts.isEnabled === false || display === 'disabled') return { type: 'disabled' };
      if (of === 0 || (of === undefined && facts.wordCount === 0)) return { type: 'empty' };
      return { type: 'indexed', ...(of !== undefined && { segments: of }) };
    case 'waiting':
      return { type: 'waiting' };
    case 'parsing':
    case 'cleaning':
    case 'splitting':
      return { type: 'preparing' };
    case 'indexing':
      return {
        type: 'indexing',
        ...(done !== undefined && of !== undefined && of > 0 && { done, of }),
      };
    case 'unknown':
      return display === 'queuing' ? { type: 'waiting' } : { type: 'indexing' };
  }
}

/** Undefined while it is still going on. */
export function outcomeOf(status: DocumentStatus): Outcome | undefined {
  switch (status.type) {
    case 'indexed':
      return {
        type: 'indexed',
        ...(status.segments !== undefined && { segments: status.segments }),
      };
    case 'empty':
    case 'failed':
    case 'paused':
    case 'disabled':
    case 'archived':
      return { type: status.type };
    default:
      return undefined;
  }
}
