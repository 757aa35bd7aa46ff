import * as z from 'zod/mini';
import { loosely } from '../base/lenientSchemas.ts';
import type { Dataset } from './records.ts';

/** Search settings that override the knowledge base's own. Source: platform-api.md 7.2. */

export const searchMethods = [
  'semantic_search',
  'full_text_search',
  'hybrid_search',
  'keyword_search',
] as const;
export type SearchMethod = (typeof searchMethods)[number];

export const comparisons = {
  string: ['is', 'is not', 'contains', 'not contains', 'start with', 'end with', 'empty', 'not empty'],
  number: ['=', '≠', '>', '<', '≥', '≤', 'empty', 'not empty'],
  time: ['is', 'before', 'after', 'empty', 'not empty'],
} as const;

const conditionSchema = z.object({
  name: z.string().check(z.minLength(1)),
  comparison: z.string().check(z.minLength(1)),
  /** Times in Unix seconds; absent for `empty` and `not empty`. */
  value: z.optional(z.union([z.string(), z.number()])),
});
export type MetadataCondition = z.infer<typeof conditionSchema>;

export const mostResultsSet = 20;

const settingsSchema = z.object({
  method: loosely(z.enum(searchMethods)),
  reranking: loosely(
    z.union([
      z.object({ type: z.literal('none') }),
      z.object({ type: z.literal('model'), provider: z.string(), model: z.string() }),
      /** The semantic weight of a hybrid search, 0 to 1; the rest is the keyword weight. */
      z.object({ type: z.literal('weights'), semantic: z.number().check(z.minimum(0), z.maximum(1)) }),
    ]),
  ),
  scoreThreshold: loosely(z.number().check(z.minimum(0), z.maximum(1))),
  topK: loosely(z.int().check(z.minimum(1), z.maximum(mostResultsSet))),
  filter: loosely(z.object({ match: z.enum(['all', 'any']), conditions: z.array(conditionSchema) })),
});

/** Absent fields use the knowledge base's settings. */
export type SearchSettings = z.infer<typeof settingsSchema>;

export function readSearchSettings(value: unknown): SearchSettings | undefined {
  const { data } = settingsSchema.safeParse(value);
  const isSet = data && Object.values(data).some((part) => part !== undefined);
  return isSet ? data : undefined;
}

export function toSearchFields(
  { isExternal, technique, retrievalModel = {}, embeddingModel, embeddingModelProvider }: Dataset,
  topK: number,
  settings: SearchSettings = {},
): object {
  const { reranking, scoreThreshold, filter } = settings;
  if (isExternal) {
    const threshold = thresholdFields(scoreThreshold) ?? { score_threshold_enabled: false };
    return { external_retrieval_model: { top_k: topK, ...threshold } };
  }
  const own = Object.fromEntries(Object.entries(retrievalModel).filter(([, value]) => value !== null));
  const fallback = technique === 'high_quality' ? 'semantic_search' : 'keyword_search';
  const isEconomical = technique === 'economical';
  return {
    retrieval_model: {
      ...own,
      reranking_enable: own['reranking_enable'] === true,
      score_threshold_enabled: own['score_threshold_enabled'] === true,
      // An economical index supports no other method.
      search_method: isEconomical ? fallback : (settings.method ?? own['search_method'] ?? fallback),
      top_k: topK,
      ...(!isEconomical && rerankingFields(reranking, embeddingModel, embeddingModelProvider)),
      ...(!isEconomical && thresholdFields(scoreThreshold)),
      ...(filter && filter.conditions.length > 0 && { metadata_filtering_conditions: filterFields(filter) }),
    },
  };
}

function thresholdFields(threshold: number | undefined): object | undefined {
  return threshold === undefined
    ? undefined
    : { score_threshold_enabled: threshold > 0, score_threshold: threshold };
}

function rerankingFields(
  reranking: SearchSettings['reranking'],
  embeddingModel = '',
  embeddingProvider = '',
): object | undefined {
  switch (reranking?.type) {
    case undefined:
      return undefined;
    case 'none':
      return { reranking_enable: false };
    case 'model':
      return {
        reranking_enable: true,
        reranking_mode: 'reranking_model',
        reranking_model: {
          reranking_provider_name: reranking.provider,
          reranking_model_name: reranking.model,
        },
      };
    case 'weights':
      return {
        reranking_enable: false,
        reranking_mode: 'weighted_score',
        weights: {
          weight_type: 'customized',
          vector_setting: {
            vector_weight: reranking.semantic,
            embedding_provider_name: embeddingProvider,
            embedding_model_name: embeddingModel,
          },
          keyword_setting: { keyword_weight: Number((1 - reranking.semantic).toFixed(2)) },
        },
      };
  }
}

function filterFields({ match, conditions }: NonNullable<SearchSettings['filter']>): object {
  return {
    logical_operator: match === 'all' ? 'and' : 'or',
    conditions: conditions.map(({ name, comparison, value }) => ({
      name,
      comparison_operator: comparison,
      ...(value !== undefined && { value }),
    })),
  };
}
