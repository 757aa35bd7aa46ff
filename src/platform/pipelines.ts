import * as z from 'zod/mini';
import { asObject } from '../base/json.ts';
import { toMultipart, type UploadFile } from './documents/multipart.ts';
import { type Caller, route } from './platformCall.ts';
import type { PipelineFile, PipelineSource, StartedPipeline } from './records.ts';
import { id, readList, text } from './platformWire.ts';

/** `/pipeline` of a knowledge base that its published pipeline fills. Source: platform-api.md 7.8. */
export function createPipelineCalls(caller: Caller) {
  const isNewerRoute = true;
  return {
    sources: (datasetId: string, signal: AbortSignal) =>
      caller.ask(
        {
          method: 'GET',
          path: route`/datasets/${datasetId}/pipeline/datasource-plugins`,
          query: { is_published: 'true' },
          isRead: true,
          isNewerRoute,
        },
        (json) => (Array.isArray(json) ? readList(json, readSource) : undefined),
        signal,
      ),
    upload: (file: UploadFile, signal: AbortSignal) =>
      caller.ask(
        {
          method: 'POST',
          path: '/datasets/pipeline/file-upload',
          form: toMultipart([], file),
          isNewerRoute,
        },
        (json) => z.object({ id }).safeParse(json).data?.id,
        signal,
      ),
    /** Each file becomes a new document; nothing is replaced. */
    run: (
      datasetId: string,
      {
        sourceId,
        files,
        inputs = {},
      }: { sourceId: string; files: readonly PipelineFile[]; inputs?: Readonly<Record<string, string>> },
      signal: AbortSignal,
    ) =>
      caller.ask(
        {
          method: 'POST',
          path: route`/datasets/${datasetId}/pipeline/run`,
          json: {
            inputs,
            datasource_type: 'local_file',
            // Versions differ in which of the two they read.
            datasource_info_list: files.map((file) => ({
              related_id: file.id,
              reference: file.id,
              name: file.name,
              transfer_method: 'local_file',
            })),
            start_node_id: sourceId,
            is_published: true,
            response_mode: 'blocking',
          },
          isNewerRoute,
        },
        readStarted,
        signal,
      ),
  };
}

const sourceSchema = z.object({ node_id: id, datasource_type: text, title: text });

function readSource(json: unknown): PipelineSource | undefined {
  const { data: wire } = sourceSchema.safeParse(json);
  if (!wire) return undefined;
  return {
    id: wire.node_id,
    title: wire.title ?? '',
    takesLocalFiles: wire.datasource_type === 'local_file',
  };
}

const startedSchema = z.object({ id, error: text });

function readStarted(json: unknown): StartedPipeline | undefined {
  const body = asObject(json);
  if (!body || (body['batch'] === undefined && body['data'] === undefined)) return undefined;
  return {
    documents: readList(body['documents'], (item) => {
      const { data: wire } = startedSchema.safeParse(item);
      return wire && { id: wire.id, ...(wire.error !== undefined && { error: wire.error }) };
    }),
  };
}
