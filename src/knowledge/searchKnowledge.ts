import type { SwitchboardError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import { contentWords } from '../base/words.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import { isApiAccessOff } from '../platform/platformErrors.ts';
import { firstCharacters } from '../platform/retrieve.ts';
import type { SearchSettings } from '../platform/searchSettings.ts';
import type { DocumentOrigin } from './documentName.ts';
import type { KnowledgeBases } from './knowledgeBases.ts';
import type { Manifests } from './manifests.ts';
import { toError } from './toError.ts';

export interface SearchRequest {
  datasetIds: readonly string[];
  query: string;
  /** How many segments in all. */
  topK: number;
}

export interface SearchOutcome {
  results: readonly SearchResult[];
  failures: readonly { datasetId: string; error: SwitchboardError }[];
  /** The query was longer than the server accepts and was cut to this. */
  cutQuery?: string;
}

export interface SearchResult {
  datasetId: string;
  datasetName: string;
  documentId: string;
  documentName: string;
  segmentId: string;
  /** 1-based place in the document. */
  position?: number;
  content: string;
  score?: number;
  origin?: DocumentOrigin;
}

export interface SearchDependencies {
  client: PlatformClient;
  bases: KnowledgeBases;
  manifests: Manifests;
  /** What the user set for a knowledge base. */
  searchSettings(datasetId: string): SearchSettings | undefined;
  log: Log;
}

/** Asks the knowledge bases at the same time and merges what they find. Only an abort is thrown. */
export async function searchKnowledge(
  { client, bases, manifests, searchSettings, log }: SearchDependencies,
  { datasetIds, query, topK }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  if (bases.state.type === 'notLoaded') {
    // For their names and search settings; without them the search still works.
    await bases
      .load(signal)
      .catch((error: unknown) => log.warn(`Searching without the list: ${messageOf(error)}`));
  }
  const asked = firstCharacters(query);
  const search = async (datasetId: string): Promise<SearchResult[]> => {
    const dataset = bases.find(datasetId);
    const found = await client.datasets.retrieve(
      datasetId,
      { query: asked, topK, ...(dataset && { dataset }), settings: searchSettings(datasetId) },
      signal,
    );
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
      ? [{ datasetId, error: toError(answer.reason) }]
      : [];
  });
  for (const { datasetId, error } of failures) {
    if (isApiAccessOff(error)) bases.failed(datasetId, error);
  }
  return {
    results: mergeByRank(lists, query).slice(0, topK),
    failures,
    ...(asked !== query && { cutQuery: asked }),
  };
}

/** Keyword search says 0 of everything it finds, which tells nothing. */
function isMeaningful(scores: readonly (number | undefined)[]): boolean {
  return scores.some((score) => score !== undefined && score > 0);
}

/** As in the literature: large enough that the first ranks do not outweigh all others. */
const smoothing = 60;

/**
 * Reciprocal rank fusion of what several searches found, best first each. Their scores are not compared: those of
 * keyword search are all 0, and two embedding models do not measure alike. Of two at the same rank, the one that holds
 * more of the query's words comes first.
 */
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
