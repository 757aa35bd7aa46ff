import type { IndexingSettings } from '../platform/platformClient.ts';
import type { ProcessRule } from '../platform/processRule.ts';

/** Settings `switchboard.knowledge.*`. */
export interface KnowledgeOptions {
  processRule: ProcessRule;
  technique: IndexingSettings['technique'];
  /** How many documents are sent at a time. */
  concurrency: number;
  maxFileSizeBytes: number;
  /** Globs. */
  exclude: readonly string[];
}
