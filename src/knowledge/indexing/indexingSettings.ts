import type { IndexingSettings } from '../../platform/documents/documents.ts';
import type { Dataset } from '../../platform/records.ts';
import type { ProcessRule } from '../../platform/documents/processRule.ts';

type HierarchicalRule = Extract<ProcessRule, { mode: 'hierarchical' }>;

const hierarchicalRule: HierarchicalRule = {
  mode: 'hierarchical',
  rules: {
    pre_processing_rules: [
      { id: 'remove_extra_spaces', enabled: true },
      { id: 'remove_urls_emails', enabled: false },
    ],
    segmentation: { separator: '\n\n', max_tokens: 1024 },
    parent_mode: 'paragraph',
    subchunk_segmentation: { separator: '\n', max_tokens: 512 },
  },
};

/** Technique and form of the knowledge base, as servers refuse others; the settings' rule if it fits the form. */
export function indexingSettings(
  { technique, form }: Dataset,
  options: Pick<KnowledgeOptions, 'technique' | 'processRule'>,
): IndexingSettings {
  const isHierarchicalRule = options.processRule.mode === 'hierarchical';
  const chosen = form ?? (isHierarchicalRule ? 'hierarchical_model' : 'text_model');
  const isHierarchical = chosen === 'hierarchical_model';
  return {
    technique: technique ?? options.technique,
    form: chosen,
    processRule:
      isHierarchical === isHierarchicalRule
        ? options.processRule
        : isHierarchical
          ? hierarchicalRule
          : { mode: 'automatic' },
  };
}

/** For source code, where indentation matters. */
export function preserveWhitespace(settings: IndexingSettings): IndexingSettings {
  const { processRule } = settings;
  if (processRule.mode === 'automatic') return settings;
  const pre_processing_rules = processRule.rules.pre_processing_rules.map((rule) =>
    rule.id === 'remove_extra_spaces' ? { ...rule, enabled: false } : rule,
  );
  return {
    ...settings,
    processRule:
      processRule.mode === 'custom'
        ? { mode: 'custom', rules: { ...processRule.rules, pre_processing_rules } }
        : { mode: 'hierarchical', rules: { ...processRule.rules, pre_processing_rules } },
  };
}

/** Settings `switchboard.knowledge.*`. */
export interface KnowledgeOptions {
  processRule: ProcessRule;
  technique: IndexingSettings['technique'];
  concurrency: number;
  maxFileSizeBytes: number;
  exclude: readonly string[];
}
