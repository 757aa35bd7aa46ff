import type { SwitchboardError } from '../../base/errors/errors.ts';
import type { DisplayStatus, IndexingState } from '../../platform/records.ts';
import type { Outcome } from '../manifest/manifestRecords.ts';

export type DocumentStatus =
  | { type: 'toSend' }
  | { type: 'sending'; sentBytes: number; totalBytes: number }
  | { type: 'notSent'; error: SwitchboardError }
  | { type: 'waiting' }
  | { type: 'preparing' }
  | { type: 'indexing'; done?: number; of?: number }
  | { type: 'indexed'; segments?: number }
  | { type: 'empty' }
  | { type: 'failed'; reason?: string }
  /** No progress for minutes: `waiting` if no worker took it, `indexing` if one stopped midway. */
  | {
      type: 'stuck';
      at: 'waiting' | 'indexing';
      sinceMs: number;
    }
  | { type: 'paused' }
  | { type: 'disabled' }
  | { type: 'archived' };

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
