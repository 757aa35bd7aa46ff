import * as l10n from '@vscode/l10n';
import { messageOf, SwitchboardError } from '../base/errors/errors.ts';
import type { Log } from '../base/log.ts';
import { contentWords } from '../base/text/contentWords.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import { isApiAccessOff, isExternalSearchMissing } from '../platform/platformErrors.ts';
import { firstCharacters } from '../platform/retrieve.ts';
import type { SearchSettings } from '../platform/searchSettings.ts';
import type { Source, SourceState } from '../tools/knowledge/source.ts';
import { defaultTopK, type SearchSegments } from '../tools/knowledge/searchBases.ts';
import type { KnowledgeBases } from './knowledgeBases.ts';
import type { Manifests } from './manifest/manifests.ts';
import type { SourceChecker } from './sources/sourceChecker.ts';
import { toUploadError } from './upload/sendDocument.ts';

export interface SearchRequest {
  datasetIds: readonly string[];
  query: string;
  topK?: number | undefined;
  settingsOf?: ((datasetId: string) => SearchSettings | undefined) | undefined;
}

export interface SearchOutcome {
  results: readonly SearchResult[];
  failures: readonly { datasetId: string; error: SwitchboardError }[];
  cutQuery?: string;
}

export interface SearchResult {
  datasetId: string;
  datasetName: string;
  documentId: string;
  documentName: string;
  segmentId: string;
  position?: number;
  content: string;
  score?: number;
  origin?: NonNullable<Source['origin']>;
  state?: SourceState;
}

export interface SearchDependencies {
  client: PlatformClient;
  bases: KnowledgeBases;
  manifests: Pick<Manifests, 'originOf'>;
  searchSettings(datasetId: string): SearchSettings | undefined;
  sources?: Pick<SourceChecker, 'annotate'>;
  log: Log;
}

/** Searches knowledge bases in parallel and merges the results. Throws only when aborted. */
export async function searchKnowledge(
  { client, bases, manifests, searchSettings, sources, log }: SearchDependencies,
  {
    datasetIds,
    query,
    settingsOf = searchSettings,
    topK = topKOf(datasetIds.map(settingsOf)),
  }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  if (bases.state.type === 'notLoaded') {
    // Provides names and search settings; searching works without them.
    await bases
      .load(signal)
      .catch((error: unknown) => log.warn(`Searching without the list: ${messageOf(error)}`));
  }
  const asked = firstCharacters(query);
  const search = async (datasetId: string): Promise<SearchResult[]> => {
    const dataset = bases.find(datasetId);
    const wanted = { query: asked, topK, ...(dataset && { dataset }), settings: settingsOf(datasetId) };
    const found = await (bases.isAgent(datasetId)
      ? client.agentBases.search(datasetId, asked, signal)
      : client.datasets.retrieve(datasetId, wanted, signal));
    const isScored = isMeaningful(found.map(({ score }) => score));
    return Promise.all(
      found.map(async ({ segment, documentName, score }) => {
        const { id, documentId, position, content } = segment;
        const origin = await manifests.originOf(datasetId, documentId);
        return {
          datasetId,
          datasetName: dataset?.name ?? '',
          documentId,
          documentName,
          segmentId: id,
          ...(position !== undefined && { position }),
          content,
          ...(isScored && score !== undefined && { score }),
          ...(origin && { origin }),
        };
      }),
    );
  };
  const ids = [...new Set(datasetIds)];
  const answers = await Promise.allSettled(ids.map(search));
  signal.throwIfAborted();
  const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failures = answers.flatMap((answer, index) => {
    const datasetId = ids[index];
    return answer.status === 'rejected' && datasetId !== undefined
      ? [{ datasetId, error: toUploadError(answer.reason) }]
      : [];
  });
  for (const { datasetId, error } of failures) {
    if (isApiAccessOff(error) || isExternalSearchMissing(error)) bases.failed(datasetId, error);
  }
  const merged = mergeByRank(lists, query).slice(0, topK);
  const results = sources ? await sources.annotate(merged, signal) : merged;
  return {
    results,
    failures,
    ...(asked !== query && { cutQuery: asked }),
  };
}

/** The most that one of several knowledge bases is set to. */
export function topKOf(settings: readonly (SearchSettings | undefined)[]): number {
  const set = settings.flatMap((each) => each?.topK ?? []);
  return set.length > 0 ? Math.max(...set) : defaultTopK;
}

/** Keyword search scores everything 0. */
function isMeaningful(scores: readonly (number | undefined)[]): boolean {
  return scores.some((score) => score !== undefined && score > 0);
}

/** The usual constant: the first ranks don't outweigh all others. */
const smoothing = 60;

/** Reciprocal rank fusion: scores don't compare, and keywords have none. At equal rank, more words of the query win. */
function mergeByRank<T extends { content: string }>(lists: readonly (readonly T[])[], query: string): T[] {
  const [only] = lists;
  if (only && lists.length === 1) return [...only];
  const words = contentWords(query).map((word) => word.toLowerCase());
  return lists
    .flatMap((list) =>
      list.map((result, rank) => ({
        result,
        weight: 1 / (smoothing + rank + 1),
        matches: matchesIn(result.content, words),
      })),
    )
    .toSorted((a, b) => b.weight - a.weight || b.matches - a.matches)
    .map(({ result }) => result);
}

function matchesIn(content: string, words: readonly string[]): number {
  const text = content.toLowerCase();
  return words.filter((word) => text.includes(word)).length;
}

export function createSearchSegments(
  knowledge: () => Promise<
    { search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome> } | undefined
  >,
): SearchSegments {
  return async (query, signal) => {
    const connected = await knowledge();
    if (!connected) throw new SwitchboardError('key', l10n.t('No platform is connected.'));
    const { results, failures, cutQuery } = await connected.search(query, signal);
    return { segments: results, failures, cutQuery };
  };
}
