import * as z from 'zod/mini';
import type { Reply } from '../http/reply.ts';
import { datasetOf } from './findTargets.ts';
import type { PlatformContext } from './platformContext.ts';
import { fitsFilter, metadataFilterSchema } from './metadataFilter.ts';
import { invalidParam, refusal } from './platformErrors.ts';
import { type Call, ok, type PlatformRoute, route } from './platformRoute.ts';
import type { Hit } from './searchIndex.ts';
import { segmentRecord } from './segmentRecord.ts';
import { checkEmbedding, checkReranking } from './techniques.ts';
import { readJsonBody } from './validation.ts';

/** The search parameters; four of the fields are required whenever it is sent. */
export const retrievalModelSchema = z.looseObject({
  search_method: z.enum(['keyword_search', 'semantic_search', 'full_text_search', 'hybrid_search']),
  reranking_enable: z.boolean(),
  top_k: z.number(),
  score_threshold_enabled: z.boolean(),
  score_threshold: z.nullish(z.number()),
  metadata_filtering_conditions: z.nullish(metadataFilterSchema),
  reranking_mode: z.nullish(z.string()),
  reranking_model: z.nullish(
    z.looseObject({
      reranking_provider_name: z.nullish(z.string()),
      reranking_model_name: z.nullish(z.string()),
    }),
  ),
});

const querySchema = z.looseObject({
  query: z.string(),
  retrieval_model: z.nullish(retrievalModelSchema),
});

export function retrieveRoutes(context: PlatformContext): PlatformRoute[] {
  const { store, version } = context;
  return [
    route('retrieve', 'POST /v1/datasets/:uuid/retrieve since 0.11', retrieve),
    route('retrieve', 'POST /v1/datasets/:uuid/hit-testing since 0.10', retrieve),
  ];

  function retrieve(call: Call): Reply {
    const dataset = datasetOf(context, call);
    const { query, retrieval_model: sent } = readJsonBody(
      call.request,
      version,
      'HitTestingPayload',
      querySchema,
    );
    if (query === '' || Array.from(query).length > 250) {
      throw invalidParam('Query is required and cannot exceed 250 characters');
    }
    // Recorded on 1.9.2 and 1.16.1: an external one is never queried.
    if (dataset.provider === 'external') {
      if (!sent) throw refusal(500, 'internal_server_error', "'reranking_enable'");
      throw invalidParam('relation "embedding_vector_index_sandbox_node" does not exist');
    }
    const model = sent ?? dataset.retrievalModel;
    if (dataset.technique === 'high_quality') {
      checkEmbedding(context, {
        embedding_model: dataset.embeddingModel,
        embedding_model_provider: dataset.embeddingModelProvider,
      });
    }
    if (dataset.technique === 'high_quality' && sent) checkReranking(context, sent);
    const threshold = model.score_threshold_enabled ? (model.score_threshold ?? 0) : 0;
    // Economy only has keyword search, without a threshold.
    const isKeyword = dataset.technique !== 'high_quality';
    const hits = store
      .search(dataset, query)
      .filter(({ document }) => fitsFilter(dataset, document, model['metadata_filtering_conditions']))
      .filter(({ score }) => isKeyword || score >= threshold)
      .slice(0, model.top_k);
    for (const { document, segment } of hits) {
      document.hitCount += 1;
      segment.hitCount += 1;
    }
    return ok({
      query: version.isAtLeast('1.14') ? query : { content: query },
      records: hits.map((hit) => toRecord(hit, isKeyword)),
    });
  }

  function toRecord({ document, segment, score, childChunks }: Hit, isKeyword: boolean): object {
    const { keywordScores } = context;
    const unranked = keywordScores === 'null' ? null : 0;
    return {
      segment: {
        ...segmentRecord(document, segment),
        document: {
          id: document.id,
          data_source_type: 'upload_file',
          name: document.name,
          doc_type: null,
          doc_metadata: null,
        },
      },
      child_chunks:
        childChunks.length === 0
          ? null
          : childChunks.map(({ chunk: { id, content, position }, score: found }) => ({
              id,
              content,
              position,
              score: found,
            })),
      score: isKeyword && keywordScores !== 'ranked' ? unranked : score,
      tsne_position: null,
      files: [],
      summary: null,
    };
  }
}
