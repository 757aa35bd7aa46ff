import * as z from 'zod/mini';
import { asObject } from '../base/json.ts';
import { techniqueIn } from './dialect.ts';
import { getOrFind } from './getOrFind.ts';
import type { Caller, PlatformContext } from './platformCall.ts';
import type { DatasetCalls, NewDataset } from './platformClient.ts';
import type { Dataset, IndexingTechnique, Page } from './records.ts';
import { retrieve } from './retrieve.ts';
import { route } from './route.ts';
import {
  anyObject,
  count,
  documentForm,
  eachPage,
  flag,
  id,
  pageOf,
  readList,
  text,
  withKnown,
} from './wire.ts';

/** `/datasets` and what is asked of one as a whole. Source: platform-api.md 7.1. */
export function createDatasetCalls(caller: Caller, { log }: Pick<PlatformContext, 'log'>): DatasetCalls {
  const page = (query: { page: number; limit: number }, signal: AbortSignal): Promise<Page<Dataset>> =>
    caller.ask({ method: 'GET', path: '/datasets', query, isRead: true }, pageOf(readDataset, log), signal);

  const save = (
    method: 'POST' | 'PATCH',
    path: string,
    dataset: Partial<NewDataset>,
    signal: AbortSignal,
  ): Promise<Dataset> =>
    caller.ask(
      {
        forms: dataset.technique === 'economical' ? ['economy'] : [],
        in: (dialect) => ({
          method,
          path,
          json: {
            name: dataset.name,
            description: dataset.description,
            indexing_technique: dataset.technique && techniqueIn(dialect, dataset.technique),
            permission: dataset.permission,
            embedding_model: dataset.embeddingModel?.model,
            embedding_model_provider: dataset.embeddingModel?.provider,
            retrieval_model: dataset.retrievalModel,
          },
          isNewerRoute: method === 'PATCH',
        }),
      },
      readDataset,
      signal,
    );

  const calls: DatasetCalls = {
    async list(signal) {
      const datasets: Dataset[] = [];
      for await (const dataset of eachPage((query) => page(query, signal))) datasets.push(dataset);
      return datasets;
    },
    get(datasetId, signal) {
      const request = {
        method: 'GET',
        path: route`/datasets/${datasetId}`,
        isRead: true,
        isNewerRoute: true,
      } as const;
      return getOrFind(
        datasetId,
        () => caller.ask(request, readDataset, signal),
        (query) => page(query, signal),
      );
    },
    create: (dataset, signal) => save('POST', '/datasets', dataset, signal),
    update: (datasetId, change, signal) => save('PATCH', route`/datasets/${datasetId}`, change, signal),
    delete: (datasetId, signal) =>
      caller.send({ method: 'DELETE', path: route`/datasets/${datasetId}` }, signal),
    async retrieve(datasetId, query, signal) {
      const { topK } = query;
      if (topK === undefined) return retrieve(caller, datasetId, query.query, undefined, signal);
      const dataset = query.dataset ?? (await calls.get(datasetId, signal));
      return retrieve(caller, datasetId, query.query, { dataset, topK, settings: query.settings }, signal);
    },
  };
  return calls;
}

const datasetSchema = z.object({
  id,
  name: z.string(),
  description: text,
  provider: text,
  indexing_technique: text,
  doc_form: documentForm,
  document_count: count,
  word_count: count,
  embedding_model: text,
  embedding_model_provider: text,
  embedding_available: flag,
  enable_api: flag,
  retrieval_model_dict: anyObject,
  runtime_mode: text,
});

const tagSchema = z.object({ id, name: z.string() });

/** The record, also where it is wrapped in `data`. */
export function readDataset(json: unknown): Dataset | undefined {
  const outer = asObject(json);
  const fields = asObject(outer?.['data']) ?? outer;
  const { success, data: wire } = datasetSchema.safeParse(fields);
  if (!success) return undefined;
  return withKnown({
    id: wire.id,
    name: wire.name,
    description: wire.description ?? '',
    technique: toTechnique(wire.indexing_technique),
    form: wire.doc_form,
    isExternal: wire.provider === 'external',
    isPipeline: wire.runtime_mode === 'rag_pipeline' || undefined,
    documentCount: wire.document_count,
    wordCount: wire.word_count ?? 0,
    embeddingModel: wire.embedding_model || undefined,
    embeddingModelProvider: wire.embedding_model_provider || undefined,
    isEmbeddingAvailable: wire.embedding_available,
    isApiEnabled: wire.enable_api,
    retrievalModel: wire.retrieval_model_dict,
    tags: readList(fields?.['tags'], readTagName),
  });
}

/** A tag as it stands at a knowledge base. */
export function readTagName(json: unknown): { id: string; name: string } | undefined {
  return tagSchema.safeParse(json).data;
}

function toTechnique(word: string | undefined): IndexingTechnique | undefined {
  if (word === 'high_quality') return word;
  return word === 'economy' || word === 'economical' ? 'economical' : undefined;
}
