import * as z from 'zod/mini';
import { datasetRecord } from './datasetRecord.ts';
import { datasetOf } from './findTargets.ts';
import { pageOf } from './paging.ts';
import type { PlatformContext } from './platformContext.ts';
import { refusal } from './platformErrors.ts';
import { noContent, ok, type PlatformRoute, route } from './platformRoute.ts';
import { retrievalModelSchema } from './retrieveRoutes.ts';
import { checkEmbedding } from './techniques.ts';
import { invalidFields, readJsonBody } from './validation.ts';

export function datasetRoutes(context: PlatformContext): PlatformRoute[] {
  const { store, version, techniques } = context;
  const fields = {
    description: z.nullish(z.string().check(z.maxLength(400))),
    indexing_technique: z.nullish(z.enum(techniques)),
    permission: z.nullish(z.enum(['only_me', 'all_team_members', 'partial_members'])),
    embedding_model: z.nullish(z.string()),
    embedding_model_provider: z.nullish(z.string()),
    retrieval_model: z.nullish(retrievalModelSchema),
  };
  const name = z.string().check(z.minLength(1), z.maxLength(40));
  const createSchema = z.looseObject({
    ...fields,
    name,
    provider: z.nullish(z.enum(['vendor', 'external'])),
  });
  const updateSchema = z.looseObject({
    ...fields,
    name: z.nullish(name),
    partial_member_list: z.nullish(z.array(z.object({ user_id: z.string() }))),
  });

  function checkName(wanted: string, own?: string): void {
    if (store.datasets.some((dataset) => dataset.name === wanted && dataset.id !== own)) {
      throw refusal(
        409,
        'dataset_name_duplicate',
        'The dataset name already exists. Please modify your dataset name.',
      );
    }
  }

  return [
    route('listDatasets', 'GET /v1/datasets', (call) => {
      const { query } = call.request;
      const keyword = query.get('keyword')?.toLowerCase() ?? '';
      const tagIds = query.getAll('tag_ids');
      if (tagIds.length > 0 && version.isAtLeast('1.14')) {
        const reason = 'Input should be a valid list';
        const mistake = { field: 'tag_ids', reason, type: 'value_error', input: tagIds[0] } as const;
        throw invalidFields(version, 'DatasetListQuery', [mistake]);
      }
      const found = store.datasets
        .filter((dataset) => dataset.name.toLowerCase().includes(keyword))
        .filter((dataset) => tagIds.every((id) => dataset.tagIds.has(id)))
        .toReversed();
      return ok(pageOf(found, call, (dataset) => datasetRecord(context, dataset)));
    }),
    route('createDataset', 'POST /v1/datasets', ({ request }) => {
      const body = readJsonBody(request, version, 'DatasetCreatePayload', createSchema);
      checkName(body.name);
      if (body.indexing_technique === 'high_quality') checkEmbedding(context, body);
      const dataset = store.addDataset({
        name: body.name,
        description: body.description ?? '',
        permission: body.permission ?? 'only_me',
        provider: body.provider ?? 'vendor',
        technique: body.indexing_technique,
        embeddingModel: body.embedding_model,
        embeddingModelProvider: body.embedding_model_provider,
        retrievalModel: body.retrieval_model,
      });
      return ok(datasetRecord(context, dataset));
    }),
    route('getDataset', 'GET /v1/datasets/:uuid since 1.3', (call) => {
      const dataset = datasetOf(context, call);
      const isShared = dataset.permission === 'partial_members';
      return ok({
        ...datasetRecord(context, dataset),
        ...(isShared && { partial_member_list: dataset.memberIds }),
      });
    }),
    route('updateDataset', 'PATCH /v1/datasets/:uuid since 1.3', (call) => {
      const dataset = datasetOf(context, call);
      const body = readJsonBody(call.request, version, 'DatasetUpdatePayload', updateSchema);
      if (body.name) checkName(body.name, dataset.id);
      if (body.indexing_technique === 'high_quality') checkEmbedding(context, body);
      dataset.name = body.name ?? dataset.name;
      dataset.description = body.description ?? dataset.description;
      dataset.permission = body.permission ?? dataset.permission;
      // From the platform's source: named members replace the earlier ones; another permission forgets them.
      if (body.permission === 'partial_members') {
        dataset.memberIds =
          body.partial_member_list?.map(({ user_id: member }) => member) ?? dataset.memberIds;
      } else if (body.permission) dataset.memberIds = [];
      dataset.technique = body.indexing_technique ?? dataset.technique;
      dataset.embeddingModel = body.embedding_model ?? dataset.embeddingModel;
      dataset.embeddingModelProvider = body.embedding_model_provider ?? dataset.embeddingModelProvider;
      dataset.retrievalModel = body.retrieval_model ?? dataset.retrievalModel;
      dataset.updatedAt = store.now();
      return ok({
        ...datasetRecord(context, dataset),
        partial_member_list: dataset.memberIds,
      });
    }),
    route('deleteDataset', 'DELETE /v1/datasets/:uuid', (call) => {
      store.deleteDataset(datasetOf(context, call));
      return noContent;
    }),
  ];
}
