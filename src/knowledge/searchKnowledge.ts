import type { PlatformClient } from '../platform/platformClient.ts';
import type { Dataset } from '../platform/records.ts';
import { firstCharacters } from '../platform/retrieve.ts';
import type { DocumentOrigin, SearchOutcome, SearchRequest, SearchResult } from './knowledge.ts';
import { mergeByRank } from './mergeByRank.ts';
import { toError } from './toError.ts';

export interface SearchNeeds {
  client: PlatformClient;
  baseOf(datasetId: string): Dataset | undefined;
  originOf(datasetId: string, documentId: string): Promise<DocumentOrigin | undefined>;
}

/** Asks the knowledge bases at the same time and merges what they find. Only an abort is thrown. */
export async function searchKnowledge(
  { client, baseOf, originOf }: SearchNeeds,
  { datasetIds, query, topK }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const asked = firstCharacters(query);
  const search = async (datasetId: string): Promise<SearchResult[]> => {
    const dataset = baseOf(datasetId);
    const found = await client.datasets.retrieve(
      datasetId,
      { query: asked, topK, ...(dataset && { dataset }) },
      signal,
    );
    const isScored = isMeaningful(found.map(({ score }) => score));
    return Promise.all(
      found.map(async ({ segment, documentName, score }) => {
        const { id, documentId, position, content } = segment;
        const origin = await originOf(datasetId, documentId);
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
