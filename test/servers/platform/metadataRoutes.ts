import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { datasetOf } from './findTargets.ts';
import { invalidParam, notFound } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';
import { type Call, noContent, ok, type PlatformRoute, route, success } from './platformRoute.ts';
import type { StoredDataset, StoredMetadataField } from './storedDataset.ts';
import { readJsonBody } from './validation.ts';

const nameSchema = z.looseObject({ name: z.string() });
const createSchema = z.looseObject({ name: z.string(), type: z.enum(['string', 'number', 'time']) });
const valuesSchema = z.looseObject({
  operation_data: z.array(
    z.looseObject({
      document_id: z.string(),
      metadata_list: z.array(
        z.looseObject({
          id: z.string(),
          name: z.string(),
          value: z.nullish(z.union([z.string(), z.number()])),
        }),
      ),
      partial_update: z.nullish(z.boolean()),
    }),
  ),
});

const builtInFields = [
  { name: 'document_name', type: 'string' },
  { name: 'uploader', type: 'string' },
  { name: 'upload_date', type: 'time' },
  { name: 'last_update_date', type: 'time' },
  { name: 'source', type: 'string' },
];

const path = '/v1/datasets/:uuid/metadata';
const since = '1.2';

export function metadataRoutes(context: PlatformContext): PlatformRoute[] {
  const { version } = context;

  function checkName(dataset: StoredDataset, name: string): void {
    if (name.length > 255) throw invalidParam('Metadata name cannot exceed 255 characters.');
    if (dataset.metadata.some((field) => field.name === name)) {
      throw invalidParam('Metadata name already exists.');
    }
    if (builtInFields.some((field) => field.name === name)) {
      throw invalidParam('Metadata name already exists in Built-in fields.');
    }
  }

  function target(call: Call): { dataset: StoredDataset; field: StoredMetadataField } {
    const dataset = datasetOf(context, call);
    const field = dataset.metadata.find(({ id }) => id === call.ids[1]?.toLowerCase());
    if (!field) throw notFound('Metadata not found.');
    return { dataset, field };
  }

  return [
    route('listMetadata', `GET ${path} since ${since}`, (call) => {
      const dataset = datasetOf(context, call);
      const count = (id: string): number =>
        dataset.documents.filter(({ metadata }) => metadata.has(id)).length;
      return ok({
        doc_metadata: dataset.metadata.map(({ id, name, type }) => ({ id, name, type, count: count(id) })),
        built_in_field_enabled: dataset.isBuiltInMetadataOn,
      });
    }),
    route('createMetadata', `POST ${path} since ${since}`, (call) => {
      const dataset = datasetOf(context, call);
      const { name, type } = readJsonBody(call.request, version, 'MetadataArgs', createSchema);
      checkName(dataset, name);
      const field: StoredMetadataField = { id: randomUUID(), name, type };
      dataset.metadata.push(field);
      return { status: 201, body: { ...field } };
    }),
    route('renameMetadata', `PATCH ${path}/:uuid since ${since}`, (call) => {
      const { dataset, field } = target(call);
      const { name } = readJsonBody(call.request, version, 'MetadataUpdatePayload', nameSchema);
      checkName(dataset, name);
      field.name = name;
      return ok({ ...field });
    }),
    route('deleteMetadata', `DELETE ${path}/:uuid since ${since}`, (call) => {
      const { dataset, field } = target(call);
      dataset.metadata = dataset.metadata.filter((other) => other !== field);
      for (const { metadata } of dataset.documents) metadata.delete(field.id);
      return noContent;
    }),
    route('builtInMetadata', `GET ${path}/built-in since ${since}`, () => ok({ fields: builtInFields })),
    ...([true, false] as const).map((isOn): PlatformRoute => ({
      kind: 'switchBuiltInMetadata',
      method: 'POST',
      path: `${path}/built-in/${isOn ? 'enable' : 'disable'}`,
      since,
      answer(call) {
        datasetOf(context, call).isBuiltInMetadataOn = isOn;
        return success;
      },
    })),
    route('setMetadataValues', `POST /v1/datasets/:uuid/documents/metadata since ${since}`, (call) => {
      const dataset = datasetOf(context, call);
      const body = readJsonBody(call.request, version, 'MetadataOperationData', valuesSchema);
      for (const {
        document_id: id,
        metadata_list: values,
        partial_update: isPartial,
      } of body.operation_data) {
        const document = dataset.documents.find((one) => one.id === id);
        // Failures of single documents are not reported.
        if (!document) continue;
        if (!isPartial) document.metadata.clear();
        for (const { id: field, value } of values) {
          if (dataset.metadata.some((one) => one.id === field)) document.metadata.set(field, value ?? null);
        }
      }
      return success;
    }),
  ];
}
