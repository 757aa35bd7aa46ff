import * as z from 'zod/mini';
import { asObject } from '../base/json.ts';
import { loosely } from '../base/lenientSchemas.ts';
import { techniqueIn } from './platformDialect.ts';
import {
  getOrFind,
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
} from './platformWire.ts';
import { type Caller, type PlatformContext, route } from './platformCall.ts';
import { withModelNamed } from './platformErrors.ts';
import type { Dataset, DatasetPermission, FoundSegment, IndexingTechnique, Page } from './records.ts';
import { retrieve } from './retrieve.ts';
import type { SearchSettings } from './searchSettings.ts';

export interface NewDataset {
  /** 1 to 40 characters. */
  name: string;
  description?: string;
  technique?: IndexingTechnique;
  permission?: DatasetPermission;
  /** Accounts of `partial_members`; only for `update`. The server doesn't check that they are in the workspace. */
  memberIds?: readonly string[];
  embeddingModel?: { provider: string; model: string };
  retrievalModel?: Record<string, unknown>;
}

export interface RetrieveQuery {
  /** Cut to the server's 250 characters; the caller tells the user. */
  query: string;
  topK?: number;
  dataset?: Dataset;
  /** Overrides of its search settings; they need `topK`. */
  settings?: SearchSettings | undefined;
}

/** `/datasets`, and the calls of a single one. Source: platform-api.md 7.1. */
export function createDatasetCalls(caller: Caller, { log }: Pick<PlatformContext, 'log'>) {
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
            partial_member_list: dataset.memberIds?.map((memberId) => ({ user_id: memberId })),
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

  function get(datasetId: string, signal: AbortSignal): Promise<Dataset> {
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
  }

  return {
    async list(signal: AbortSignal): Promise<Dataset[]> {
      const datasets: Dataset[] = [];
      for await (const found of eachPage((query) => page(query, signal))) datasets.push(...found);
      return datasets;
    },
    get,
    create: (dataset: NewDataset, signal: AbortSignal) => save('POST', '/datasets', dataset, signal),
    update: (datasetId: string, change: Partial<NewDataset>, signal: AbortSignal) =>
      save('PATCH', route`/datasets/${datasetId}`, change, signal),
    delete: (datasetId: string, signal: AbortSignal) =>
      caller.send({ method: 'DELETE', path: route`/datasets/${datasetId}` }, signal),
    async retrieve(datasetId: string, query: RetrieveQuery, signal: AbortSignal): Promise<FoundSegment[]> {
      const { topK } = query;
      if (topK === undefined) return retrieve(caller, datasetId, query.query, undefined, signal);
      const dataset = query.dataset ?? (await get(datasetId, signal));
      const wanted = { dataset, topK, settings: query.settings };
      return retrieve(caller, datasetId, query.query, wanted, signal).catch((error: unknown) => {
        throw withModelNamed(error, dataset);
      });
    },
  };
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
  permission: loosely(z.enum(['only_me', 'all_team_members', 'partial_members'])),
  created_by: text,
  partial_member_list: loosely(z.array(z.string())),
  enable_api: flag,
  retrieval_model_dict: anyObject,
  runtime_mode: text,
});

const tagSchema = z.object({ id, name: z.string() });

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
    permission: wire.permission,
    createdBy: wire.created_by || undefined,
    memberIds: wire.partial_member_list,
    isApiEnabled: wire.enable_api,
    retrievalModel: wire.retrieval_model_dict,
    tags: readList(fields?.['tags'], readTagName),
  });
}

export function readTagName(json: unknown): { id: string; name: string } | undefined {
  return tagSchema.safeParse(json).data;
}

function toTechnique(word: string | undefined): IndexingTechnique | undefined {
  if (word === 'high_quality') return word;
  return word === 'economy' || word === 'economical' ? 'economical' : undefined;
}
