import type { SwitchboardError } from '../base/errors.ts';
import type { DisplayStatus, IndexingState } from '../platform/records.ts';
import type { Outcome } from './manifestRecords.ts';

export type DocumentStatus =
  | { type: 'toSend' }
  | { type: 'sending'; sentBytes: number; totalBytes: number }
  | { type: 'notSent'; error: SwitchboardError }
  | { type: 'waiting' }
  /** Parsing, cleaning, splitting. */
  | { type: 'preparing' }
  | { type: 'indexing'; done?: number; of?: number }
  | { type: 'indexed'; segments?: number }
  /** The platform says it is available, yet no segment came of it. */
  | { type: 'empty' }
  | { type: 'failed'; reason?: string }
  /** Nothing has moved for minutes; `waiting` when no worker took it up, `indexing` when it stopped midway. */
  | {
      type: 'stuck';
      at: 'waiting' | 'indexing';
      /** For how long nothing has moved. */
      sinceMs: number;
    }
  | { type: 'paused' }
  | { type: 'disabled' }
  | { type: 'archived' };

/** What is known of a document on the platform: its record, the progress of its batch, or both. */
export interface KnownDocument {
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
export function documentStatus(known: KnownDocument): DocumentStatus {
  const { state, display, error, completedSegments: done, totalSegments: of } = known;
  if (known.isArchived || display === 'archived') return { type: 'archived' };
  switch (state) {
    case 'error':
      return { type: 'failed', ...(error !== undefined && { reason: error }) };
    case 'paused':
      return { type: 'paused' };
    case 'completed':
      if (known.isEnabled === false || display === 'disabled') return { type: 'disabled' };
      if (of === 0 || (of === undefined && known.wordCount === 0)) return { type: 'empty' };
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
      return { type: 'empty', isNews: true };
    case 'failed':
      return { ...status, isNews: true };
    case 'paused':
    case 'disabled':
    case 'archived':
      return { type: status.type };
    default:
      return undefined;
  }
}
