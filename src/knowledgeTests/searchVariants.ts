import * as l10n from '@vscode/l10n';
import { asObject } from '../base/json.ts';
import { topKOf } from '../knowledge/searchKnowledge.ts';
import { describeSearch } from '../knowledge/view/describeSearch.ts';
import type { Dataset, PlatformModel } from '../platform/records.ts';
import { type SearchSettings, toSearchFields } from '../platform/searchSettings.ts';

export interface SearchVariant {
  readonly label: string;
  readonly group: VariantGroup;
  readonly settings: ReadonlyMap<string, SearchSettings>;
  readonly isCurrent: boolean;
  readonly isSuggested: boolean;
  /** Per question. */
  readonly requests: SearchRequests;
}

export type VariantGroup = 'current' | 'method' | 'reranking' | 'threshold' | 'results';

export interface SearchRequests {
  readonly searches: number;
  /** An upper bound, since the platform may cache a question's embeddings. */
  readonly embeddings: number;
  readonly reranks: number;
  /** True if an external knowledge base is searched, whose own requests nobody knows. */
  readonly isPartlyUnknown: boolean;
}

export const mostVariants = 12;
const mostRerankers = 5;
const suggested = 3;

type Change = [group: VariantGroup, change: Omit<SearchSettings, 'filter'>];

/** Variants to choose from, the current settings first. Metadata filters stay; what would search alike is left out. */
export function searchVariants(
  datasets: readonly Dataset[],
  current: (datasetId: string) => SearchSettings | undefined,
  rerankers: readonly PlatformModel[],
): SearchVariant[] {
  const saved = new Map(datasets.map(({ id }) => [id, current(id) ?? {}]));
  const descriptions = new Set([...saved.values()].map(describeSearch));
  const [description = ''] = descriptions.size === 1 ? descriptions : [l10n.t('different settings of each')];
  const variants: SearchVariant[] = [
    {
      label: description === '' ? l10n.t("the knowledge base's settings") : description,
      ...{ group: 'current', settings: saved, isCurrent: true, isSuggested: true },
      requests: requestsOf(datasets, saved),
    },
  ];
  const seen = new Set([fieldsOf(datasets, saved)]);
  for (const [group, change] of changes(datasets, rerankers)) {
    const settings = new Map([...saved].map(([id, own]) => [id, { ...own, ...change }]));
    const fields = fieldsOf(datasets, settings);
    if (seen.has(fields)) continue;
    seen.add(fields);
    const requests = requestsOf(datasets, settings);
    // Methods come first, so no reranking model is suggested.
    const isSuggested = variants.length <= suggested;
    variants.push({
      label: describeSearch(change),
      group,
      settings,
      isCurrent: false,
      isSuggested,
      requests,
    });
  }
  return variants;
}

/** Suggested ones first. An economical index has one method and no scores; an agent's has no settings. */
function changes(datasets: readonly Dataset[], rerankers: readonly PlatformModel[]): Change[] {
  const set = datasets.filter(({ isAgent }) => !isAgent);
  const isSemantic = set.some(({ technique, isExternal }) => technique === 'high_quality' && !isExternal);
  const isScored = isSemantic || set.some(({ isExternal }) => isExternal);
  const none = { type: 'none' } as const;
  const hybrid = (semantic: number): Change => [
    'method',
    { method: 'hybrid_search', reranking: { type: 'weights', semantic } },
  ];
  const models = rerankers.filter(({ isActive }) => isActive).slice(0, mostRerankers);
  return [
    ...(isSemantic
      ? ([
          ['method', { method: 'semantic_search', reranking: none }],
          ['method', { method: 'full_text_search', reranking: none }],
          ...[0.7, 0.5, 0.3].map(hybrid),
          ...models.flatMap(({ provider, model }): Change[] => {
            const reranking = { type: 'model', provider, model } as const;
            return [
              ['reranking', { method: 'hybrid_search', reranking }],
              ['reranking', { method: 'semantic_search', reranking }],
            ];
          }),
        ] satisfies Change[])
      : []),
    ...(set.length > 0 ? [3, 6, 10, 20] : []).map((topK): Change => ['results', { topK }]),
    ...(isScored ? [0, 0.3, 0.5, 0.7] : []).map((scoreThreshold): Change => [
      'threshold',
      { scoreThreshold },
    ]),
  ];
}

type SettingsByBase = SearchVariant['settings'];

function fieldsOf(datasets: readonly Dataset[], settings: SettingsByBase): string {
  const sent = datasets.map((dataset) => {
    const own = settings.get(dataset.id);
    return toSearchFields(dataset, topKOf([own]), own);
  });
  const withoutUnused = (_: string, value: unknown) =>
    asObject(value)?.['score_threshold_enabled'] === false
      ? { ...asObject(value), score_threshold: undefined }
      : value;
  return JSON.stringify(sent, withoutUnused);
}

function requestsOf(datasets: readonly Dataset[], settings: SettingsByBase): SearchRequests {
  const sent = datasets
    .filter(({ isAgent }) => !isAgent)
    .map((dataset) => {
      const fields = asObject(toSearchFields(dataset, 1, settings.get(dataset.id)));
      const model = asObject(fields?.['retrieval_model']) ?? {};
      const method = model['search_method'];
      return {
        isEmbedded: method === 'semantic_search' || method === 'hybrid_search',
        isReranked: model['reranking_enable'] === true && model['reranking_mode'] !== 'weighted_score',
      };
    });
  return {
    searches: datasets.length,
    embeddings: sent.filter(({ isEmbedded }) => isEmbedded).length,
    reranks: sent.filter(({ isReranked }) => isReranked).length,
    isPartlyUnknown: datasets.some(({ isExternal, isAgent }) => isExternal || isAgent),
  };
}
