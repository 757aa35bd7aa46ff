import type { IndexingSettings } from '../platform/documents/documents.ts';
import type { ProcessRule } from '../platform/documents/processRule.ts';

/** Settings `switchboard.knowledge.*`. */
export interface KnowledgeOptions {
  processRule: ProcessRule;
  technique: IndexingSettings['technique'];
  concurrency: number;
  maxFileSizeBytes: number;
  exclude: readonly string[];
}
