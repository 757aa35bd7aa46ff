import type { IndexingSettings } from '../platform/documents/documents.ts';
import type { ProcessRule } from '../platform/documents/processRule.ts';

export interface KnowledgeOptions {
  processRule: ProcessRule;
  technique: IndexingSettings['technique'];
  concurrency: number;
  maxFileSizeBytes: number;
  exclude: readonly string[];
}
