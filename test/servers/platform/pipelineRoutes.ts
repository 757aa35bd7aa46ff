import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { checkInputs } from './apps/inputForm.ts';
import { acceptedRecord } from './documentRecord.ts';
import { uploadDatasetOf } from './findTargets.ts';
import type { PlatformContext } from './platformContext.ts';
import { invalidParam, notFound, PlatformRefusal, refusal } from './platformErrors.ts';
import { type Call, ok, type PlatformRoute, route } from './platformRoute.ts';
import type { StoredDataset } from './storedDataset.ts';
import { readUpload, type UploadedFile } from './uploadedFile.ts';
import { readJsonBody } from './validation.ts';
import { account } from './wireParts.ts';

const runSchema = z.looseObject({
  inputs: z.record(z.string(), z.unknown()),
  datasource_type: z.string(),
  datasource_info_list: z.array(z.looseObject({ name: z.string(), related_id: z.string() })),
  start_node_id: z.string(),
  is_published: z.boolean(),
  response_mode: z.enum(['streaming', 'blocking']),
});

/**
 * From the platform's published description and its clients. The refusals for an input and of an unpublished
 * pipeline are those of a running 1.16.1; from the source: a refused run leaves its documents, and numbers
 * may be text.
 */
export function pipelineRoutes(context: PlatformContext): PlatformRoute[] {
  const { store, version } = context;
  const files = new Map<string, UploadedFile>();
  return [
    route('listPipelineSources', 'GET /v1/datasets/:uuid/pipeline/datasource-plugins since 1.10', (call) => {
      const dataset = pipelineOf(call);
      if (!dataset.isPublished) throw invalidParam('Pipeline or workflow not found');
      const sources = sourcesOf(dataset);
      return ok(sources.map((source) => ({ ...source, plugin_id: 'sandbox', credentials: [] })));
    }),
    route('uploadPipelineFile', 'POST /v1/datasets/pipeline/file-upload since 1.10', ({ request }) => {
      const { file } = readUpload(context, request, true);
      if (!file) throw refusal(400, 'no_file_uploaded', 'Please upload your file.');
      const id = randomUUID();
      files.set(id, file);
      const extension = file.name.slice(file.name.lastIndexOf('.') + 1);
      const record = { id, name: file.name, size: file.size, extension, created_by: account };
      return { status: 201, body: record };
    }),
    route('runPipeline', 'POST /v1/datasets/:uuid/pipeline/run since 1.10', (call) => {
      const dataset = pipelineOf(call);
      const body = readJsonBody(call.request, version, 'PipelineRunApiEntity', runSchema);
      const source = sourcesOf(dataset).find(({ node_id: id }) => id === body.start_node_id);
      const fail = (reason: string) => refusal(500, 'pipeline_run_error', reason);
      if (!dataset.isPublished) throw fail('Workflow not published');
      if (!source) throw fail('Datasource node data not found');
      const refused = refusalOf(dataset, body.inputs);
      const records = body.datasource_info_list.map(({ name, related_id: id }) => {
        const file = files.get(id);
        if (!file) throw fail('Upload file not found');
        const input = {
          ...{ ...file, name, form: 'text_model' as const, language: 'English' },
          processRule: { mode: 'automatic' as const },
        };
        const fate = refused ? ({ outcome: 'stuck' } as const) : context.misbehaviours.fateOf(dataset, name);
        const document = store.addDocument(dataset, input, fate);
        return (acceptedRecord(context, dataset, document) as { document: object }).document;
      });
      if (refused !== undefined) throw fail(refused);
      const { id, name, description } = dataset;
      return ok({
        batch: dataset.documents.at(-1)?.batch,
        dataset: { id, name, description, chunk_structure: 'text_model' },
        documents: records,
      });
    }),
  ];

  function pipelineOf(call: Call): StoredDataset {
    const dataset = uploadDatasetOf(context, call);
    if (!dataset.isPipeline) throw notFound('Pipeline not found');
    return dataset;
  }
}

function refusalOf(
  { pipelineInputs }: StoredDataset,
  inputs: Readonly<Record<string, unknown>>,
): string | undefined {
  try {
    checkInputs(pipelineInputs, inputs, () => {
      throw invalidParam('Invalid upload file');
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof PlatformRefusal)) throw error;
    return (error.reply.body as { message: string }).message;
  }
}

/** Named after the knowledge base, since a pipeline is drawn on the platform. */
function sourcesOf({ name }: StoredDataset) {
  const variables = [{ variable: 'site', label: 'Site', type: 'text-input', required: true }];
  const site = {
    ...{ node_id: 'site', title: 'Website', datasource_type: 'website_crawl', provider_name: 'crawler' },
    user_input_variables: variables,
  };
  const local = {
    ...{ node_id: 'files', title: 'File', datasource_type: 'local_file', provider_name: 'file' },
    user_input_variables: [],
  };
  return name === 'Crawled' ? [site] : [site, local];
}
